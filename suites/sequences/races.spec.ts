import type { RefusalId } from '../../contract/errors.ts'
import type { RuleId } from '../../contract/rules.ts'
import { openBatch, uploadParts } from '../../lib/flows/batch.ts'
import { fetchChallenge, settleAuthentication, startWithDocument } from '../../lib/flows/login.ts'
import { openOnline, settleSession } from '../../lib/flows/session.ts'
import { atOnce, drawRace } from '../support/steps/at-once.ts'
import type { Fixtures } from '../support/harness/fixtures.ts'
import { formCodes } from '../support/checks/forms.ts'
import { wentWell } from '../support/judging/matchers.ts'
import type { WorkOutcome } from '../support/judging/matchers.ts'
import { listInvoices, packed, sendAlone } from '../support/steps/packages.ts'
import { familyRule } from '../support/checks/rule.ts'
import { accept, authenticate, outcomeOfInvoice } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'
import { offeredWays } from '../support/scenes/ways-of-sending.ts'

/**
 * The same thing several times at once, where only one may succeed. How many callers there are, and in which order they
 * start, is drawn from the seed of the run, so that a race can be repeated.
 */

interface Race {
  readonly rule: RuleId
  /** How the losers are refused. */
  readonly refused: RefusalId
  /** Prepares the race; the runners are calls that compete to do the same thing. */
  readonly prepare: (fixtures: Fixtures) => Promise<{
    readonly runners: readonly (() => Promise<WorkOutcome>)[]
    /** What has to be true once the race is over. */
    readonly after?: () => Promise<void>
  }>
}

const races = {
  redemption: {
    rule: 'auth.redeem.once',
    refused: 'redeem-refused',
    async prepare({ api, own }) {
      const started = await startWithDocument(api, { sign: (text) => own.document(text) })
      await settleAuthentication(api, started)
      return {
        runners: [() => api.call('auth.redeem', { bearer: started.authenticationToken })],
      }
    },
  },
  challenge: {
    rule: 'auth.challenge.single-use',
    refused: 'challenge-invalid',
    async prepare({ api, own }) {
      const { challenge } = await fetchChallenge(api)
      const document = await own.document(challenge)
      return { runners: [() => authenticate(api, document)] }
    },
  },
  'close of a session': {
    rule: 'sessions.online.close',
    refused: 'session-state-forbids',
    async prepare({ open, invoice }) {
      const desk = await open()
      await accept(desk, invoice().bytes)
      const path = { referenceNumber: desk.session.referenceNumber }
      return {
        runners: [() => desk.api.call('sessions.closeOnline', { path })],
        after: async () =>
          expect(await settleSession(desk.api, desk.session)).toHaveSucceeded('onlineSession'),
      }
    },
  },
  'close of a package': {
    rule: 'sessions.batch.close',
    refused: 'session-state-forbids',
    async prepare({ login, invoice }) {
      const { api } = await login()
      const batch = await packed([invoice(), invoice()])
      const session = await openBatch(api, batch, { formCode: formCodes.fa3 })
      await uploadParts(api, session, batch.parts)
      const path = { referenceNumber: session.referenceNumber }
      return {
        runners: [() => api.call('sessions.closeBatch', { path })],
        after: async () => {
          const settled = await settleSession(api, session, 'batchSession')
          expect(settled).toHaveSucceeded('batchSession')
          const listed = await listInvoices(api, session.referenceNumber)
          expect(listed.length, 'invoices of the package').toBe(2)
        },
      }
    },
  },
  'equal invoices, in sessions and in packages': {
    rule: 'invoices.duplicate.everywhere',
    refused: 'duplicate-invoice',
    async prepare({ open, invoice }) {
      const desk = await open()
      const other = { ...desk, session: await openOnline(desk.api, { formCode: formCodes.fa3 }) }
      const { bytes } = invoice()
      return {
        runners: [
          () => outcomeOfInvoice(desk, bytes),
          () => sendAlone(desk.api, bytes),
          () => outcomeOfInvoice(other, bytes),
        ],
      }
    },
  },
  'equal invoices, by each way': {
    rule: 'invoices.duplicate.race',
    refused: 'duplicate-invoice',
    async prepare({ login, invoice }) {
      const me = await login()
      const { bytes } = invoice()
      const runners = offeredWays().map(
        ([, { outcome }]) =>
          () =>
            outcome(me, bytes),
      )
      return { runners: [...runners, ...runners] }
    },
  },
} as const satisfies Readonly<Record<string, Race>>

for (const name of Object.keys(races) as (keyof typeof races)[]) {
  const { rule, refused, prepare }: Race = races[name]
  test(...familyRule(rule, 'race', name), async ({ api, own, open, login, invoice }) => {
    const rng = drawRace(rule, name)
    const fixtures = { api, own, open, login, invoice } as Fixtures
    const { runners, after } = await prepare(fixtures)
    const count = Math.max(runners.length, rng.int(2, 5))
    const turns = Array.from({ length: Math.ceil(count / runners.length) }, () => runners)
    const ended = await atOnce(rng, turns.flat())
    expect(ended.filter(wentWell).length, `successes of ${ended.length} at once`).toBe(1)
    for (const loser of ended.filter((outcome) => !wentWell(outcome)))
      expect(loser, 'the others').toBeRejected(refused)
    await after?.()
  })
}
