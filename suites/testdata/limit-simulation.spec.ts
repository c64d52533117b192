import { rateRules } from '../../contract/limits.ts'
import type { RateRuleId } from '../../contract/limits.ts'
import type { Client } from '../../lib/client.ts'
import { expectObject, expectOk } from '../../lib/outcome.ts'
import { thresholdsOf } from '../../lib/pacer.ts'
import { ratedCalls } from '../../lib/node/rated-calls.ts'
import { kin } from '../support/callers/kin.ts'
import { knownFields } from '../support/answers/known-fields.ts'
import { statedIn } from '../support/answers/meaning.ts'
import { packed, sendBatch } from '../support/steps/packages.ts'
import { exceedSecond, limitedOf, reportedRates, setRates } from '../support/service/rated.ts'
import { rule } from '../support/checks/rule.ts'
import { outcomeOfInvoice } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

const session = { maxInvoiceSizeInMB: 1, maxInvoiceWithAttachmentSizeInMB: 3, maxInvoices: 7 }

const sessionLimits = async (api: Client) =>
  knownFields(
    expectObject(await api.call('limits.context'), 'read the limits of the context'),
    'ContextLimits',
  )

const list = (api: Client, calls: number) =>
  Promise.all(
    Array.from({ length: calls }, () =>
      api.call('sessions.list', { query: { sessionType: 'Online' }, pace: false }),
    ),
  )

const custom = { perSecond: 3, perMinute: 6, perHour: 9 }

test(...rule('testdata.limit-simulation', 'production, reported'), async ({ login, target }) => {
  const { api } = await login()
  for (let times = 0; times < 2; times += 1) {
    await setRates(api, { sessionList: custom })
    expect(await api.call('testdata.productionRateLimits')).toBeOk()
  }
  const rows = (Object.keys(rateRules) as RateRuleId[]).filter(
    (id) => target.dialect.shares?.[id] === undefined,
  )
  const production = Object.fromEntries(rows.map((id) => [id, thresholdsOf(id, target.dialect)]))
  expect(await reportedRates(api), "the limits in force after production's were set").toMatchObject(
    production,
  )
})

test(
  ...rule('testdata.limit-simulation', 'enforced, production'),
  async ({ login, target, clock }) => {
    await clock.still()
    const { api } = await login()
    await setRates(api, { sessionList: custom })
    expectOk(await api.call('testdata.productionRateLimits'), "set production's rate limits")
    const { perSecond = 0 } = thresholdsOf('sessionList', target.dialect) ?? {}
    const answers = await exceedSecond(clock.now, () => list(api, perSecond + 1))
    expect(limitedOf(answers), `rejected calls of ${answers.length} concurrent ones`).toBe(1)
  },
)

test(...rule('testdata.limit-simulation', 'custom, reported'), async ({ login }) => {
  const { api } = await login()
  await setRates(api, { sessionList: custom })
  for (const one of [api, (await login()).api])
    expect((await reportedRates(one)).sessionList, 'the configured row').toMatchObject(custom)
})

test(
  ...rule('testdata.limit-simulation', 'custom, each row enforced'),
  async ({ rated, target }) => {
    const { me } = await rated(ratedCalls.default)
    const rows = (Object.keys(rateRules) as RateRuleId[]).filter(
      (id) => target.dialect.shares?.[id] === undefined,
    )
    for (const id of rows) {
      const { call } = await rated(ratedCalls[id], me)
      await setRates(me.api, { [id]: custom })
      const answers = await exceedSecond(target.now, () =>
        Promise.all(Array.from({ length: custom.perSecond + 1 }, () => call())),
      )
      expect(limitedOf(answers), `rejected calls of ${answers.length} concurrent ones, ${id}`).toBe(
        1,
      )
    }
  },
)

for (const [window, step] of [
  ['perSecond', 0],
  ['perMinute', 1_001],
  ['perHour', 60_001],
] as const) {
  test(
    ...rule(
      'testdata.limit-simulation',
      step > 0 ? `custom over time, enforced ${window}` : `enforced, custom ${window}`,
    ),
    async ({ login, clock }) => {
      await clock.still()
      const { api } = await login()
      await setRates(api, { sessionList: custom })
      for (let made = 1; made <= custom[window]; made += 1) {
        expect(limitedOf(await list(api, 1)), `call ${made} of ${custom[window]} refused`).toBe(0)
        // Calls stay within their windows when limits are set once more.
        if (step > 0 && made === custom[window]) await setRates(api, { sessionList: custom })
        await clock.advance(step)
      }
      const [refused] = await list(api, 1)
      expect(refused).toBeDefined()
      if (refused !== undefined) expect(refused).toBeRefused('rate-limited')
    },
  )
}

test(...rule('testdata.limit-simulation', 'restored, reported'), async ({ login }) => {
  const { api } = await login()
  expectOk(await api.call('testdata.restoreRateLimits'), 'restore the rate limits')
  const before = await reportedRates(api)
  await setRates(api, { sessionList: custom })
  expect(await api.call('testdata.restoreRateLimits')).toBeOk()
  const after = await reportedRates(api)
  expect(after, 'the limits in force after they were restored').toEqual(before)
  expect(after.sessionList, 'the row that was configured before').not.toEqual(custom)
})

test(...rule('testdata.limit-simulation', 'restored, enforced'), async ({ login, clock }) => {
  await clock.still()
  const { api } = await login()
  await setRates(api, { sessionList: custom })
  expectOk(await api.call('testdata.restoreRateLimits'), 'restore the rate limits')
  const answers = await list(api, custom.perSecond + 1)
  expect(limitedOf(answers), `rejected calls of ${answers.length} concurrent ones`).toBe(0)
})

test(...rule('testdata.limit-simulation', 'own context only'), async ({ login, another }) => {
  const other = await login({ context: await another() })
  const before = await reportedRates(other.api)
  const { api } = await login()
  await setRates(api, { sessionList: custom })
  expect(await reportedRates(other.api), 'the limits of another context').toEqual(before)
})

for (const kind of ['InternalId', 'NipVatUe'] as const)
  test(
    ...rule('testdata.limit-simulation', `own context only, ${kind} of the same taxpayer`),
    async ({ login, rng, target }) => {
      const me = await login()
      const relative = await kin[kind]({ me, login, rng, target })
      // The taxpayer first: whatever was set for the relative would hide what it inherits.
      for (const [one, other] of [
        [me, relative],
        [relative, me],
      ] as const) {
        const before = await reportedRates(other.api)
        await setRates(one.api, { sessionList: { ...custom, perSecond: 1 } })
        const { type } = other.context
        expect(await reportedRates(other.api), `the limits of ${type}`).toEqual(before)
        expect(limitedOf(await list(other.api, 2)), `calls of ${type} that are rejected`).toBe(0)
        await setRates(one.api, { sessionList: before.sessionList })
        const sizes = await sessionLimits(other.api)
        const body = { onlineSession: session, batchSession: session }
        expectOk(await one.api.call('testdata.setSessionLimits', { body }), 'set the limits')
        const own = `the session limits of ${one.context.type}`
        expect(await sessionLimits(one.api), `${own} that were set`).toMatchObject(body)
        expect(await sessionLimits(other.api), `the session limits of ${type}`).toEqual(sizes)
        expectOk(await one.api.call('testdata.restoreSessionLimits'), 'restore the limits')
      }
    },
  )

test(
  ...rule('testdata.limit-simulation', 'session limits, set and restored'),
  async ({ login }) => {
    const { api } = await login()
    const before = await sessionLimits(api)
    const body = { onlineSession: session, batchSession: session }
    expect(await api.call('testdata.setSessionLimits', { body })).toBeOk()
    expect((await api.call('limits.context')).body, 'the configured limits').toMatchObject(body)
    for (const closed of Object.keys(session).map((name) => ({ ...session, [name]: 0 })))
      for (const none of [
        { onlineSession: closed, batchSession: session },
        { onlineSession: session, batchSession: closed },
      ]) {
        expect(await api.call('testdata.setSessionLimits', { body: none })).toBeOk()
        expect(await sessionLimits(api), 'nothing in one kind of session').toMatchObject(none)
      }
    expect(await api.call('testdata.restoreSessionLimits')).toBeOk()
    expect(await sessionLimits(api), 'the restored limits').toEqual(before)
  },
)

test(
  ...rule('testdata.limit-simulation', 'restored, one of two subject limits'),
  async ({ login }) => {
    const { api } = await login()
    const read = async () =>
      knownFields(
        expectObject(await api.call('limits.subject'), 'read the limits of the subject'),
        'SubjectLimits',
      )
    const before = await read()
    for (const one of [
      { enrollment: { maxEnrollments: 7 } },
      { certificate: { maxCertificates: 5 } },
    ]) {
      expect(await api.call('testdata.restoreSubjectLimits'), 'restored before').toBeOk()
      expect(await api.call('testdata.setSubjectLimits', { body: one })).toBeOk()
      expect(await read(), 'the other as before').toEqual({ ...before, ...one })
    }
    expect(await api.call('testdata.restoreSubjectLimits')).toBeOk()
    expect(await read(), 'the restored limits').toEqual(before)
  },
)

/** What sets, reads and restores each kind of limits. */
const kindsOfLimits = [
  ['testdata.setSessionLimits', 'limits.context', 'testdata.restoreSessionLimits'],
  ['testdata.setSubjectLimits', 'limits.subject', 'testdata.restoreSubjectLimits'],
  ['testdata.setRateLimits', 'limits.rates', 'testdata.restoreRateLimits'],
] as const

test(...rule('testdata.limit-simulation', 'restored, one kind of three'), async ({ login }) => {
  const { api } = await login()
  const all = async () => {
    const found: Record<string, unknown> = {}
    for (const [, read] of kindsOfLimits) found[read] = statedIn(await api.call(read), read)
    return found
  }
  const bodies = {
    'testdata.setSessionLimits': { onlineSession: session, batchSession: session },
    'testdata.setSubjectLimits': { enrollment: { maxEnrollments: 7 } },
    'testdata.setRateLimits': {
      rateLimits: { ...(await reportedRates(api)), sessionList: custom },
    },
  }
  for (const [, , restore] of kindsOfLimits) expectOk(await api.call(restore), restore)
  const before = await all()
  for (const [set, read, restore] of kindsOfLimits) {
    for (const [one] of kindsOfLimits) expectOk(await api.call(one, { body: bodies[one] }), one)
    const others = await all()
    expect(others[read], `${read} after ${set}`).not.toEqual(before[read])
    expect(await api.call(restore), restore).toBeOk()
    expect(await all(), `all limits after ${restore}`).toEqual({ ...others, [read]: before[read] })
  }
})

test(
  ...rule('testdata.limit-simulation', 'own context only, session limits'),
  async ({ login, another }) => {
    const [me, other] = [await login(), await login({ context: await another() })]
    const body = { onlineSession: session, batchSession: session }
    for (const { api } of [me, other])
      expectOk(await api.call('testdata.setSessionLimits', { body }), 'set the limits')
    expectOk(await me.api.call('testdata.restoreSessionLimits'), 'restore the limits')
    const kept = await other.api.call('limits.context')
    expect(kept.body, 'the limits of another context').toMatchObject(body)
  },
)

test(...rule('testdata.limit-simulation', 'session limits, by kind'), async ({ open, invoice }) => {
  const desk = await open()
  const one = { ...session, maxInvoices: 1 }
  for (const [body, online, batch] of [
    [{ onlineSession: session, batchSession: one }, 2, 0],
    [{ onlineSession: one, batchSession: session }, 1, 2],
  ] as const) {
    expectOk(await desk.api.call('testdata.setSessionLimits', { body }), 'set the limits')
    const fresh = await open({ me: desk.me })
    for (let sent = 0; sent < online; sent += 1)
      expect(await outcomeOfInvoice(fresh, invoice().bytes)).toHaveSucceeded('invoice')
    if (online === 1)
      expect(await outcomeOfInvoice(fresh, invoice().bytes)).toBeRejected('session-full')
    const { settled } = await sendBatch(desk.api, await packed([invoice(), invoice()]))
    if (batch === 0) expect(settled).toBeRejected('session-full')
    else expect(settled).toHaveSucceeded('batchSession')
  }
})

for (const [what, fault] of [
  ['missing row', { sessionList: undefined }],
  ['not a number', { sessionList: { ...custom, perSecond: 'three' } }],
] as const) {
  test(...rule('testdata.limit-simulation', `invalid request, ${what}`), async ({ login }) => {
    const { api } = await login()
    const rateLimits = { ...(await reportedRates(api)), ...fault }
    const answer = await api.call('testdata.setRateLimits', { body: { rateLimits } })
    expect(answer).toBeRefused('invalid-input')
  })
}
