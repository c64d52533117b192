import type { Client } from '../../lib/client.ts'
import {
  contextKey,
  fetchChallenge,
  finishLogin,
  readStarted,
  refreshAccess,
  tokenLoginBody,
} from '../../lib/flows/login.ts'
import type { Login } from '../../lib/flows/login.ts'
import { openOnline, submissionBody } from '../../lib/flows/session.ts'
import type { OwnContext } from '../support/service/contexts.ts'
import { issuedAround } from '../support/steps/filters.ts'
import { forwardedBy } from '../support/service/forwarded.ts'
import { formCodes } from '../support/checks/forms.ts'
import { harmless } from '../support/steps/harmless.ts'
import type { Ledger } from '../support/run/ledger.ts'
import { notOffered } from '../support/run/not-offered.ts'
import { taking } from '../support/service/offered.ts'
import { rule } from '../support/checks/rule.ts'
import { fields } from '../support/steps/steps.ts'
import type { Target } from '../support/service/target.ts'
import { expect, test } from '../support/harness/test.ts'

/** Tokens that are restricted to source addresses. */

/** An address of this machine, and the IPv4 address that the service sees, as a number. */
interface Origin {
  readonly address: string
  readonly seen: number
}

type Origins = readonly [home: Origin, near: Origin, far: Origin]

const numberOf = (address: string): number =>
  address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

const textOf = (address: number): string =>
  [24, 16, 8, 0].map((bits) => Math.floor(address / 2 ** bits) % 256).join('.')

/** The first two addresses and the last one. Behind a proxy the service sees others, which a challenge reports. */
const originsOf = async ({ addresses, profile, client }: Target, ledger: Ledger) => {
  const originOf = async (address = ''): Promise<Origin> => {
    const seen =
      profile.addresses === undefined
        ? address
        : fields(await client(ledger.record, address).call('auth.challenge'))['clientIp']
    if (typeof seen !== 'string' || !/^\d+(\.\d+){3}$/.test(seen))
      throw notOffered('ips', `the service reports no IPv4 address for calls from ${address}`)
    return { address, seen: numberOf(seen) }
  }
  const [home, near, far] = [addresses[0], addresses[1], addresses.at(-1)]
  const origins: Origins = [await originOf(home), await originOf(near), await originOf(far)]
  if (origins[0].seen === origins[1].seen)
    throw notOffered('ips', 'the service sees all source addresses as one')
  return origins
}

/** What a login may be restricted to. */
interface Policy {
  readonly addresses?: readonly number[]
  readonly ranges?: readonly (readonly [from: number, to: number])[]
  /** Networks, by any of their addresses. */
  readonly masks?: readonly (readonly [address: number, bits: number])[]
}

const networkOf = (address: number, bits: number): number => Math.floor(address / 2 ** (32 - bits))

/** A network, written with the first of its addresses or another one. */
const networkAt = (address: number, bits: number, place = 0): readonly [number, number] => [
  networkOf(address, bits) * 2 ** (32 - bits) + place,
  bits,
]

const allows = ({ addresses = [], ranges = [], masks = [] }: Policy, address: number): boolean =>
  addresses.includes(address) ||
  ranges.some(([from, to]) => from <= address && address <= to) ||
  masks.some(([network, bits]) => networkOf(network, bits) === networkOf(address, bits))

const writtenOf = ({ addresses = [], ranges = [], masks = [] }: Policy) => ({
  addresses: addresses.map(textOf),
  ranges: ranges.map(([from, to]) => `${textOf(from)}-${textOf(to)}`),
  masks: masks.map(([address, bits]) => `${textOf(address)}/${bits}`),
})

interface Bound {
  readonly login: Login
  readonly at: (address: string) => Client
  readonly origins: Origins
}

const judged = async ({ login, at, origins }: Bound, context: OwnContext, policy: Policy) => {
  const allowed = origins.filter(({ seen }) => allows(policy, seen))
  const from = allowed[0] ?? origins[0]
  const renewed = () => refreshAccess(at(from.address), login.refreshToken)
  for (const [what, bearerOf] of [
    ['', () => Promise.resolve(login.accessToken)],
    [', with a refreshed token', async () => (await renewed()).accessToken],
  ] as const) {
    const identity = { bearer: await bearerOf(), context: contextKey(context) }
    for (const origin of origins) {
      const { address } = origin
      const answer = await at(address).with(identity).call('limits.context')
      if (allowed.includes(origin)) expect(answer, `a call from ${address}${what}`).toBeOk()
      else expect(answer, `${address}${what}`).toBeRefused('address-not-allowed')
    }
  }
}

const lower = numberOf('9.0.0.1')
const unused = numberOf('127.0.0.9')
const elsewhere = [unused, unused] as const

const policies = [
  ['one address', (_, near) => ({ addresses: [near] })],
  ['one address, of several', (home, near) => ({ addresses: [near, home] })],
  ['address range', (_, near) => ({ ranges: [[near, near + 1]] })],
  [
    'address range, last address',
    (_, near, far) => ({ ranges: [[Math.min(near, far), Math.max(near, far)]] }),
  ],
  ['address range, of other lengths', (_, near) => ({ ranges: [[lower, near]] })],
  ['network', (home) => ({ masks: [networkAt(home, 30)] })],
  ['network, named by its last address', (home) => ({ masks: [networkAt(home, 30, 3)] })],
  ['network, of one address', (_, __, far) => ({ masks: [[far, 32]] })],
  // Computed with 32-bit integers, these prefix lengths yield negative numbers or zero.
  ['network, of every address', (home) => ({ masks: [networkAt(home, 0)] })],
  ['network, of half of them', (home) => ({ masks: [networkAt(home, 1)] })],
  ['network, of 8 bits', (home) => ({ masks: [networkAt(home, 8)] })],
  ['network, of 8 bits elsewhere', () => ({ masks: [networkAt(lower, 8)] })],
  [
    'address range, of several',
    (_, near, far) => ({
      ranges: [
        [unused, unused],
        [near, near],
        [far, far],
      ],
    }),
  ],
  [
    'network, of several',
    (_, near, far) => ({
      masks: [
        [unused, 32],
        [near, 32],
        [far, 32],
      ],
    }),
  ],
  ['combined, an address and a range', (_, near) => ({ addresses: [near], ranges: [elsewhere] })],
  [
    'combined, an address and a network',
    (_, near) => ({ addresses: [near], masks: [[unused, 32]] }),
  ],
  ['combined, a range and a network', (_, near) => ({ ranges: [elsewhere], masks: [[near, 32]] })],
  [
    'combined',
    (home, _, far) => ({
      addresses: [home],
      ranges: [[unused, unused]],
      masks: [networkAt(far, 31)],
    }),
  ],
] as const satisfies readonly (readonly [
  string,
  (home: number, near: number, far: number) => Policy,
])[]

const policyFor = (
  make: (home: number, near: number, far: number) => Policy,
  [home, near, far]: Origins,
): Policy => make(home.seen, near.seen, far.seen)

/** Logs in with a document that restricts the login. */
const restricted = async (
  api: Client,
  own: OwnContext,
  policy: Policy,
  form: 'enveloped' | 'enveloping' = 'enveloped',
): Promise<Login> => {
  const { challenge } = await fetchChallenge(api)
  const body = await own.document(challenge, { allowedIps: writtenOf(policy), form })
  return finishLogin(api, readStarted(await api.call('auth.xades', { body }), 'authenticate'))
}

for (const [what, make] of policies) {
  test(...rule('auth.address-policy', what), async ({ api, own, target, ledger }) => {
    const origins = await originsOf(target, ledger)
    const policy = policyFor(make, origins)
    const login = await restricted(api, own, policy)
    const at = (address: string) => target.client(ledger.record, address)
    await judged({ login, at, origins }, own, policy)
  })
}

for (const [what, make] of policies.filter(([name]) => !name.includes(' bits')))
  test(
    ...rule('auth.address-policy', `service token, ${what}`),
    async ({ api, serviceToken, target, ledger }) => {
      const origins = await originsOf(target, ledger)
      const policy = policyFor(make, origins)
      const { context, token } = await serviceToken()
      const { type, value } = context
      const asked = await tokenLoginBody(
        api,
        { context: { type, value }, token },
        await fetchChallenge(api),
      )
      const { addresses, ranges, masks } = writtenOf(policy)
      const allowedIps = { ip4Addresses: addresses, ip4Ranges: ranges, ip4Masks: masks }
      const body = { ...asked, authorizationPolicy: { allowedIps } }
      const started = readStarted(await api.call('auth.token', { body }), 'authenticate')
      const login = await finishLogin(api, started)
      const at = (address: string) => target.client(ledger.record, address)
      await judged({ login, at, origins }, context, policy)
    },
  )

test(
  ...rule('auth.address-policy', 'several logins'),
  async ({ api, own, login, target, ledger }) => {
    const [home, near] = await originsOf(target, ledger)
    const identity = ({ accessToken }: Login) => ({ bearer: accessToken, context: contextKey(own) })
    const before = await login()
    const first = await restricted(api, own, { addresses: [home.seen] })
    const between = await login()
    const second = await restricted(api, own, { addresses: [near.seen] }, 'enveloping')
    const after = await login()
    for (const [what, one, allowed] of [
      ['restricted to one address', first, [home]],
      ['restricted to another', second, [near]],
      ['before them', before, [home, near]],
      ['between them', between, [home, near]],
      ['after them', after, [home, near]],
    ] as const)
      for (const origin of [home, near]) {
        const mine = target.client(ledger.record, origin.address).with(identity(one))
        const answer = await mine.call('limits.context', { pace: true })
        const text = `a call from ${origin.address} by a login ${what}`
        if (allowed.some((other) => other === origin)) expect(answer, text).toBeOk()
        else expect(answer, text).toBeRefused('address-not-allowed')
      }
  },
)

test(...rule('auth.address-policy', 'forwarded header'), async ({ api, own, target, ledger }) => {
  const [home, near] = await originsOf(target, ledger)
  const { accessToken } = await restricted(api, own, { addresses: [home.seen] })
  const identity = { bearer: accessToken, context: contextKey(own) }
  const from = ({ address }: Origin) => target.client(ledger.record, address).with(identity)
  for (const [name, value] of Object.entries(forwardedBy(textOf(home.seen)))) {
    const answer = await from(near).call('limits.context', { headers: { [name]: value } })
    expect.soft(answer, `${name} from another address`).toBeRefused('address-not-allowed')
  }
  for (const [name, value] of Object.entries(forwardedBy(textOf(near.seen)))) {
    const answer = await from(home).call('limits.context', { headers: { [name]: value } })
    expect.soft(answer, `${name} from the address of the login`).toBeOk()
  }
})

test(
  ...rule('auth.address-policy', 'all operations'),
  async ({ api, own, invoice, target, ledger }) => {
    const [home, near] = await originsOf(target, ledger)
    const { accessToken } = await restricted(api, own, { addresses: [home.seen] })
    const identity = { bearer: accessToken, context: contextKey(own) }
    const from = ({ address }: Origin) => target.client(ledger.record, address).with(identity)
    for (const operation of taking('access', 'refresh-or-access')) {
      const answer = await from(near).call(operation, harmless(operation))
      expect.soft(answer, `${operation} from another address`).toBeRefused('address-not-allowed')
    }
    const mine = from(home)
    for (const operation of ['sessions.list', 'auth.sessions', 'limits.context'] as const) {
      const answer = await mine.call(operation, { ...harmless(operation), pace: true })
      expect(answer, `${operation} from the address of the login`).toBeOk()
    }
    const body = issuedAround(target.now())
    expect(await mine.call('queries.metadata', { body }), 'a search from there').toBeOk()
    const session = await openOnline(mine, { formCode: formCodes.fa3 })
    const submission = await mine.call('invoices.submit', {
      path: { referenceNumber: session.referenceNumber },
      body: await submissionBody(mine, session, invoice().bytes),
    })
    expect(submission, 'a submission from there').toBeOk()
  },
)
