import { lifecycles } from '../../../contract/lifecycles.ts'
import type { Lifecycle } from '../../../contract/types.ts'
import type { Client } from '../../../lib/client.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { fetchChallenge, tokenLoginBody } from '../../../lib/flows/login.ts'
import { statusOf } from '../../../lib/flows/settle.ts'
import { expectOk, expectText } from '../../../lib/outcome.ts'
import { poll } from '../../../lib/poll.ts'
import { hold } from '../../support/scenes/delayed.ts'
import { listedAs, obtainCertificate } from '../../support/callers/enrolment.ts'
import { failingWork } from '../../support/scenes/failing-work.ts'
import type { FailingWork } from '../../support/scenes/failing-work.ts'
import type { Fixtures } from '../../support/harness/fixtures.ts'
import { listInvoices, packed, sendBatch } from '../../support/steps/packages.ts'
import { expectReason } from '../../support/steps/reasons.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { statesUntil, tokenState } from '../../support/callers/service-token.ts'
import { authenticateAs, outcomeOfAuthentication, reported } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/**
 * Every state of failure of asynchronous work, most of which no caller can bring about, from each state before it: the
 * work reports it with a description, stays in it, and has none of its effects.
 */

const codeOf = (exchange: Exchange): number | undefined => statusOf(exchange.body)?.code

/** Looks until the work is in a state that is wanted, or the looks run out. */
const until = async (
  { sleep }: Client,
  look: () => Promise<Exchange>,
  isWanted: (code: number | undefined) => boolean,
): Promise<Exchange> => {
  const polling = { everyMs: 100, times: 20, sleep }
  return (await poll(look, (exchange) => isWanted(codeOf(exchange)), polling)).last
}

/** The states of a lifecycle from which its work comes to another one. */
const before = (lifecycle: Lifecycle, code: number): readonly number[] =>
  lifecycles[lifecycle]
    .filter(({ outcome, next }) => outcome === 'pending' && next.includes(code))
    .map((state) => state.code)

const failures = (lifecycle: Lifecycle) =>
  lifecycles[lifecycle].filter(
    ({ code, outcome }) => outcome === 'failure' && before(lifecycle, code).length > 0,
  )

for (const lifecycle of Object.keys(failingWork) as (keyof typeof failingWork)[]) {
  const { rule, begin }: FailingWork = failingWork[lifecycle]
  for (const { code, name } of failures(lifecycle))
    test(
      ...familyRule(rule, 'state of failure', `${lifecycle} ${code} (${name})`),
      async ({ api, own, login, open, invoice, rng, target, clock }) => {
        const fixtures = { api, own, login, open, invoice, rng, target, clock } as Fixtures
        for (const from of before(lifecycle, code)) {
          const { look, turn, spared, subject } = await begin(fixtures, from)
          const held = await until(api, look, (state) => state === from)
          expect(reported(held), 'the state that it is held in').toBeInState(lifecycle, from)
          await target.management?.endNext(lifecycle, code, subject)
          await turn()
          const ended = await until(api, look, (state) => state !== from)
          const record = reported(ended)
          expect(record, `the state that it ended in, after ${from}`).toBeInState(lifecycle, code)
          expectReason(record, reported(held))
          const later = reported(await look()).status.code
          expect(later, 'the same state later').toBe(record.status.code)
          await spared?.(ended)
          if (lifecycle !== 'authentication') continue
          // Its token outlives the access tokens that show other work.
          await clock.advance(20 * 60_000)
          const last = await look()
          expect(last, 'a look much later').toBeOk()
          expect(reported(last).status.code, 'the same state much later').toBe(record.status.code)
        }
      },
    )
}

test(
  ...familyRule('tokens.status.moves-forward', 'state of failure', 'token 400 (Failed)'),
  async ({ api, login, target, clock }) => {
    const me = await login()
    const done = await hold({ target, clock }, 'token')
    await target.management?.endNext('token', 400)
    const body = { permissions: ['InvoiceRead'], description: 'one that fails' }
    const made = await me.api.call('tokens.create', { body })
    const referenceNumber = expectText(made, 'create a token', 'referenceNumber')
    expect(await tokenState(me.api, referenceNumber), 'its first state').toBe('Pending')
    await done()
    const seen = await statesUntil(me.api, referenceNumber, 'Failed')
    expect(seen.at(-1), 'the state of the token').toBe('Failed')
    const { type, value } = me.context
    const request = { context: { type, value }, token: expectText(made, 'create', 'token') }
    const started = await api.call('auth.token', {
      body: await tokenLoginBody(api, request, await fetchChallenge(api)),
    })
    expect(await outcomeOfAuthentication(api, started)).toBeRejected('token-refused')
    await me.api.call('tokens.revoke', { path: { referenceNumber } })
    expect(await tokenState(me.api, referenceNumber), 'its state after a revocation').toBe('Failed')
  },
)

test(
  ...familyRule('certificates.two-years', 'state of failure', 'certificate 200 (Expired)'),
  async ({ api, own, login, clock }) => {
    const me = await login()
    const { serialNumber, credentials } = await obtainCertificate(me.api)
    const end = new Date(clock.now() + 3_600_000).toISOString()
    const path = { serialNumber }
    const body = { validTo: end }
    expectOk(
      await me.api.call('testdata.updateCertificate', { path, body }),
      'shorten its validity',
    )
    const prolonged = { validTo: new Date(Date.parse(end) + 3_600_000).toISOString() }
    const asked = await me.api.call('testdata.updateCertificate', { path, body: prolonged })
    expect(asked, 'a later end').toBeRefused('invalid-input')
    await clock.set(Date.parse(end) + 60_000)
    const later = await login()
    const listed = await listedAs(later.api, serialNumber)
    expect(listed?.status, 'the listed state').toBe('Expired')
    expect(await authenticateAs(api, own, { credentials })).toBeRejected('certificate-refused')
  },
)

for (const code of [500, 550])
  test(
    ...familyRule('sessions.batch.failed-list', 'state of failure', `invoice ${code} of a package`),
    async ({ login, invoice, target }) => {
      const { api } = await login()
      await target.management?.endNext('invoice', code)
      const { referenceNumber } = await sendBatch(api, await packed([invoice(), invoice()]))
      const failed = await listInvoices(api, referenceNumber, 'sessions.failed')
      expect(
        failed.map(({ status }) => status.code),
        'the codes of the incorrectly processed invoices',
      ).toEqual([code])
    },
  )
