import type { Dialect } from '../../../contract/dialect.ts'
import { wireValue } from '../../../lib/wire.ts'
import type { Fault } from './condition.ts'

/** Changes the body of an answer, as JSON on the wire. */

type Fields = Readonly<Record<string, unknown>>
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const withUnknown = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withUnknown)
  if (!isFields(value)) return value
  const inner = Object.entries(value).map(([name, item]) => [name, withUnknown(item)])
  return {
    'x-addedLater': { since: '2027-01-01', values: ['one', 2, null] },
    ...Object.fromEntries(inner),
    addedLater: true,
  }
}

const reordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reordered)
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, item]) => [name, reordered(item)]),
  )
}

/** Fields that only a finished piece of work has. */
const results = new Set([
  'svcNumber',
  'ksefNumber',
  'acquisitionDate',
  'permanentStorageDate',
  'upoDownloadUrl',
  'upoDownloadUrlExpirationDate',
  'upo',
  'package',
])

const withStatus = (value: unknown, code: number, description: string): unknown => {
  if (!isFields(value)) return value
  if (Array.isArray(value['invoices'])) {
    const invoices = value['invoices'].map((one) => withStatus(one, code, description))
    return { ...value, invoices }
  }
  if (!isFields(value['status'])) return value
  const kept = Object.entries(value).filter(([name]) => !results.has(name))
  return { ...Object.fromEntries(kept), status: { code, description } }
}

const day = 86_400_000

/** One more entry at the head of the list of certificates. */
const withFirstKey = (
  value: unknown,
  first: 'other-usage' | 'expired',
  dialect: Dialect,
): unknown => {
  if (!Array.isArray(value)) return value
  const keys = value as Fields[]
  const [key] = keys
  if (key === undefined) return value
  if (first === 'expired') {
    // The wrong key under the right name: data encrypted with it cannot be decrypted.
    return [
      ...keys.map((one, place) => ({
        ...one,
        certificate: keys[(place + 1) % keys.length]!['certificate'],
        validFrom: new Date(Date.now() - 800 * day).toISOString(),
        validTo: new Date(Date.now() - 70 * day).toISOString(),
      })),
      ...keys,
    ]
  }
  const usage = wireValue('usage', 'SymmetricKeyEncryption', dialect)
  const isSymmetric = (one: Fields) => (one['usage'] as unknown[]).includes(usage)
  // A list that begins with neither of the purposes that the client is after.
  const other = { ...keys.find((one) => !isSymmetric(one))!, usage: ['ReceiptSigning'] }
  return [other, ...keys.toReversed()]
}

/** The JSON of an answer as the fault changes it; undefined where the fault leaves the body unchanged. */
export function altered(value: unknown, fault: Fault, dialect: Dialect): unknown {
  switch (fault.kind) {
    case 'unknown-fields':
      return withUnknown(value)
    case 'pending':
      return withStatus(value, fault.code, 'in progress')
    case 'failed-work':
      return withStatus(value, fault.code, 'unknown error')
    case 'keys':
      return withFirstKey(value, fault.first, dialect)
    case 'form':
      return fault.how === 'reordered' ? reordered(value) : undefined
    default:
      return undefined
  }
}
