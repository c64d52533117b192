import type { Answer, Handlers, ProtectedCall } from '../call/call.ts'
import { closeBatch, openBatch, uploadPart } from './batch.ts'
import { sessionFor, sessionForWriting, sessionsSeen } from '../invoices/access.ts'
import type { Session } from '../model/documents.ts'
import { readFormCode, readKey } from '../invoices/opening.ts'
import { beginSession } from '../invoices/session.ts'
import {
  invoiceStatusView,
  outcomeOf,
  sessionItemView,
  sessionStatusView,
} from '../invoices/views.ts'
import { keyOf } from '../model/entities.ts'
import { page } from '../http/paging.ts'
import { closeOnline } from '../invoices/processing.ts'
import { refuse } from '../base/refusals.ts'
import { instantOf, utc } from '../base/wording.ts'

/** One page of the invoices of a session, in the order of their arrival. */
const listInvoices = (call: ProtectedCall, failed: boolean): Answer => {
  const { service, caller, path } = call
  const session = sessionFor(service, caller, path['referenceNumber'] ?? '')
  const all = service.state.invoices
    .by('session', session.referenceNumber)
    .filter(({ status }) => !failed || service.policy.listedAsFailed(status.code))
  const { items, continuationToken } = page(service, all, {
    scope: `${failed ? 'failed' : 'invoices'} ${session.referenceNumber}`,
    size: call.query['pageSize'] as number,
    token: call.headers['x-continuation-token'],
    place: ({ ordinal }) => String(ordinal),
    after: ({ ordinal }, place) => ordinal > Number(place),
  })
  return {
    body: {
      invoices: items.map((item) => invoiceStatusView(service, item)),
      continuationToken,
    },
  }
}

/** Handlers of sessions. Source: specification, Endpoints > Sessions; gaps 3 and 4. */
export const sessionsHandlers = {
  'sessions.openOnline': (call) => {
    const { service, caller } = call
    const { body } = call
    const schema = readFormCode(service, body.formCode, 'online')
    const encryption = readKey(service, body)
    const lifetime = service.limit('session.onlineLifetime') * 1000
    const session = beginSession(service, caller, {
      kind: 'online',
      schema,
      ...encryption,
      validUntil: call.now + lifetime,
      offline: false,
    })
    service.schedule.later('expiry', session.referenceNumber, lifetime)
    return {
      body: {
        referenceNumber: session.referenceNumber,
        validUntil: utc(session.validUntil),
      },
    }
  },

  'sessions.closeOnline': ({ service, caller, path }) => {
    const session = sessionForWriting(service, caller, path.referenceNumber, 'online')
    if (!service.policy.sessionMayClose(session.status.code))
      throw refuse('session-state-forbids', `The session is in state ${session.status.code}`)
    closeOnline(service, session)
    return {}
  },

  'sessions.openBatch': openBatch,
  'sessions.uploadPart': uploadPart,
  'sessions.closeBatch': closeBatch,

  'sessions.list': (call) => {
    const { service, caller, query } = call
    const between = (at: number | undefined, from: unknown, to: unknown): boolean => {
      const low = typeof from === 'string' ? instantOf(from) : undefined
      const high = typeof to === 'string' ? instantOf(to) : undefined
      if (low === undefined && high === undefined) return true
      return at !== undefined && at >= (low ?? -Infinity) && at <= (high ?? Infinity)
    }
    const statuses = query['statuses'] as readonly string[] | undefined
    const wanted = (session: Session): boolean =>
      (query['sessionType'] === undefined ||
        (query['sessionType'] === 'Batch' ? 'batch' : 'online') === session.kind) &&
      (query['referenceNumber'] === undefined ||
        query['referenceNumber'] === session.referenceNumber) &&
      between(session.openedAt, query['dateCreatedFrom'], query['dateCreatedTo']) &&
      between(session.closedAt, query['dateClosedFrom'], query['dateClosedTo']) &&
      between(session.updatedAt, query['dateModifiedFrom'], query['dateModifiedTo']) &&
      (statuses === undefined ||
        statuses.length === 0 ||
        service.policy.outcomeWanted(statuses, outcomeOf(session.status.code)))
    const place = ({ openedAt, referenceNumber }: Session): string =>
      `${String(openedAt).padStart(16, '0')} ${referenceNumber}`
    const visible = sessionsSeen(service, caller)
      .filter(wanted)
      .toSorted((a, b) => (place(a) < place(b) ? 1 : -1))
    const { items, continuationToken } = page(service, visible, {
      scope: `sessions ${keyOf(caller.context)} ${JSON.stringify({ ...query, pageSize: undefined })}`,
      size: query['pageSize'] as number,
      token: call.headers['x-continuation-token'],
      place,
      after: (session, at) => place(session) < at,
    })
    return {
      body: {
        sessions: items.map(sessionItemView),
        continuationToken,
      },
    }
  },

  'sessions.status': ({ service, caller, path }) => ({
    body: sessionStatusView(service, sessionFor(service, caller, path.referenceNumber)),
  }),

  'sessions.invoices': (call) => listInvoices(call, false),
  'sessions.failed': (call) => listInvoices(call, true),
} satisfies Handlers<'sessions'>
