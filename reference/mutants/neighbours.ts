import { keyOf, nipOf } from '../model/entities.ts'
import { policy } from '../policy/policy.ts'
import type { Mutant } from './mutant.ts'
import { answers, calls, lists } from './rewrite.ts'

/** Defects whose effect reaches a neighbour: another key, role, format, limit or document than the one that is meant. */

/** A rotation takes every other key off the list. */
const withdrawsAll = answers(['keys.list'], (answer) => {
  const listed = answer.body as readonly { readonly validFrom: string }[]
  const newest = listed.reduce((last, { validFrom }) => (validFrom > last ? validFrom : last), '')
  return { ...answer, body: listed.filter(({ validFrom }) => validFrom === newest) }
})

/** The names in a tar.gz are not looked at. */
const tarUnread = (): Mutant => {
  let isTar = false
  return {
    at: ['batch'],
    tables: {
      sessions: {
        read(found) {
          isTar = found?.package?.compression === 'TarGz'
          return found
        },
      },
    },
    policy: { archiveNameAllowed: (name) => isTar || policy.archiveNameAllowed(name) },
  }
}

export const neighboursMutants = {
  'keys.rotation.served/withdraws-all': withdrawsAll,
  'sessions.batch.hostile-archive/names-in-tar': tarUnread(),
  'limits.context/packages-as-interactive': {
    at: ['invoice', 'batch'],
    policy: { sessionBounds: ({ online }) => online },
  },
  'permissions.grant.effective/one-client-only': {
    at: ['operation'],
    tables: {
      grants: {
        write: (next, before, { grants }) =>
          before === undefined &&
          next.kind === 'indirect' &&
          grants
            .by('subject', keyOf(next.subject))
            .some(({ permission, kind }) => kind === next.kind && permission === next.permission)
            ? undefined
            : next,
      },
    },
  },
  'queries.metadata.subject-type/authorized-of-the-taxpayer': calls(
    ['queries.metadata'],
    (call) => {
      const { caller } = call
      const { subjectType } = call.body as { readonly subjectType: string }
      if (caller === undefined || subjectType !== 'subjectAuthorized') return call
      const context = { type: 'Nip', value: nipOf(caller.context) } as const
      return { ...call, caller: { ...caller, context } }
    },
  ),
  'receipts.session.verifies/sender-as-seller': {
    policy: {
      receiptText: (session, documents, page) =>
        policy.receiptText(
          session,
          documents.map((one) => ({
            ...one,
            facts: { ...one.facts, seller: { nip: nipOf(one.context) } },
          })),
          page,
        ),
    },
  },
  'sessions.list.complete/token-of-other-filters': {
    policy: {
      linkContent: (use, subject, until) =>
        policy.linkContent(use, use === 'page' ? subject.replace(/\{.*\}/, '') : subject, until),
    },
  },
  'testdata.entities/one-role-at-most': lists(['permissions.queryRoles'], 'roles', (roles) =>
    roles.slice(0, 1),
  ),
  'limits.subject/fingerprint-as-entity': {
    at: ['limits.subject'],
    call(call, next) {
      const { caller } = call
      return next(
        caller?.subject.type === 'Fingerprint'
          ? { ...call, caller: { ...caller, subject: { ...caller.subject, type: 'Nip' } } }
          : call,
      )
    },
  },
  'invoices.mode/first-of-a-package': {
    at: ['batch'],
    tables: {
      invoices: {
        write: (next) => (next.ordinal > 1 ? { ...next, offline: false } : next),
      },
    },
  },
} as const satisfies Readonly<Record<string, Mutant>>
