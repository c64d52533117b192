import { constants, publicEncrypt } from 'node:crypto'
import { encryptFor, fetchKeys } from '../../../lib/flows/keys.ts'
import type { PublicKey } from '../../../lib/flows/keys.ts'
import { fetchChallenge, readStarted, settleAuthentication } from '../../../lib/flows/login.ts'
import { Inconclusive } from '../../../lib/outcome.ts'
import type { Fixtures } from '../../support/harness/fixtures.ts'
import { encryptOaep, publicKeyFor, publicKeyIn } from '../../support/documents/oaep.ts'
import type { OaepForm } from '../../support/documents/oaep.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { outcomeOfAuthentication } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** What a service reads of an encrypted service token: the text `token|milliseconds`, under each key that it lists. */

type Plain = (token: string, time: number) => string

/** The milliseconds, and something else that a lenient parser of numbers stops at or skips. */
const behindTheTime = (...more: readonly string[]): Readonly<Record<string, Plain>> =>
  Object.fromEntries(
    more.map((text) => [
      `${JSON.stringify(text)} behind the time`,
      (token, time) => `${token}|${time}${text}`,
    ]),
  )

const beforeTheTime = (...more: readonly string[]): Readonly<Record<string, Plain>> =>
  Object.fromEntries(
    more.map((text) => [
      `${JSON.stringify(text)} before the time`,
      (token, time) => `${token}|${text}${time}`,
    ]),
  )

/** Texts that are not `token|milliseconds`, though a lenient service may find token and time in them. */
const readings: Readonly<Record<string, Readonly<Record<string, Plain>>>> = {
  'times in another form': {
    seconds: (token, time) => `${token}|${Math.floor(time / 1000)}`,
    'seconds with a fraction': (token, time) => `${token}|${(time / 1000).toFixed(3)}`,
    microseconds: (token, time) => `${token}|${time}000`,
    'ISO 8601': (token, time) => `${token}|${new Date(time).toISOString()}`,
    'two times': (token, time) => `${token}|${time}|${Math.floor(time / 1000)}`,
  },
  'token and time put together otherwise': {
    'the time first': (token, time) => `${time}|${token}`,
    'a colon': (token, time) => `${token}:${time}`,
    'a semicolon': (token, time) => `${token};${time}`,
    'a space': (token, time) => `${token} ${time}`,
    JSON: (token, timestamp) => JSON.stringify({ token, timestamp }),
    'encoded twice': (token, time) => Buffer.from(`${token}|${time}`).toString('base64'),
  },
  'times with more around their digits': {
    ...behindTheTime(
      '\n',
      '\r\n',
      ' ',
      '\t',
      '\0',
      '.5',
      '.0',
      ',5',
      'Z',
      'ms',
      'n',
      '+0200',
      ' now',
      '|',
    ),
    ...beforeTheTime('\n', ' ', '\t', '\0', '\u00a0', '+', '-', '0', '000'),
  },
  'texts with more around them': {
    ...Object.fromEntries(
      ['\n', ' ', '\t', '\0', '"', '|'].flatMap((more) => [
        [`${JSON.stringify(more)} before the token`, (token, time) => `${more}${token}|${time}`],
        [`${JSON.stringify(more)} behind the token`, (token, time) => `${token}${more}|${time}`],
      ]),
    ),
    'in quotation marks': (token, time) => `"${token}|${time}"`,
  },
}

for (const [what, texts] of Object.entries(readings))
  test(
    ...familyRule('auth.token.plaintext-form', 'reading of a service token', what),
    async ({ api, serviceToken }) => {
      const { token, context } = await serviceToken()
      const contextIdentifier = { type: context.type, value: context.value }
      const keys = await fetchKeys(api)
      const enter = async (plain: Plain) => {
        const { challenge, timestamp } = await fetchChallenge(api)
        const bytes = api.codec.utf8(plain(token, timestamp))
        const { encrypted } = await encryptFor(api, 'SvcTokenEncryption', bytes, keys)
        const body = { challenge, contextIdentifier, encryptedToken: encrypted }
        return api.call('auth.token', { body })
      }
      const answers = await Promise.all(
        Object.entries(texts)
          // What does not fit into one RSA operation cannot be sent.
          .filter(([, plain]) => plain(token, api.now()).length <= 190)
          .map(async ([name, plain]) => [name, await enter(plain)] as const),
      )
      expect(answers.length, 'readings that were tried').toBeGreaterThan(2)
      for (const [name, answer] of answers)
        expect.soft(await outcomeOfAuthentication(api, answer), name).toBeRejected('token-refused')
    },
  )

/** RSAES-OAEP in another form, with what the specification names of it: SHA-256, MGF1, and no label. */
const envelopes: Readonly<Record<string, OaepForm>> = {
  'MGF1 with SHA-1': { hash: 'sha256', maskHash: 'sha1' },
  'SHA-1, MGF1 with SHA-256': { hash: 'sha1', maskHash: 'sha256' },
  'SHA-384': { hash: 'sha384', maskHash: 'sha384' },
  'SHA-512': { hash: 'sha512', maskHash: 'sha512' },
  'a label': { hash: 'sha256', maskHash: 'sha256', label: 'token' },
}

test(
  ...familyRule(
    'auth.token.wrong-encryption-refused',
    'service token in another envelope',
    'another OAEP',
  ),
  async ({ api, serviceToken }) => {
    const { token, context } = await serviceToken()
    const publicKey = await publicKeyFor(api, 'SvcTokenEncryption')
    const enter = async (form: OaepForm) => {
      const { challenge, timestamp } = await fetchChallenge(api)
      const encrypted = encryptOaep(publicKey, Buffer.from(`${token}|${timestamp}`), form)
      const body = {
        challenge,
        contextIdentifier: { type: context.type, value: context.value },
        encryptedToken: encrypted.toString('base64'),
      }
      return outcomeOfAuthentication(api, await api.call('auth.token', { body }))
    }
    const room = 256 - 2 - 2 * 64
    for (const [what, form] of Object.entries(envelopes)) {
      if (form.hash === 'sha512' && token.length + 14 > room) continue
      expect.soft(await enter(form), what).toBeRejected('token-refused')
    }
    const right = await enter({ hash: 'sha256', maskHash: 'sha256' })
    expect(right, 'as specified').toHaveSucceeded('authentication')
  },
)

const hour = 3_600_000

/** More ciphertexts than it takes: one of 256 begins with a zero byte. */
const maxTries = 5_000

/** A ciphertext whose first byte is zero: read as a number, it would lose that byte. */
const withLeadingZero = (api: Fixtures['api'], listed: PublicKey, plain: string) => {
  const key = publicKeyIn(api, listed)
  const padding = constants.RSA_PKCS1_OAEP_PADDING
  for (let tries = 0; tries < maxTries; tries += 1) {
    const bytes = publicEncrypt({ key, padding, oaepHash: 'sha256' }, Buffer.from(plain))
    if (bytes[0] === 0) return bytes.toString('base64')
  }
  throw new Inconclusive('encrypt a service token', 'a ciphertext that begins with a zero byte')
}

test(
  ...familyRule(
    'auth.token.plaintext-form',
    'service token under a listed key',
    'the older ones too',
  ),
  async ({ api, serviceToken, target }) => {
    const { token, context } = await serviceToken()
    // Together, because it takes long to make a key.
    const rotate = (overlap: number) => target.management?.rotateKeys('SvcTokenEncryption', overlap)
    await Promise.all([rotate(3 * hour), rotate(2 * hour)])
    // A service that ran on may list keys of earlier rotations too.
    const listed = (await fetchKeys(api))
      .filter(({ usage }) => usage.includes('SvcTokenEncryption'))
      .toSorted((one, other) => other.validFrom - one.validFrom)
      .slice(0, 3)
    expect(listed, 'keys that are listed together').toHaveLength(3)
    const started = []
    for (const [place, key] of listed.entries())
      for (const named of [false, true]) {
        if (named && key.publicKeyId === undefined) continue
        const { challenge, timestamp } = await fetchChallenge(api)
        const body = {
          challenge,
          contextIdentifier: { type: context.type, value: context.value },
          encryptedToken: withLeadingZero(api, key, `${token}|${timestamp}`),
          ...(named && { publicKeyId: key.publicKeyId }),
        }
        const answer = await api.call('auth.token', { body })
        const what = `under entry ${place + 1}, ${named ? 'named' : 'not named'}`
        expect(answer, what).toBeOk()
        started.push([what, readStarted(answer, 'log in')] as const)
      }
    for (const [what, one] of started)
      expect(await settleAuthentication(api, one), what).toHaveSucceeded('authentication')
  },
)
