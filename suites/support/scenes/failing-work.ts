import { limits } from '../../../contract/limits.ts'
import type { RuleId } from '../../../contract/rules.ts'
import type { Lifecycle } from '../../../contract/types.ts'
import type { Client } from '../../../lib/client.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { closeBatch, openBatch, uploadParts } from '../../../lib/flows/batch.ts'
import { createExport } from '../../../lib/flows/export.ts'
import { startWithDocument } from '../../../lib/flows/login.ts'
import { closeOnline, submissionBody, submit } from '../../../lib/flows/session.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import { expectText } from '../../../lib/outcome.ts'
import { hold } from './delayed.ts'
import { applyFor } from '../callers/enrolment.ts'
import { issuedAround } from '../steps/filters.ts'
import type { Fixtures } from '../harness/fixtures.ts'
import { formCodes } from '../checks/forms.ts'
import { byNip, listGranted, personGrant } from '../callers/grants.ts'
import { expect } from '../judging/matchers.ts'
import { listInvoices, packed } from '../steps/packages.ts'
import { fields, finish, outcomeOfInvoice } from '../steps/steps.ts'

/** Asynchronous work that is held in each state before its end, so that it can be had fail there. */

/** A piece of work in a state before its end. */
interface Held {
  readonly look: () => Promise<Exchange>
  /** Its reference number, where others like it may end at the same time. */
  readonly subject?: string
  /** Turns the clock to where the work ends. */
  readonly turn: () => Promise<unknown>
  /** Expects that nothing came of it once it has failed. */
  readonly spared?: (ended: Exchange) => Promise<void>
}

export interface FailingWork {
  readonly rule: RuleId
  /** Brings a piece of work into a state. */
  readonly begin: (fixtures: Fixtures, state: number) => Promise<Held>
}

/** Holds work as long as this one piece lasts. */
const holdOnce = async (fixtures: Fixtures, ...kinds: readonly string[]) => {
  const done = await hold(fixtures, ...kinds)
  return async () => {
    await fixtures.target.management?.restoreDelays()
    await done()
  }
}

/** Long after a session that is left open has ended by its time; ms. */
const beyond = (seconds: number): number => seconds * 1000 + 60_000

/** Looks at a session as a caller who logs in anew where its first login has expired. */
const sessionLook = ({ login, clock }: Fixtures, api: Client, referenceNumber: string) => {
  let client = api
  return {
    look: () => client.call('sessions.status', { path: { referenceNumber } }),
    later: async (seconds: number) => {
      await clock.advance(beyond(seconds))
      client = (await login()).api
    },
    client: () => client,
  }
}

const open = 100

export const failingWork = {
  authentication: {
    rule: 'auth.status.failure-is-final',
    async begin(fixtures) {
      const { api, own } = fixtures
      const turn = await holdOnce(fixtures, 'authentication')
      const started = await startWithDocument(api, { sign: (text) => own.document(text) })
      const { referenceNumber, authenticationToken: bearer } = started
      return {
        look: () => api.call('auth.status', { path: { referenceNumber }, bearer }),
        turn,
        spared: async () =>
          expect(await api.call('auth.redeem', { bearer })).toBeRefused('redeem-refused'),
      }
    },
  },
  onlineSession: {
    rule: 'sessions.status.moves-forward',
    async begin(fixtures, state) {
      const { api, session } = await fixtures.open()
      const path = { referenceNumber: session.referenceNumber }
      const { look, later, client } = sessionLook(fixtures, api, session.referenceNumber)
      const spared = async () => {
        const body = await submissionBody(client(), session, fixtures.invoice().bytes)
        const sent = await client().call('invoices.submit', { path, body })
        expect(sent, 'an invoice after the failure').toBeRefused('session-state-forbids')
        const closed = await client().call('sessions.closeOnline', { path })
        expect(closed, 'a close after the failure').toBeRefused('session-state-forbids')
      }
      if (state === open) {
        const turn = () => later(limits['session.onlineLifetime'].value)
        return { look, turn, spared, subject: session.referenceNumber }
      }
      const turn = await holdOnce(fixtures, 'session')
      await closeOnline(api, session)
      return { look, turn, spared, subject: session.referenceNumber }
    },
  },
  batchSession: {
    rule: 'sessions.status.moves-forward',
    async begin(fixtures, state) {
      const { api } = await fixtures.login()
      const batch = await packed([fixtures.invoice()])
      const session = await openBatch(api, batch, { formCode: formCodes.fa3 })
      await uploadParts(api, session, batch.parts)
      const { look, later, client } = sessionLook(fixtures, api, session.referenceNumber)
      const spared = async () => {
        const accepted = (await listInvoices(client(), session.referenceNumber)).filter(
          ({ svcNumber }) => svcNumber !== undefined,
        )
        expect(accepted, 'accepted invoices of a failed package').toEqual([])
      }
      if (state === open) {
        const turn = () => later(limits['batch.uploadSecondsPerPart'].value * batch.parts.length)
        return { look, turn, spared, subject: session.referenceNumber }
      }
      const turn = await holdOnce(fixtures, 'batch')
      await closeBatch(api, session)
      return { look, turn, spared, subject: session.referenceNumber }
    },
  },
  invoice: {
    rule: 'invoices.rejected.may-be-resent',
    async begin(fixtures, state) {
      const desk = await fixtures.open()
      const { api, session } = desk
      const { bytes } = fixtures.invoice()
      const turn = await holdOnce(fixtures, state === open ? 'invoice' : 'verification')
      const { referenceNumber } = await submit(api, session, bytes)
      const path = {
        referenceNumber: session.referenceNumber,
        invoiceReferenceNumber: referenceNumber,
      }
      return {
        look: () => api.call('invoices.inSession', { path }),
        turn,
        async spared(ended) {
          expect(fields(ended)['svcNumber'] ?? undefined, 'a service number').toBeUndefined()
          expect(await outcomeOfInvoice(desk, bytes), 'sent once more').toHaveSucceeded('invoice')
          const { body } = await finish(desk)
          expect(body, 'the counts of the session').toMatchObject({
            invoiceCount: 2,
            successfulInvoiceCount: 1,
            failedInvoiceCount: 1,
          })
          const failed = await listInvoices(api, session.referenceNumber, 'sessions.failed')
          expect(
            failed.map((row) => row.referenceNumber),
            'incorrectly processed invoices',
          ).toEqual([referenceNumber])
        },
      }
    },
  },
  export: {
    rule: 'exports.status.moves-forward',
    async begin(fixtures) {
      const desk = await fixtures.open()
      await outcomeOfInvoice(desk, fixtures.invoice().bytes)
      const turn = await holdOnce(fixtures, 'export')
      const filters = issuedAround(fixtures.target.now())
      const { referenceNumber } = await createExport(desk.api, { filters })
      return {
        look: () => desk.api.call('exports.status', { path: { referenceNumber } }),
        turn,
        spared: async (ended) =>
          expect(fields(ended)['package'] ?? undefined, 'a package').toBeUndefined(),
      }
    },
  },
  operation: {
    rule: 'operations.status.reports',
    async begin(fixtures) {
      const { api } = await fixtures.login()
      const value = drawNip(fixtures.rng)
      const turn = await holdOnce(fixtures, 'operation')
      const body = personGrant(byNip(value), ['InvoiceRead'])
      const started = await api.call('permissions.grantPerson', { body })
      const path = { referenceNumber: expectText(started, 'grant', 'referenceNumber') }
      return {
        look: () => api.call('operations.status', { path }),
        turn,
        async spared() {
          const given = (await listGranted(api)).filter(
            ({ authorizedIdentifier }) => authorizedIdentifier.value === value,
          )
          expect(given, 'permissions after a failed grant').toEqual([])
        },
      }
    },
  },
  application: {
    rule: 'certificates.enrol',
    async begin(fixtures) {
      const { api } = await fixtures.login()
      const turn = await holdOnce(fixtures, 'enrollment')
      const started = await applyFor(api)
      const path = { referenceNumber: expectText(started, 'apply', 'referenceNumber') }
      return {
        look: () => api.call('certificates.enrollment', { path }),
        turn,
        spared: async (ended) =>
          expect(
            fields(ended)['certificateSerialNumber'] ?? undefined,
            'a serial number',
          ).toBeUndefined(),
      }
    },
  },
} as const satisfies Readonly<Partial<Record<Lifecycle, FailingWork>>>
