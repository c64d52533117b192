import { dayOf } from '../base/identifiers.ts'
import { addressAllowed } from '../http/addresses.ts'
import { policy } from '../policy/policy.ts'
import type { Instant } from '../base/instants.ts'
import type { Mutant } from './mutant.ts'
import { accepts, bodies, refuses, responses } from './rewrite.ts'

/** Defects that do what they should for some values only: the first of several, one unit, one year, one range of codes. */

const numberOf = (address: string): number =>
  address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

const textOf = (address: number): string =>
  [24, 16, 8, 0].map((bits) => Math.floor(address / 2 ** bits) % 256).join('.')

/** A network as a range that begins with the address by which it is named. */
const fromNamed = (mask: string): string => {
  const [base = '', bits = '32'] = mask.split('/')
  return `${base}-${textOf(numberOf(base) + 2 ** (32 - Number(bits)) - 1)}`
}

/** Dates of issue are held against the day on which the session was opened. */
const dayOfOpening = (): Mutant => {
  let opened: Instant | undefined
  return {
    at: ['invoice'],
    tables: {
      sessions: {
        read(found) {
          opened = found?.openedAt
          return found
        },
      },
    },
    policy: { dayOfAcceptance: (now) => dayOf(opened ?? now) },
  }
}

export const halfMeasuresMutants = {
  'auth.address-policy/network-from-the-named-address': {
    policy: {
      addressAllowed: (address, { masks, ranges, ...rest }) =>
        addressAllowed(address, {
          ...rest,
          ranges: [...ranges, ...masks.map(fromNamed)],
          masks: [],
        }),
    },
  },
  'auth.address-policy/first-range-only': {
    policy: {
      addressAllowed: (address, { ranges, ...rest }) =>
        addressAllowed(address, { ...rest, ranges: ranges.slice(0, 1) }),
    },
  },
  'auth.access-token.jwt-lifetime/stated-longer-after-a-refresh': bodies<{
    readonly accessToken: { readonly validUntil: string }
  }>(['auth.refresh'], ({ accessToken }) => ({
    accessToken: {
      ...accessToken,
      validUntil: new Date(Date.parse(accessToken.validUntil) + 300_000).toISOString(),
    },
  })),
  'certificates.enrol/subject-in-any-case': accepts(
    ['certificates.enroll'],
    ['enrollment-data-differ'],
    ({ body, caller, service }) => {
      const { csr } = body as { readonly csr: string }
      const { commonName = '' } = caller?.authentication.attributes ?? {}
      const text = Buffer.from(csr, 'base64').toString().toLowerCase()
      return text.includes(commonName.toLowerCase())
        ? { body: { referenceNumber: service.identifiers.reference('EH') } }
        : undefined
    },
  ),
  'invoices.content.issue-date/day-of-the-opening': dayOfOpening(),
  'invoices.duplicate.ten-years/from-the-sending': {
    tables: {
      claims: { write: (next) => ({ ...next, until: policy.uniqueUntil(dayOf(next.at)) }) },
    },
  },
  'invoices.get.by-invoice-number/ambiguous-anywhere': refuses(
    ['invoices.byNumber'],
    'invoice-number-ambiguous',
    ({ path, service: { state } }) =>
      state.issued.by('number', path['invoiceNumber'] ?? '').length > 1,
  ),
  'sessions.batch.failed-list/rejections-only': {
    policy: { listedAsFailed: (code) => code >= 300 && code < 500 },
  },
  'sessions.online.close/used-ones-stay-open': {
    at: ['expiry'],
    tables: {
      sessions: { write: (next) => (next.kind === 'online' && next.total > 0 ? undefined : next) },
    },
  },
  'transport.error-shape/no-empty-details': responses(async (response, { refusal }) => {
    if (refusal === undefined) return response
    const text = (await response.text()).replace('"details":[],', '')
    return new Response(text, response)
  }),
  'transport.malformed-body/length-in-code-units': refuses(
    ['tokens.create'],
    'invalid-input',
    ({ body }) => (body as { readonly description: string }).description.length > 256,
  ),
} as const satisfies Readonly<Record<string, Mutant>>
