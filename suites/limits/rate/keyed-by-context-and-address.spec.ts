import { contextKey } from '../../../lib/flows/login.ts'
import { ratedCalls } from '../../../lib/node/rated-calls.ts'
import { kindsBelow } from '../../support/callers/administrators.ts'
import { forwardedBy } from '../../support/service/forwarded.ts'
import { grantInTest } from '../../support/callers/grants.ts'
import { personAt } from '../../support/callers/people.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import { limitedOf, ownRows } from '../../support/service/rated.ts'
import { rule } from '../../support/checks/rule.ts'
import { mintToken } from '../../support/callers/service-token.ts'
import { fields } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

const [home, otherAddress] = ['127.0.0.1', '127.0.0.2']

const windows = [
  ['', 'second'],
  [' over time, minute', 'minute'],
  [' over time, hour', 'hour'],
] as const

for (const [suffix, window] of windows)
  test(
    ...rule('limits.rate.keyed-by-context-and-address', `another context${suffix}`),
    async ({ rated, login, another }) => {
      const { fill, call, operation } = await rated(ratedCalls.default)
      const other = await login({ context: await another() })
      expect(limitedOf(await fill(window)), 'rejected calls within the limits').toBe(0)
      expect(await call()).toBeRefused('rate-limited')
      expect(await other.api.call(operation, { pace: false })).toBeOk()
    },
  )

for (const [suffix, window] of windows)
  test(
    ...rule('limits.rate.keyed-by-context-and-address', `another address${suffix}`),
    async ({ rated, login, own, target, ledger }) => {
      const [first = home, second = otherAddress] = target.addresses
      const me = await login({ address: first })
      const { fill, call, operation } = await rated(ratedCalls.default, me)
      expect(limitedOf(await fill(window)), 'rejected calls within the limits').toBe(0)
      expect(await call()).toBeRefused('rate-limited')
      const identity = { bearer: me.accessToken, context: contextKey(own) }
      const away = target.client(ledger.record, second).with(identity)
      const answers = await Promise.all(
        Array.from({ length: 3 }, () => away.call(operation, { pace: false })),
      )
      expect(limitedOf(answers), 'rejected calls of the same context at another address').toBe(0)
      expect(await call(), 'the first address').toBeRefused('rate-limited')
    },
  )

test(
  ...rule('limits.rate.keyed-by-context-and-address', 'each row'),
  async ({ rated, login, own, another, target, ledger }) => {
    const [first = home, second = otherAddress] = target.addresses
    const me = await login({ address: first })
    const other = await login({ context: await another(), address: first })
    const identity = { bearer: me.accessToken, context: contextKey(own) }
    const away = target.client(ledger.record, second).with(identity)
    for (const id of ownRows(target.dialect)) {
      const { fill, call, operation, options } = await rated(ratedCalls[id], me)
      expect(limitedOf(await fill('second')), `rejected calls of ${id} within its limits`).toBe(0)
      expect(await call(), `one more call of ${id}`).toBeRefused('rate-limited')
      for (const [whose, api] of [
        ['at another address', away],
        ['of another context', other.api],
      ] as const) {
        const answer = await api.call(operation, { ...options, pace: false })
        expect.soft(answer.status, `a call of ${id} ${whose}`).not.toBe(429)
      }
    }
  },
)

for (const [what, byToken] of [
  ['two logins', false],
  ['two logins, one by token', true],
] as const)
  test(...rule('limits.rate.keyed-by-context-and-address', what), async ({ rated, login }) => {
    const { fill, call, operation, me } = await rated(ratedCalls.default)
    // A login may take longer than the second that is used up.
    const again = await login(byToken ? { token: (await mintToken(me)).token } : {})
    expect(limitedOf(await fill('second')), 'rejected calls within the limits').toBe(0)
    const answer = await call(() => again.api.call(operation, { pace: false }))
    expect(answer).toBeRefused('rate-limited')
  })

test(
  ...rule('limits.rate.keyed-by-context-and-address', 'a later login'),
  async ({ rated, api, login }) => {
    const { fill, call, operation, me } = await rated(ratedCalls.queryMetadata)
    expect(limitedOf(await fill('minute')), 'rejected calls within the limits').toBe(0)
    const body = issuedAround(api.now())
    const refreshed = await api.call('auth.refresh', { bearer: me.refreshToken })
    const { token } = (fields(refreshed)['accessToken'] ?? {}) as { readonly token?: string }
    const later = await login({ context: me.context })
    for (const [what, bearer] of Object.entries({
      'the refreshed token': String(token),
      'the later login': later.accessToken,
    })) {
      const answer = await call(() => me.api.call(operation, { pace: false, body, bearer }))
      expect(answer, `a call with ${what}`).toBeRefused('rate-limited')
    }
  },
)

test(
  ...rule('limits.rate.keyed-by-context-and-address', 'two subjects'),
  async ({ rated, api, login, own, rng, target }) => {
    const { fill, call, operation } = await rated(ratedCalls.default)
    const person = personAt(own, rng, target)
    await grantInTest(api, own, person.subject, ['InvoiceRead', 'InvoiceWrite'])
    const other = await login({ context: person.context })
    expect(limitedOf(await fill('second')), 'rejected calls within the limits').toBe(0)
    const answer = await call(() => other.api.call(operation, { pace: false }))
    expect(answer, 'a call of another subject in the context').toBeRefused('rate-limited')
  },
)

for (const [name, value] of Object.entries(forwardedBy(otherAddress))) {
  test(
    ...rule('limits.rate.keyed-by-context-and-address', `forwarded header, ${name}`),
    async ({ rated }) => {
      const { fill, call, me, operation } = await rated(ratedCalls.default)
      expect(limitedOf(await fill('second')), 'rejected calls within the limits').toBe(0)
      const headers = { [name]: value }
      const answer = await call(() => me.api.call(operation, { pace: false, headers }))
      expect(answer).toBeRefused('rate-limited')
    },
  )
}

for (const [kind, loginOf] of kindsBelow)
  test(
    ...rule('limits.rate.keyed-by-context-and-address', `context of another kind, ${kind}`),
    async ({ rated, login, rng, target }) => {
      const owner = await login()
      const me = await loginOf({ me: owner, login, rng, target })
      const { fill, call, operation } = await rated(ratedCalls.default, me)
      expect(limitedOf(await fill('hour')), 'rejected calls within the limits').toBe(0)
      expect(await call()).toBeRefused('rate-limited')
      const { api } = await login()
      const answer = await api.call(operation, { pace: false })
      expect(answer, 'the taxpayer that the context belongs to').toBeOk()
    },
  )
