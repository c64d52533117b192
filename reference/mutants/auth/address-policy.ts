import type { OperationId } from '../../../contract/endpoints.ts'
import { addressAllowed } from '../../policy/addresses.ts'
import type { Authentication } from '../../model/entities.ts'
import { keyOf } from '../../model/entities.ts'
import type { State } from '../../model/state.ts'
import { policy } from '../../policy/policy.ts'
import type { Mutant } from '../mutant.ts'

const textOf = (address: number): string =>
  [24, 16, 8, 0].map((bits) => Math.floor(address / 2 ** bits) % 256).join('.')

const numberOf = (address: string): number =>
  address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

/** A network as a range that begins with the address by which it is named. */
const fromNamed = (mask: string): string => {
  const [base = '', bits = '32'] = mask.split('/')
  return `${base}-${textOf(numberOf(base) + 2 ** (32 - Number(bits)) - 1)}`
}

/** The address by which a caller is counted and restricted is the one that the caller states. */
const forwardedAddress = (operation: OperationId): Mutant => ({
  exchange: (running, next) =>
    running.exchange.operation === operation
      ? next({ ...running, address: running.headers['x-forwarded-for'] ?? running.address })
      : next(running),
})

/** A network whose size is computed with 32 bits, where the longest come out negative or as one address. */
const byShift = (mask: string, address: string): boolean => {
  const [base = '', bits = '32'] = mask.split('/')
  const size = 1 << (32 - Number(bits))
  return Math.floor(numberOf(base) / size) === Math.floor(numberOf(address) / size)
}

type Effects = NonNullable<NonNullable<Mutant['tables']>['authentications']>

const others = (
  { referenceNumber, context }: Authentication,
  { authentications }: State,
): readonly Authentication[] =>
  authentications
    .by('context', keyOf(context))
    .filter((other) => other.referenceNumber !== referenceNumber)

/** A later login is restricted as an earlier one was. */
const inherits: Effects['write'] = (next, before, state) => {
  const earlier = others(next, state).find((other) => other.policy !== undefined)?.policy
  return before !== undefined || next.policy !== undefined || earlier === undefined
    ? next
    : { ...next, policy: earlier }
}

/** The restriction of a later login replaces that of the earlier ones. */
const replaces: Effects['write'] = (next, before, state) => {
  if (before === undefined && next.policy !== undefined)
    for (const other of others(next, state))
      state.authentications.put({ ...other, policy: next.policy })
  return next
}

/** A later login without a restriction lifts that of the earlier ones. */
const lifts: Effects['write'] = (next, before, state) => {
  if (before === undefined && next.policy === undefined)
    for (const other of others(next, state))
      state.authentications.put({ ...other, policy: { addresses: [], ranges: [], masks: [] } })
  return next
}

/** Defects of what a login says of the addresses from which it is used. */
export const authAddressPolicyMutants = {
  'auth.address-policy/not-enforced': { policy: { addressAllowed: () => true } },
  'auth.address-policy/single-addresses-only': {
    policy: { addressAllowed: (address, { addresses }) => addresses.includes(address) },
  },
  'auth.address-policy/masks-unread': {
    policy: {
      addressAllowed: (address, allowed) =>
        policy.addressAllowed(address, { ...allowed, masks: [] }),
    },
  },
  'auth.address-policy/lost-by-a-refresh': {
    tables: {
      authentications: {
        write: ({ policy: stored, ...next }) => ({
          ...next,
          ...(next.refreshedAt === undefined && stored !== undefined && { policy: stored }),
        }),
      },
    },
  },
  'auth.address-policy/ranges-as-text': {
    policy: {
      addressAllowed: (address, allowed) =>
        addressAllowed(address, {
          ...allowed,
          ranges: allowed.ranges.map((range) => {
            const [from = '', to = ''] = range.split('-')
            return from <= address && address <= to ? `${address}-${address}` : '0.0.0.0-0.0.0.0'
          }),
        }),
    },
  },
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
  'auth.address-policy/as-stated': forwardedAddress('limits.context'),
  'auth.address-policy/inherited-by-later-logins': {
    tables: { authentications: { write: inherits } },
  },
  'auth.address-policy/replaced-by-later-logins': {
    tables: { authentications: { write: replaces } },
  },
  'auth.address-policy/lifted-by-later-logins': {
    tables: { authentications: { write: lifts } },
  },
  'auth.address-policy/networks-by-shift': {
    policy: {
      addressAllowed: (address, { masks, ...rest }) =>
        masks.some((mask) => byShift(mask, address)) ||
        (rest.addresses.length + rest.ranges.length + masks.length > 0
          ? addressAllowed(address, { ...rest, masks: ['0.0.0.0/32'] })
          : true),
    },
  },
} as const satisfies Readonly<Record<string, Mutant>>
