import { createHash } from 'node:crypto'
import type { Exchange } from '../../../lib/exchange.ts'

/**
 * What probably went wrong, from what was expected and received and from the calls of the check. It decides nothing:
 * the verdict is the same without it. Each row is one mistake that integrators and services make.
 */

export interface Seen {
  readonly expected: string
  readonly actual: string
  readonly exchanges: readonly Exchange[]
}

/** What is wrong, as a sentence; undefined where it is something else. */
type Mistake = (seen: Seen) => string | undefined

const when =
  (text: string, holds: (seen: Seen) => boolean): Mistake =>
  (seen) =>
    holds(seen) ? text : undefined

const sha256 = (bytes: Uint8Array | string, encoding: 'base64' | 'hex' = 'base64'): string =>
  createHash('sha256').update(bytes).digest(encoding)

const hash = /^[A-Za-z0-9+/]{43}=$/
const isHash = (text: string): boolean => hash.test(text)
const hexOf = (base64: string): string => Buffer.from(base64, 'base64').toString('hex')

/** The texts and bytes that a call sent and got, with what they are. */
const contents = function* (exchanges: readonly Exchange[]): Generator<[string, Buffer]> {
  for (const { request, bytes } of exchanges.slice(-20)) {
    yield ['the whole response', Buffer.from(bytes)]
    if (request.body === undefined) continue
    const sent = Buffer.from(request.body)
    yield ['the whole request', sent]
    for (const [, name = '', text = ''] of sent
      .toString('utf8')
      .matchAll(/"(\w+)"\s*:\s*"([A-Za-z0-9+/=]{40,})"/g)) {
      yield [`the Base64 text of ${name}`, Buffer.from(text)]
      const decoded = Buffer.from(text, 'base64')
      yield [
        name.startsWith('encrypted') ? `the encrypted content (${name})` : `the bytes of ${name}`,
        decoded,
      ]
    }
  }
}

const bom = Buffer.from([0xef, 0xbb, 0xbf])
const hasBom = (bytes: Buffer): boolean => bytes.subarray(0, 3).equals(bom)

/** The same content as software changes it on the way. */
const rewritten = function* (bytes: Buffer): Generator<[string, Buffer]> {
  yield ['', bytes]
  yield hasBom(bytes)
    ? [' without its byte order mark', bytes.subarray(3)]
    : [' with a byte order mark', Buffer.concat([bom, bytes])]
  const text = bytes.toString('latin1')
  yield [' with CRLF line ends', Buffer.from(text.replaceAll(/\r?\n/g, '\r\n'), 'latin1')]
  yield [' with LF line ends', Buffer.from(text.replaceAll('\r\n', '\n'), 'latin1')]
  yield [' without white space at its ends', Buffer.from(text.trim(), 'latin1')]
}

const hashedContent = ({ expected, actual, exchanges }: Seen): string | undefined => {
  if (!isHash(expected) || !isHash(actual)) return undefined
  for (const [what, bytes] of contents(exchanges))
    for (const [how, changed] of rewritten(bytes))
      if (sha256(changed) === actual) return `The hash is that of ${what}${how}`
  return undefined
}

const number = /^-?\d+(\.\d+)?$/
const numbers = ({ expected, actual }: Seen): readonly [number, number] | undefined =>
  number.test(expected) && number.test(actual) ? [Number(expected), Number(actual)] : undefined

const ofNumbers =
  (holds: (expected: number, actual: number) => boolean) =>
  (seen: Seen): boolean => {
    const both = numbers(seen)
    return both !== undefined && holds(...both)
  }

const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/
const offset = /(Z|[+-]\d{2}:?\d{2})$/
const hourMs = 3_600_000
const millisecondsFrom = 1_000_000_000_000

const timesApart = ({ expected, actual }: Seen): number | undefined => {
  if (!instant.test(expected) || !instant.test(actual)) return undefined
  const utc = (text: string) => Date.parse(offset.test(text) ? text : `${text}Z`)
  return utc(actual) - utc(expected)
}

const wrongHours = (seen: Seen): string | undefined => {
  const difference = timesApart(seen)
  if (difference === undefined) return undefined
  const hours = Math.round(difference / hourMs)
  const near = Math.abs(difference - hours * hourMs) < 2_000
  if (!near || hours === 0 || Math.abs(hours) > 14) return undefined
  return `The time is off by ${Math.abs(hours)} h: local time stands where UTC is meant, or the offset is lost`
}

/** The values differ, but are equal once both are changed in the same way. */
const sameBut =
  (change: (text: string) => string) =>
  ({ expected, actual }: Seen): boolean =>
    expected !== actual && change(expected) === change(actual)

const standardBase64 = (text: string): string =>
  text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')

const list = /^\[\s*([\s\S]*?)\s*\]$/
const entries = (text: string): string[] => list.exec(text)?.[1]?.split(/,\s*/).toSorted() ?? []

const sameEntries = (expected: string, actual: string): boolean => {
  const wanted = entries(expected)
  return wanted.length > 1 && JSON.stringify(wanted) === JSON.stringify(entries(actual))
}

const lastOf = ({ exchanges }: Seen): Exchange | undefined => exchanges.at(-1)

/** The first row that fits is reported, so the specific ones come first. */
const mistakes: Readonly<Record<string, Mistake>> = {
  'hash in hexadecimal': when(
    'The hash is in hexadecimal; Base64 is expected',
    ({ expected, actual }) => isHash(expected) && actual.toLowerCase() === hexOf(expected),
  ),
  'hash encoded twice': when(
    'The hash is the Base64 of its hexadecimal form',
    ({ expected, actual }) =>
      isHash(expected) && Buffer.from(actual, 'base64').toString() === hexOf(expected),
  ),
  'hash of other content': hashedContent,
  'URL-safe Base64': when(
    'The value is in URL-safe Base64; standard Base64 is expected',
    ({ expected, actual }) =>
      /[-_]/.test(actual) && standardBase64(actual) === expected.replace(/=+$/, ''),
  ),
  'Base64 without padding': when(
    'The padding of the Base64 (=) is missing',
    ({ expected, actual }) => expected.endsWith('=') && expected.replace(/=+$/, '') === actual,
  ),
  'byte order mark': when(
    'The text begins with a byte order mark',
    ({ expected, actual }) => actual.startsWith('\uFEFF') && !expected.startsWith('\uFEFF'),
  ),
  'line ends': when(
    'Only the line ends differ (CRLF and LF)',
    sameBut((text) => text.replaceAll('\r\n', '\n')),
  ),
  'white space': when(
    'Only white space at the ends differs',
    sameBut((text) => text.trim()),
  ),
  'letter case': when(
    'Only upper and lower case differ',
    sameBut((text) => text.toLowerCase()),
  ),
  'seconds instead of milliseconds': when(
    'The timestamp is in seconds; milliseconds are expected',
    ofNumbers((a, b) => a > millisecondsFrom && Math.abs(a / 1000 - b) < 5),
  ),
  'milliseconds instead of seconds': when(
    'The value is in milliseconds; seconds are expected',
    ofNumbers((a, b) => a > 0 && b === a * 1000),
  ),
  'local time': wrongHours,
  'time without offset': when(
    'The time has no offset: Z or +01:00 is missing',
    (seen) => timesApart(seen) === 0 && !offset.test(seen.actual),
  ),
  'minor units': when(
    'The amount is in minor units (grosze): it is a hundred times as large',
    ofNumbers((a, b) => !Number.isInteger(a) && Math.round(a * 100) === b),
  ),
  'decimal comma': when(
    'The number has a decimal comma; a point is expected',
    ({ expected, actual }) =>
      number.test(expected) && actual !== expected && actual.replace(',', '.') === expected,
  ),
  'one more': when(
    'One more than expected: the boundary is counted as inside, or nothing bounds it',
    ofNumbers((a, b) => Number.isInteger(a) && b === a + 1),
  ),
  'one less': when(
    'One less than expected: the boundary itself is counted as outside',
    ofNumbers((a, b) => Number.isInteger(a) && b === a - 1),
  ),
  'another order': when(
    'The entries are the same, in another order',
    ({ expected, actual }) => expected !== actual && sameEntries(expected, actual),
  ),
  'a gateway answered': when(
    'The response is an HTML page: a proxy or gateway answered, not the service',
    (seen) => /^text\/html/i.test(lastOf(seen)?.headers['content-type'] ?? ''),
  ),
  'rate limit': when(
    'A rate limit was met (429): other callers may use the same context or address',
    (seen) => lastOf(seen)?.status === 429 && !seen.expected.includes('429'),
  ),
  'media type': when(
    'The service does not take the media type of the request (415)',
    (seen) => lastOf(seen)?.status === 415 && !seen.expected.includes('415'),
  ),
}

/** Names of the mistakes that can be told, in the order in which they are tried. */
export const mistakeNames: readonly string[] = Object.keys(mistakes)

/** The mistake that explains what was received, with its name among the rows; undefined where none fits. */
export const likelyMistake = (
  seen: Seen,
): { readonly name: string; readonly sentence: string } | undefined => {
  for (const [name, mistake] of Object.entries(mistakes)) {
    const sentence = mistake(seen)
    if (sentence !== undefined) return { name, sentence }
  }
  return undefined
}
