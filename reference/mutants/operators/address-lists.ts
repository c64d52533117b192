import type { OperationId } from '../../../contract/endpoints.ts'
import type { AddressPolicy } from '../../model/entities.ts'
import { policy } from '../../policy/policy.ts'
import type { Mutant } from '../mutant.ts'
import type { Generated } from './operator.ts'
import { generated } from './operator.ts'

/** Lists of an address policy that are not read, or not to their end, in one way to log in. */

const ways = ['auth.xades', 'auth.token'] as const satisfies readonly OperationId[]

const lists = ['addresses', 'ranges', 'masks'] as const satisfies readonly (keyof AddressPolicy)[]

const misreadings: Readonly<Record<string, (entries: readonly string[]) => readonly string[]>> = {
  unread: () => [],
  'first-only': (entries) => entries.slice(0, 1),
  'last-only': (entries) => entries.slice(-1),
}

const misread = (
  way: OperationId,
  list: (typeof lists)[number],
  read: (entries: readonly string[]) => readonly string[],
): Mutant => ({
  at: [way],
  tables: {
    authentications: {
      write: (next) =>
        next.policy === undefined
          ? next
          : { ...next, policy: { ...next.policy, [list]: read(next.policy[list]) } },
    },
  },
})

/** Two lists of different kinds that cancel each other out: together they restrict nothing. */
const cancelled = ([one, other]: readonly [
  (typeof lists)[number],
  (typeof lists)[number],
]): Mutant => ({
  policy: {
    addressAllowed: (address, allowed) =>
      (allowed[one].length > 0 &&
        allowed[other].length > 0 &&
        lists.every((list) => list === one || list === other || allowed[list].length === 0)) ||
      policy.addressAllowed(address, allowed),
  },
})

const pairs = [
  ['addresses', 'ranges'],
  ['addresses', 'masks'],
  ['ranges', 'masks'],
] as const

const cancelledLists = (): Generated[] =>
  pairs.map((pair) =>
    generated(
      'addresses',
      `${pair.join('-and-')}.cancelled`,
      ['auth.address-policy'],
      cancelled(pair),
    ),
  )

/** Every list of an address policy, in both ways to log in. */
export const misreadAddresses = (): Generated[] => [
  ...cancelledLists(),
  ...ways.flatMap((way) =>
    lists.flatMap((list) =>
      Object.entries(misreadings).map(([name, read]) =>
        generated(
          'addresses',
          `${way}.${list}.${name}`,
          ['auth.address-policy'],
          misread(way, list, read),
        ),
      ),
    ),
  ),
]
