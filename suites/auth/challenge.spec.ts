import { limits, publicRate } from '../../contract/limits.ts'
import type { Client } from '../../lib/client.ts'
import type { Exchange } from '../../lib/exchange.ts'
import { fetchChallenge, tokenLoginBody } from '../../lib/flows/login.ts'
import { Inconclusive } from '../../lib/outcome.ts'
import { expectPublic } from '../support/scenes/bearers.ts'
import { forwardedBy } from '../support/service/forwarded.ts'
import { setRates, untilFree } from '../support/service/rated.ts'
import { offered } from '../support/service/offered.ts'
import { rule } from '../support/checks/rule.ts'
import type { ServiceToken } from '../support/callers/service-token.ts'
import { authenticate, outcomeOfAuthentication, fields } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

const [home, near] = ['127.0.0.1', '127.0.0.2']

test(...rule('auth.challenge.client-address'), async ({ target, ledger }) => {
  const [first = home, second = near] = target.addresses
  const seen = async (address: string) =>
    fields(await target.client(ledger.record, address).call('auth.challenge'))['clientIp']
  const addresses = [await seen(first), await seen(second)]
  // Behind a proxy the service may see other addresses, but never the same one for both.
  expect(addresses[0], 'the reported address of the first caller').toMatch(/^[\d.]{7,15}$|:/)
  expect(addresses[1], 'the reported address of the second caller').not.toBe(addresses[0])
  if (target.profile.addresses === undefined)
    expect(addresses, 'the reported addresses of loopback calls').toEqual([first, second])
})

test(...rule('auth.challenge.client-address', 'forwarded header'), async ({ api }) => {
  const seen = async (headers = {}) =>
    fields(await api.call('auth.challenge', { headers }))['clientIp']
  const own = await seen()
  for (const [name, value] of Object.entries(forwardedBy('203.0.113.7')))
    expect.soft(await seen({ [name]: value }), `the address beside ${name}`).toBe(own)
})

test(...rule('auth.challenge.public'), async ({ api, login }) => {
  const answer = await api.call('auth.challenge', { bearer: null })
  expect(answer).toBeOk()
  expect(fields(answer)['challenge'], 'a challenge that is not empty').toMatch(/\S/)
  const { timestamp, timestampMs } = fields(answer)
  // Other types are faults of the schema, whose rule reports them.
  if (typeof timestamp === 'string' && typeof timestampMs === 'number')
    expect(timestampMs, 'the same instant in both forms').toBe(Date.parse(timestamp))
  // Many clients state a media type where they send no body.
  const headers = { 'content-type': 'application/json' }
  const typed = await api.call('auth.challenge', { bearer: null, headers })
  expect(typed, 'a call with a media type, and no body').toBeOk()
  await expectPublic(api, 'auth.challenge')
  const { accessToken: bearer } = await login()
  expect(await api.call('auth.challenge', { bearer }), 'to a caller who is logged in').toBeOk()
})

test(...rule('auth.challenge.individual', 'sequential'), async ({ api }) => {
  const seen = new Set<string>()
  for (let count = 0; count < 20; count += 1) seen.add((await fetchChallenge(api)).challenge)
  expect(seen.size, 'distinct challenges of 20').toBe(20)
})

test(...rule('auth.challenge.individual', 'two addresses'), async ({ target, ledger, clock }) => {
  await clock.still()
  const [first = home, second = near] = target.addresses
  const callers = [first, second].map((address) => target.client(ledger.record, address))
  const seen: string[] = []
  for (let round = 0; round < 6; round += 1)
    for (const { challenge } of await Promise.all(callers.map(fetchChallenge))) seen.push(challenge)
  expect(new Set(seen).size, `distinct challenges of ${seen.length}`).toBe(seen.length)
})

test(...rule('auth.challenge.individual', 'concurrent'), async ({ api }) => {
  const given = await Promise.all(Array.from({ length: 30 }, () => fetchChallenge(api)))
  const different = new Set(given.map(({ challenge }) => challenge))
  expect(different.size, 'distinct challenges of 30 concurrent ones').toBe(30)
})

test(...rule('auth.challenge.individual', 'over a day'), async ({ api, own, clock }) => {
  await clock.still()
  const begun = clock.now()
  // One that was used is not issued again either.
  const { challenge: used } = await fetchChallenge(api)
  await authenticate(api, await own.document(used))
  const seen = [used]
  // A value that comes again with the second, after it has expired, or on the next day, is no individual one.
  for (const after of [0, 1_000, 60_000, tenMinutes + 1_000, 3_600_000, 24 * 3_600_000]) {
    await clock.set(begun + after)
    const answers = Array.from({ length: publicRate.perSecond - 5 }, () => fetchChallenge(api))
    seen.push(...(await Promise.all(answers)).map(({ challenge }) => challenge))
  }
  expect(new Set(seen).size, `distinct challenges of ${seen.length}`).toBe(seen.length)
})

const tenMinutes = limits['challenge.lifetime'].value * 1000

/** A service may read both forms of a signature separately. */
const forms = ['enveloped', 'enveloping'] as const

test(...rule('auth.challenge.ten-minutes', 'before expiry'), async ({ api, own, clock }) => {
  await clock.still()
  const { challenge, timestamp } = await fetchChallenge(api)
  // Signed at once, and sent as late as possible.
  const document = await own.document(challenge)
  await clock.set(timestamp + tenMinutes - 1_000)
  expect(await authenticate(api, document)).toHaveSucceeded('authentication')
})

test(...rule('auth.challenge.ten-minutes', 'after expiry'), async ({ api, own, clock }) => {
  const { challenge, timestamp } = await fetchChallenge(api)
  await clock.set(timestamp + tenMinutes + 1_000)
  for (const form of forms) {
    const outcome = await authenticate(api, await own.document(challenge, { form }))
    expect(outcome, form).toBeRejected('challenge-invalid')
  }
})

test(...rule('auth.challenge.unknown-refused'), async ({ api, own, unissued }) => {
  const challenge = unissued('challenge')
  for (const form of forms) {
    const outcome = await authenticate(api, await own.document(challenge, { form }))
    expect(outcome, form).toBeRejected('challenge-invalid')
  }
})

test(...rule('auth.challenge.single-use'), async ({ api, own }) => {
  for (const first of forms) {
    const { challenge } = await fetchChallenge(api)
    const use = async (form: (typeof forms)[number]) =>
      authenticate(api, await own.document(challenge, { form }))
    expect(await use(first), `the first use, ${first}`).toHaveSucceeded('authentication')
    for (const again of forms)
      expect(await use(again), `${again}, after ${first}`).toBeRejected('challenge-invalid')
  }
})

test(...rule('auth.challenge.single-use', 'in another context'), async ({ api, own, another }) => {
  const { challenge } = await fetchChallenge(api)
  const first = await authenticate(api, await own.document(challenge))
  expect(first, 'the first use').toHaveSucceeded('authentication')
  const again = await authenticate(api, await (await another()).document(challenge))
  expect(again).toBeRejected('challenge-invalid')
})

/** The maximum number of calls that both started and were answered within one second, whenever they were counted. */
const maxWithinASecond = (accepted: readonly Exchange[]): number =>
  Math.max(
    0,
    ...accepted.map(
      ({ startedAt: from }) =>
        accepted.filter(({ startedAt, ms }) => startedAt >= from && startedAt + ms < from + 1_000)
          .length,
    ),
  )

/** Asks for this many challenges at once. */
const burst = (api: Client, size: number): Promise<readonly Exchange[]> =>
  Promise.all(Array.from({ length: size }, () => api.call('auth.challenge', { pace: false })))

const passedOf = (answers: readonly Exchange[]): number =>
  answers.filter(({ status }) => status === 200).length

test(...rule('auth.challenge.address-limit'), async ({ api, clock, target, ledger }) => {
  const calls = publicRate.perSecond
  const stands = await clock.still()
  const first = await burst(api, calls + 1)
  // On a slow connection to the target they arrive spread over more than a second.
  const isSpread = !stands && first.every(({ status }) => status === 200)
  const answers = isSpread ? [...first, ...(await burst(api, 3 * calls))] : first
  const passed = answers.filter(({ status }) => status === 200)
  const refused = answers.filter(({ status }) => status !== 200)
  const what = 'accepted calls of one address within one second'
  if (stands) expect(passed.length, what).toBe(calls)
  else {
    // The calls may take longer than a second, and other checks call from the same address.
    expect(maxWithinASecond(passed), what).toBeLessThanOrEqual(calls)
    if (refused.length === 0)
      throw new Inconclusive('exceed the limit of an address', `over ${calls} calls in a second`)
  }
  for (const answer of refused) {
    expect(answer).toBeRefused('rate-limited')
    expect(answer.headers['retry-after'], 'seconds to wait, in Retry-After').toMatch(/^[1-9]\d*$/)
  }
  const another = target.embedded ? '127.0.0.2' : target.addresses[1]
  if (stands && another !== undefined) {
    const elsewhere = target.client(ledger.record, another)
    const answer = await elsewhere.call('auth.challenge', { pace: false })
    expect(answer, 'a challenge for another address').toBeOk()
  }
  await untilFree(api, answers, () => clock.now())
})

test(...rule('auth.challenge.address-limit', 'other public calls'), async ({ api, own, clock }) => {
  const { challenge } = await fetchChallenge(api)
  const body = own.request(challenge)
  await clock.still()
  const others = Array.from({ length: publicRate.perSecond / 3 }, () => [
    ...offered('keys.list', 'transport.health').map((operation) =>
      api.call(operation, { bearer: null, pace: false }),
    ),
    // Unsigned, and refused for that.
    api.call('auth.xades', { body, pace: false }),
  ])
  await Promise.all(others.flat())
  const calls = Array.from({ length: publicRate.perSecond }, () =>
    api.call('auth.challenge', { pace: false }),
  )
  const answers = await Promise.all(calls)
  const passed = answers.filter(({ status }) => status === 200).length
  expect(passed, 'challenges in a second with other public calls').toBe(publicRate.perSecond)
  await untilFree(api, answers, () => clock.now())
})

test(
  ...rule('auth.challenge.address-limit', 'after other limits'),
  async ({ api, login, clock }) => {
    const me = await login()
    const changes = {
      "production's limits": () => me.api.call('testdata.productionRateLimits'),
      'wide limits': () => setRates(me.api, {}),
      'its own limits again': () => me.api.call('testdata.restoreRateLimits'),
    }
    for (const [what, change] of Object.entries(changes)) {
      await change()
      await clock.still()
      const answers = await burst(api, publicRate.perSecond + 5)
      expect(
        passedOf(answers),
        `accepted calls in a second, after a context was given ${what}`,
      ).toBe(publicRate.perSecond)
      await untilFree(api, answers, () => clock.now())
    }
  },
)

test(...rule('auth.challenge.address-limit', 'after attempts'), async ({ api, own, clock }) => {
  const { challenge } = await fetchChallenge(api)
  await clock.still()
  const answers = await burst(api, publicRate.perSecond + 1)
  // One is refused, and one begins a login.
  for (const body of [own.request(challenge), await own.document(challenge)])
    await api.call('auth.xades', { body, pace: false })
  const more = await burst(api, publicRate.perSecond + 1)
  expect(passedOf(more), 'challenges beyond the limit, after attempts to log in').toBe(0)
  await untilFree(api, [...answers, ...more], () => clock.now())
})

test(...rule('auth.challenge.address-limit', 'evasion'), async ({ api, clock }) => {
  const calls = publicRate.perSecond + 5
  for (const [what, options] of [
    ['beside different tokens', (n: number) => ({ bearer: `token-${n}` })],
    [
      'beside different stated addresses',
      (n: number) => ({ headers: forwardedBy(`203.0.113.${n + 1}`) }),
    ],
  ] as const) {
    await clock.still()
    const answers = await Promise.all(
      Array.from({ length: calls }, (_, n) =>
        api.call('auth.challenge', { ...options(n), pace: false }),
      ),
    )
    const passed = answers.filter(({ status }) => status === 200).length
    expect(passed, `accepted calls in a second, ${what}`).toBe(publicRate.perSecond)
    await untilFree(api, answers, () => clock.now())
  }
})

test(...rule('auth.challenge.address-limit', 'sliding'), async ({ api, clock }) => {
  await clock.still()
  const { perSecond } = publicRate
  // Both bursts lie within a second, on either side of a full second of the clock.
  const full = (Math.ceil(clock.now() / 1_000) + 1) * 1_000
  await clock.set(full - 400)
  expect(passedOf(await burst(api, perSecond - 1)), 'accepted calls below the limit').toBe(
    perSecond - 1,
  )
  await clock.set(full + 400)
  const answers = await burst(api, perSecond)
  expect(passedOf(answers), 'accepted calls in the next second of the clock').toBe(1)
  await untilFree(api, answers, () => clock.now())
})

const contextOf = ({ context: { type, value } }: ServiceToken) => ({ type, value })

test(...rule('auth.challenge.single-use', 'by service token'), async ({ api, serviceToken }) => {
  const held = await serviceToken()
  const login = { context: contextOf(held), token: held.token }
  const body = await tokenLoginBody(api, login, await fetchChallenge(api))
  const first = await outcomeOfAuthentication(api, await api.call('auth.token', { body }))
  expect(first, 'the first login').toHaveSucceeded('authentication')
  const again = await outcomeOfAuthentication(api, await api.call('auth.token', { body }))
  expect(again).toBeRejected('challenge-invalid')
})
