import { limits } from '../../../contract/limits.ts'
import type { RuleId } from '../../../contract/rules.ts'
import type { Client } from '../../../lib/client.ts'
import { closeBatch, openBatch, uploadPart, uploadParts } from '../../../lib/flows/batch.ts'
import {
  closeOnline,
  openOnline,
  settleSession,
  submissionBody,
  submit,
} from '../../../lib/flows/session.ts'
import { statusOf } from '../../../lib/flows/settle.ts'
import { expectOk } from '../../../lib/outcome.ts'
import { hold } from '../../support/scenes/delayed.ts'
import type { Fixtures } from '../../support/harness/fixtures.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { spoilt } from '../../support/documents/malformed.ts'
import { outcomeOfCode } from '../../support/judging/matchers.ts'
import { listInvoices, packed } from '../../support/steps/packages.ts'
import { pagesByToken } from '../../support/answers/paged-lists.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { countsOf } from '../../support/answers/session-counts.ts'
import { accept, fields, outcomeOfInvoice } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** What a service reports, and refuses, of a session while work that it accepted has not been done yet. */

const stateOf = async (api: Client, referenceNumber: string): Promise<number> => {
  const look = await api.call('sessions.status', { path: { referenceNumber } })
  return statusOf(expectOk(look, 'look at the session').body)?.code ?? 0
}

const allOf = (...counts: readonly number[]) => ({ status: counts, list: counts })

interface Row {
  readonly rule: RuleId
  readonly run: (fixtures: Fixtures) => Promise<void>
}

const checked: Readonly<Record<string, Row>> = {
  'counters of an interactive session': {
    rule: 'sessions.status.counts',
    async run(fixtures) {
      const { open, invoice } = fixtures
      const desk = await open()
      const { api, session } = desk
      const counts = () => countsOf(api, session.referenceNumber, 'Online')
      await accept(desk, invoice().bytes)
      await outcomeOfInvoice(desk, spoilt)
      const done = await hold(fixtures, 'invoice')
      await submit(api, session, invoice().bytes)
      await submit(api, session, spoilt)
      await submit(api, session, invoice().bytes)
      expect(await counts(), 'all, accepted, rejected: of five, two processed').toEqual(
        allOf(5, 1, 1),
      )
      await closeOnline(api, session)
      expect(await counts(), 'after the close').toEqual(allOf(5, 1, 1))
      await done()
      expect(await settleSession(api, session)).toHaveSucceeded('onlineSession')
      expect(await counts(), 'of five, all processed').toEqual(allOf(5, 3, 2))
    },
  },
  'counters of a batch session': {
    rule: 'sessions.status.counts',
    async run(fixtures) {
      const { login, invoice } = fixtures
      const { api } = await login()
      const made = await packed([invoice(), { bytes: spoilt }, invoice()])
      const session = await openBatch(api, made, { formCode: formCodes.fa3 })
      await uploadParts(api, session, made.parts)
      const done = await hold(fixtures, 'invoice')
      await closeBatch(api, session)
      const counts = () => countsOf(api, session.referenceNumber, 'Batch')
      for (const [, accepted, rejected] of Object.values(await counts()))
        expect([accepted, rejected], 'accepted and rejected, nothing processed').toEqual([0, 0])
      await done()
      expect(await settleSession(api, session, 'batchSession')).toHaveSucceeded('batchSession')
      expect(await counts(), 'of three, all processed').toEqual(allOf(3, 2, 1))
    },
  },
  'list of invoices': {
    rule: 'sessions.invoices.complete',
    async run(fixtures) {
      const { open, invoice } = fixtures
      const desk = await open()
      const { api, session } = desk
      const first = await accept(desk, invoice().bytes)
      const done = await hold(fixtures, 'invoice')
      const sent = [first.referenceNumber]
      for (const bytes of [spoilt, invoice().bytes])
        sent.push((await submit(api, session, bytes)).referenceNumber)
      const references = async () =>
        (await listInvoices(api, session.referenceNumber)).map((row) => row.referenceNumber)
      expect((await references()).toSorted(), 'all that was sent').toEqual(sent.toSorted())
      await done()
      expect((await references()).toSorted(), 'all that was processed').toEqual(sent.toSorted())
    },
  },
  'list of failed invoices': {
    rule: 'sessions.batch.failed-list',
    async run(fixtures) {
      const { open, invoice } = fixtures
      const desk = await open()
      const { api, session } = desk
      await outcomeOfInvoice(desk, spoilt)
      const done = await hold(fixtures, 'invoice')
      await submit(api, session, invoice().bytes)
      await submit(api, session, spoilt)
      const failed = async () =>
        (await listInvoices(api, session.referenceNumber, 'sessions.failed')).map((row) =>
          outcomeOfCode(row.status.code),
        )
      expect(await failed(), 'one has failed so far').toEqual(['failure'])
      await done()
      expect(await failed(), 'two have failed').toEqual(['failure', 'failure'])
    },
  },
  'closed session': {
    rule: 'sessions.online.close',
    async run(fixtures) {
      const { open, invoice } = fixtures
      const { api, session } = await open()
      const path = { referenceNumber: session.referenceNumber }
      const done = await hold(fixtures, 'invoice')
      await submit(api, session, invoice().bytes)
      expect(await api.call('sessions.closeOnline', { path }), 'the close').toBeOk()
      expect(outcomeOfCode(await stateOf(api, path.referenceNumber)), 'its state').toBe('pending')
      const body = await submissionBody(api, session, invoice().bytes)
      expect(await api.call('invoices.submit', { path, body }), 'a further invoice').toBeRefused(
        'session-state-forbids',
      )
      expect(await api.call('sessions.closeOnline', { path }), 'a second close').toBeRefused(
        'session-state-forbids',
      )
      await done()
      expect(await settleSession(api, session)).toHaveSucceeded('onlineSession')
      expect(await countsOf(api, path.referenceNumber, 'Online')).toEqual(allOf(1, 1, 0))
    },
  },
  'receipt of a closed session': {
    rule: 'sessions.online.receipt-after-close',
    async run(fixtures) {
      const { open, invoice } = fixtures
      const desk = await open()
      const { api, session } = desk
      await accept(desk, invoice().bytes)
      const done = await hold(fixtures, 'invoice')
      await submit(api, session, spoilt)
      await submit(api, session, invoice().bytes)
      await closeOnline(api, session)
      const path = { referenceNumber: session.referenceNumber }
      const pages = async (): Promise<readonly unknown[]> => {
        const { upo } = fields(await api.call('sessions.status', { path }))
        return (upo as { readonly pages?: readonly unknown[] } | null | undefined)?.pages ?? []
      }
      expect(await pages(), 'no receipt while invoices are pending').toEqual([])
      await done()
      expect(await settleSession(api, session)).toHaveSucceeded('onlineSession')
      expect((await pages()).length, 'pages of the receipt').toBe(1)
    },
  },
  'search for a closed session': {
    rule: 'sessions.list.complete',
    async run(fixtures) {
      const { open, invoice } = fixtures
      const { api, session } = await open()
      const done = await hold(fixtures, 'invoice')
      await submit(api, session, invoice().bytes)
      await closeOnline(api, session)
      const foundIn = async (outcome: string): Promise<boolean> => {
        const query = { sessionType: 'Online', statuses: [outcome], pageSize: 100 }
        const rows = (await pagesByToken(api, 'sessions.list', 'sessions', query)).flat()
        return rows.some((row) => row['referenceNumber'] === session.referenceNumber)
      }
      expect(await foundIn('InProgress'), 'among those in progress').toBe(true)
      expect(await foundIn('Succeeded'), 'among those that succeeded').toBe(false)
      await done()
      await settleSession(api, session)
      expect(await foundIn('InProgress'), 'among those in progress, at its end').toBe(false)
      expect(await foundIn('Succeeded'), 'among those that succeeded, at its end').toBe(true)
    },
  },
  'closed batch session': {
    rule: 'sessions.batch.close',
    async run(fixtures) {
      const { login, invoice } = fixtures
      const { api } = await login()
      const made = await packed([invoice()])
      const session = await openBatch(api, made, { formCode: formCodes.fa3 })
      await uploadParts(api, session, made.parts)
      const path = { referenceNumber: session.referenceNumber }
      const before = await stateOf(api, path.referenceNumber)
      const done = await hold(fixtures, 'batch', 'invoice')
      await closeBatch(api, session)
      const after = await stateOf(api, path.referenceNumber)
      expect([before, after], 'its states').toMoveAlong('batchSession')
      expect(outcomeOfCode(after), 'its state').toBe('pending')
      expect(await api.call('sessions.closeBatch', { path }), 'a second close').toBeRefused(
        'session-state-forbids',
      )
      const upload = uploadPart(api, session, made.parts[0]!)
      expect(await upload, 'a part once more').toBeClientError()
      await done()
      await done()
      expect(await settleSession(api, session, 'batchSession')).toHaveSucceeded('batchSession')
    },
  },
  'counters of a session that ends by its time': {
    rule: 'sessions.status.counts',
    async run(fixtures) {
      const { login, invoice, clock } = fixtures
      const { api, context } = await login()
      const session = await openOnline(api, { formCode: formCodes.fa3 })
      await clock.advance(limits['session.onlineLifetime'].value * 1000 - 60_000)
      const later = await login({ context })
      const done = await hold(fixtures, 'invoice')
      for (const bytes of [invoice().bytes, spoilt]) await submit(later.api, session, bytes)
      await done()
      expect(await settleSession(later.api, session)).toHaveSucceeded('onlineSession')
      expect(await countsOf(later.api, session.referenceNumber, 'Online')).toEqual(allOf(2, 1, 1))
    },
  },
  'last change of a session': {
    rule: 'sessions.status.dates',
    async run(fixtures) {
      const { open, invoice } = fixtures
      const { api, session } = await open()
      const path = { referenceNumber: session.referenceNumber }
      const changedAt = async () =>
        Date.parse(String(fields(await api.call('sessions.status', { path }))['dateUpdated']))
      const done = await hold(fixtures, 'invoice')
      await submit(api, session, invoice().bytes)
      await closeOnline(api, session)
      const before = await changedAt()
      await done()
      expect(await settleSession(api, session)).toHaveSucceeded('onlineSession')
      expect(await changedAt(), 'the last change, after that of the close').toBeGreaterThan(before)
    },
  },
}

for (const [name, { rule, run }] of Object.entries(checked))
  test(
    ...familyRule(rule, 'pending session', name),
    async ({ api, own, login, open, invoice, target, clock }) =>
      run({ api, own, login, open, invoice, target, clock } as Fixtures),
  )
