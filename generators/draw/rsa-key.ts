import { checkPrimeSync, createPrivateKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { Draw } from './draw.ts'
import { drawBytes } from './draw.ts'

const exponent = 65_537n

const toNumber = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)

function toBase64Url(number: bigint): string {
  const hex = number.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url')
}

/** The first prime from a drawn number on. Its two highest bits are set, so that a product has its full length. */
function drawPrime(draw: Draw, bytes: number): bigint {
  const first = drawBytes(draw, bytes)
  first[0]! |= 0xc0
  first[bytes - 1]! |= 1
  for (let candidate = toNumber(first); ; candidate += 2n)
    if (candidate % exponent !== 1n && checkPrimeSync(candidate)) return candidate
}

/** The inverse of a number under a modulus, by Euclid's algorithm. */
function inverse(number: bigint, modulus: bigint): bigint {
  let [a, b] = [modulus, number]
  let [x, y] = [0n, 1n]
  while (b !== 0n) {
    const quotient = a / b
    ;[a, b] = [b, a - quotient * b]
    ;[x, y] = [y, x - quotient * y]
  }
  return x < 0n ? x + modulus : x
}

/**
 * An RSA key of 2048 bits from choices: the same for the same draw, so that what it signs is the same too. Never for
 * anything real.
 */
export function drawRsaKey(draw: Draw): KeyObject {
  const [p, q] = [drawPrime(draw, 128), drawPrime(draw, 128)]
  const d = inverse(exponent, (p - 1n) * (q - 1n))
  const numbers = { n: p * q, e: exponent, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n) }
  const key = Object.fromEntries(
    Object.entries({ ...numbers, qi: inverse(q % p, p) }).map(([name, number]) => [
      name,
      toBase64Url(number),
    ]),
  )
  return createPrivateKey({ key: { kty: 'RSA', ...key }, format: 'jwk' })
}
