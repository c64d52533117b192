import { tokensUntil } from '../../contract/environments.ts'
import type { Client } from '../../lib/client.ts'
import { sha256 } from '../../lib/crypto.ts'
import { certificateDer } from '../../lib/der.ts'
import { fetchKeys } from '../../lib/flows/keys.ts'
import type { KeyUsage, PublicKey } from '../../lib/flows/keys.ts'
import { readCertificate } from '../../lib/node/certificate.ts'
import { expectOk } from '../../lib/outcome.ts'
import { expectPublic } from '../support/scenes/bearers.ts'
import { statedIn } from '../support/answers/meaning.ts'
import { midnightAfter } from '../support/steps/midnight.ts'
import { rule } from '../support/checks/rule.ts'
import { expect, test } from '../support/harness/test.ts'
import { invoiceUnder, tokenUnder } from '../support/scenes/under-keys.ts'

type Entry = Readonly<Record<string, string | undefined | null>>

const statesEnd = ({ validTo }: Entry): boolean => validTo !== undefined && validTo !== null

/** Expects the list without credentials, and every field in each of its entries. Returns them. */
const expectEntries = async (api: Client): Promise<readonly Entry[]> => {
  const answer = await api.call('keys.list', { bearer: null })
  expect(answer).toBeOk()
  expect(Array.isArray(answer.body), 'an array of entries').toBe(true)
  const entries = answer.body as readonly Entry[]
  expect(entries, 'at least one entry').not.toEqual([])
  for (const entry of entries) {
    const { usage, certificate, validFrom, validTo } = entry
    expect(usage, 'usage of an entry').toContainEqual(expect.stringMatching(/\S/))
    expect(certificate, 'certificate of an entry').toEqual(expect.stringMatching(/\S/))
    expect(Date.parse(validFrom ?? ''), 'validFrom of an entry').not.toBeNaN()
    // It is stated where it is available.
    if (statesEnd(entry)) expect(Date.parse(validTo ?? ''), 'validTo of an entry').not.toBeNaN()
  }
  return entries
}

test(...rule('keys.list.public'), async ({ api }) => {
  await expectEntries(api)
  await expectPublic(api, 'keys.list')
})

test(...rule('keys.list.public', 'during a rotation'), async ({ api, target }) => {
  for (const usage of ['SvcTokenEncryption', 'SymmetricKeyEncryption']) {
    const before = await expectEntries(api)
    await target.management?.rotateKeys(usage, 24 * 3600 * 1000)
    const during = await expectEntries(api)
    expect(during.length, `entries after a rotation of ${usage}`).toBeGreaterThan(before.length)
    // An end that can be stated of a key can be stated of the one that replaces it.
    if (before.every(statesEnd))
      expect(during.map(statesEnd), 'entries that state their end').toEqual(during.map(() => true))
  }
})

/** The entries of a usage that are valid now. */
const validFor = async (usage: KeyUsage, api: Client, now: number): Promise<PublicKey[]> =>
  (await fetchKeys(api)).filter(
    (key) => key.usage.includes(usage) && key.validFrom <= now && now <= key.validTo,
  )

const usages = ['SvcTokenEncryption', 'SymmetricKeyEncryption'] as const satisfies KeyUsage[]

for (const usage of usages) {
  test(...rule('keys.list.usages', usage), async ({ api, target }) => {
    const valid = await validFor(usage, api, target.now())
    expect(valid.length, `entries of ${usage} that are valid now`).toBeGreaterThan(0)
    for (const key of await fetchKeys(api)) expect(key.usage, 'one or more usages').not.toEqual([])
  })
}

test(...rule('keys.list.usages', 'rotations'), async ({ api, target, clock }) => {
  const expectOffered = async (when: string) => {
    const listed = await fetchKeys(api)
    for (const { usage } of listed) {
      expect(usage, `one or more usages, ${when}`).not.toEqual([])
      expect(usages, `a usage that is specified, ${when}`).toEqual(
        expect.arrayContaining([...usage]),
      )
    }
    for (const usage of usages)
      expect(
        (await validFor(usage, api, target.now())).length,
        `entries of ${usage} that are valid now, ${when}`,
      ).toBeGreaterThan(0)
  }
  for (const usage of usages) {
    await target.management?.rotateKeys(usage, 3_600_000)
    await expectOffered(`as the key for ${usage} is replaced`)
    await clock.advance(3_660_000)
    await expectOffered(`once the key for ${usage} was replaced`)
  }
})

// The list is public: who calls makes no difference.
test(...rule('keys.list.usages', 'for every caller'), async ({ login, api }) => {
  const me = await login()
  const listed = async (bearer: string | null) =>
    statedIn(await api.call('keys.list', { bearer }), 'list the keys')
  const shown = await listed(null)
  for (const bearer of [me.accessToken, me.refreshToken, 'rubbish'])
    expect(await listed(bearer), 'the list beside a token').toEqual(shown)
})

const aDay = 24 * 3_600_000

// Service tokens are valid, and logins by them accepted, to the end of that day.
test(...rule('keys.list.usages', 'until the end of tokens'), async ({ api, target, clock }) => {
  const end = midnightAfter(Date.parse(tokensUntil), 'Warsaw')
  for (const left of [60 * aDay, 31 * aDay, 7 * aDay, aDay, 3_600_000, 60_000]) {
    if (end - left <= clock.now()) continue
    await clock.set(end - left)
    for (const usage of usages) {
      const valid = await validFor(usage, api, target.now())
      expect(valid.length, `entries of ${usage}, ${left} ms before the end`).toBeGreaterThan(0)
    }
  }
})

for (const usage of usages)
  test(
    ...rule('keys.list.usages', `rotations, several of ${usage} at a time`),
    async ({ api, target }) => {
      const ids = new Set<string | undefined>()
      for (let count = 1; count <= 6; count += 1) {
        await target.management?.rotateKeys(usage, 24 * 3_600_000)
        for (const one of usages) {
          const valid = await validFor(one, api, target.now())
          expect(valid.length, `entries of ${one} after ${count} rotations`).toBeGreaterThan(0)
          for (const { certificate } of valid) ids.add(certificate)
        }
      }
      const listed = (await fetchKeys(api)).map(({ certificate }) => certificate)
      expect(listed, 'every key whose overlap goes on').toEqual(expect.arrayContaining([...ids]))
    },
  )

// A caller may choose any entry of a usage: what it states is what the service opens with it.
test(
  ...rule('keys.list.usages', 'SymmetricKeyEncryption, each entry'),
  async ({ login, target, invoice }) => {
    const { api } = await login()
    for (const key of await validFor('SymmetricKeyEncryption', api, target.now())) {
      const outcome = await invoiceUnder(api, invoice().bytes, [key])
      expect(outcome, `under the key of ${key.usage.join(', ')}`).toHaveSucceeded('invoice')
    }
  },
)

test(
  ...rule('keys.list.usages', 'SvcTokenEncryption, each entry'),
  async ({ api, serviceToken, target }) => {
    const login = await serviceToken()
    for (const key of await validFor('SvcTokenEncryption', api, target.now())) {
      const outcome = await tokenUnder(api, login, [key])
      expect(outcome, `under the key of ${key.usage.join(', ')}`).toHaveSucceeded('authentication')
    }
  },
)

/** Certificates store times in whole seconds. */
const toTheSecond = (ms: number): string =>
  Number.isFinite(ms) ? new Date(Math.floor(ms / 1000) * 1000).toISOString() : String(ms)

/** Base64 of DER as RFC 4648 has it, in lines or not, or PEM. */
const standardBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Expects each listed certificate to parse, and to have the listed dates and key. */
const expectParsed = async (api: Client): Promise<void> => {
  for (const key of await fetchKeys(api)) {
    const text = key.certificate.replaceAll(/-----(?:BEGIN|END) CERTIFICATE-----|\s/g, '')
    expect(text, 'the certificate as PEM or Base64').toMatch(standardBase64)
    const facts = readCertificate(key.certificate)
    const [from, to] = [toTheSecond(facts.validFrom), toTheSecond(facts.validTo)]
    expect(toTheSecond(key.validFrom), 'validFrom of the entry').toBe(from)
    if (key.validTo !== Infinity) expect(toTheSecond(key.validTo), 'validTo of the entry').toBe(to)
    if (key.publicKeyId !== undefined)
      expect(key.publicKeyId, 'the SHA-256 of the key').toBe(facts.publicKeyId)
  }
}

test(...rule('keys.list.certificates-parse', 'parses'), async ({ api }) => expectParsed(api))

test(
  ...rule('keys.list.certificates-parse', 'parses during a rotation'),
  async ({ api, target }) => {
    const before = (await fetchKeys(api)).length
    for (const usage of ['SvcTokenEncryption', 'SymmetricKeyEncryption']) {
      // Certificates hold whole seconds: those of one second have the same dates.
      await api.sleep(1_100)
      await target.management?.rotateKeys(usage, 24 * 3600 * 1000)
    }
    expect((await fetchKeys(api)).length, 'entries during the overlap').toBeGreaterThan(before)
    await expectParsed(api)
  },
)

test(...rule('keys.list.certificates-parse', 'id'), async ({ api }) => {
  const answer = expectOk(await api.call('keys.list'), 'list the keys')
  const entries = answer.body as readonly { certificate: string; certificateId?: string }[]
  test.skip(
    entries.every(({ certificateId }) => certificateId === undefined),
    'the target reports no certificate ids',
  )
  for (const { certificate, certificateId } of entries) {
    const der = certificateDer(api.codec, certificate)
    expect(certificateId, 'the SHA-256 of the certificate').toBe(
      api.codec.base64(await sha256(der)),
    )
  }
})

test(...rule('keys.list.certificates-parse', 'key size'), async ({ api }) => {
  for (const key of await fetchKeys(api)) {
    const { keyType, keyBits } = readCertificate(key.certificate)
    expect(keyType, 'type of key').toBe('rsa')
    expect(keyBits, 'bits of the key').toBeGreaterThanOrEqual(2048)
  }
})

for (const path of [
  '/security/public-key',
  '/security/public-key/pem',
  '/common/public-key',
] as const) {
  test(...rule('keys.list.previous-version-absent', path), async ({ login }) => {
    const { api } = await login()
    for (const [who, headers] of [
      ['a caller without a login', {}],
      ['a caller who is logged in', { authorization: `Bearer ${api.identity.bearer}` }],
    ] as const) {
      const answer = await api.request('GET', path, { bearer: null, headers })
      expect(answer, `${path} of the previous major version, for ${who}`).toBeRefusedWith(404)
    }
  })
}

const productionStart = Date.parse('2026-02-01T00:00:00+01:00')

/** Every later instant counts, whatever its hour, day, month and year are when each is read alone. */
const laterInstants: readonly number[] = [
  // Each day of a month, and among them each hour of the day.
  ...Array.from(
    { length: 31 },
    (_, day) => productionStart + day * aDay + (day % 24) * 3600 * 1000 + 1_000,
  ),
  ...[
    '2026-03-29T01:00:00Z', // Summer time begins.
    '2026-04-30T23:30:00+02:00',
    '2026-10-25T00:59:59Z', // Summer time ends.
    '2026-12-31T23:59:59+01:00',
    '2027-01-01T00:00:01+01:00',
    '2027-01-31T12:00:00+01:00',
    '2028-01-15T12:00:00+01:00',
    '2028-02-29T12:00:00+01:00',
    '2030-01-01T12:00:00+01:00',
  ].map((text) => Date.parse(text)),
]

for (const environment of ['production', 'demo'] as const)
  test(...rule('keys.list.production-calendar', environment), async ({ inEnvironment, ledger }) => {
    const target = await inEnvironment(environment)
    const api = target.client(ledger.record)
    await target.management?.set(productionStart - 60_000)
    const before = await api.call('keys.list')
    expect(before).toBeOk()
    const entries = expect(before.body, 'entries before 1 February 2026')
    if (environment === 'production') entries.toEqual([])
    else entries.not.toEqual([])
    const days = 24 * 3_600_000
    for (const [when, later] of [
      ['from 1 February 2026 on', 60_000],
      ['months later', 200 * days],
      ['in the next year', 400 * days],
    ] as const) {
      await target.management?.set(productionStart + later)
      for (const usage of usages) {
        const valid = await validFor(usage, api, target.now())
        expect(valid.length, `entries of ${usage} ${when}`).toBeGreaterThan(0)
      }
    }
  })

test(
  ...rule('keys.list.production-calendar', 'production, ever after'),
  async ({ inEnvironment, ledger }) => {
    const target = await inEnvironment('production')
    const api = target.client(ledger.record)
    for (const at of laterInstants) {
      await target.management?.set(at)
      const listed = (await fetchKeys(api)).flatMap(({ usage }) => usage)
      const when = `usages that are listed at ${new Date(at).toISOString()}`
      expect(listed, when).toEqual(
        expect.arrayContaining(['SvcTokenEncryption', 'SymmetricKeyEncryption']),
      )
    }
  },
)
