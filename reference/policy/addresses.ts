import type { AddressPolicy } from '../model/entities.ts'

/** Addresses of callers, and the policies that name them. IPv4, as the policies are. */

/** The dotted form of an address: IPv4 mapped into IPv6 comes as IPv4. */
const plainAddress = (address: string): string =>
  address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')

const numberOf = (address: string): number | undefined => {
  const octets = address.split('.')
  if (
    octets.length !== 4 ||
    octets.some((octet) => !/^\d{1,3}$/.test(octet) || Number(octet) > 255)
  ) {
    return undefined
  }
  return octets.reduce((sum, octet) => sum * 256 + Number(octet), 0)
}

/** Whether an address is one of those that a policy names; a policy that names none allows all. */
export const addressAllowed = (address: string, policy: AddressPolicy): boolean => {
  if (policy.addresses.length + policy.ranges.length + policy.masks.length === 0) return true
  const caller = numberOf(plainAddress(address))
  if (caller === undefined) return false
  const within = (from: string | undefined, to: string | undefined): boolean => {
    const first = numberOf(from ?? '')
    const last = numberOf(to ?? '')
    return first !== undefined && last !== undefined && first <= caller && caller <= last
  }
  const inNetwork = (mask: string): boolean => {
    const [base, bits] = mask.split('/')
    const start = numberOf(base ?? '')
    if (start === undefined) return false
    const size = 2 ** (32 - Number(bits))
    return Math.floor(start / size) === Math.floor(caller / size)
  }
  return (
    policy.addresses.some((one) => numberOf(one) === caller) ||
    policy.ranges.some((range) => within(range.split('-')[0], range.split('-')[1])) ||
    policy.masks.some(inNetwork)
  )
}
