import { seededDraw } from '../draw/draw.ts'
import { seedFrom } from '../../lib/random.ts'
import { drawTrader } from './firms.ts'
import type { InvoiceKind } from './options.ts'

/**
 * What makes an invoice unique for ten years: seller, kind and number.
 * Source: specification, Invoices, duplicate detection.
 */
export interface InvoiceIdentity {
  readonly seller: string
  readonly kind: InvoiceKind
  /** P_2. */
  readonly number: string
}

export interface AllocatorOptions {
  /** A 32-bit integer. */
  readonly seed: number
  /** New for each run against a shared target, constant for generated files. */
  readonly namespace: string
  /** Any number that only this worker, on this machine, has. Default 0. */
  readonly worker?: number
  /** Documents of one kind under the same seed and namespace; default: none. */
  readonly series?: string
  /** Fixed sellers, taken in turn; default: one derived from the rest. */
  readonly sellers?: readonly string[]
}

export interface Allocator {
  /** The next identity; never one that was given before, here or by any other worker or namespace. */
  readonly next: (kind?: InvoiceKind) => InvoiceIdentity
  /** The n-th identity from 0, for streams that resume. */
  readonly at: (index: number, kind?: InvoiceKind) => InvoiceIdentity
}

const longestNamespace = 120

/** Letters, digits and dashes stay; any other character becomes its code, so that no two texts become one. */
function plain(namespace: string): string {
  const text = namespace.replace(/[^A-Za-z0-9-]/gu, (c) => `_${c.codePointAt(0)!.toString(16)}.`)
  if (text.length > longestNamespace) {
    throw new RangeError(`namespace: at most ${longestNamespace} plain characters`)
  }
  return text
}

/** A seller's NIP that belongs to a place: that of a company whose name says that it trades in many things. */
export function sellerFor(...place: readonly (string | number)[]): string {
  return drawTrader(seededDraw(seedFrom('seller', ...place)))
}

/**
 * Gives out identities. They hold namespace, seed, worker and a running number in full, so two can only be
 * equal where all four are.
 *
 * @throws RangeError where the namespace is too long for P_2
 */
export function allocator({
  seed,
  namespace,
  worker = 0,
  series = '',
  sellers,
}: AllocatorOptions): Allocator {
  const prefix = `${plain(namespace)}/${(seed >>> 0).toString(36)}.${worker.toString(36)}.${series && `${series}.`}`
  const own = sellers ?? [sellerFor(seed, namespace, worker)]
  let given = 0
  const at = (index: number, kind: InvoiceKind = 'VAT'): InvoiceIdentity => ({
    seller: own[index % own.length]!,
    kind,
    number: prefix + index.toString(36),
  })
  return { at, next: (kind) => at(given++, kind) }
}

/** A near copy. `either`: the interface does not say, so both answers are right. */
export interface NearDuplicate extends InvoiceIdentity {
  readonly how: string
  readonly verdict: 'duplicate' | 'distinct' | 'either'
}

/** The same identity and those that differ from it by one thing. */
export function duplicatesOf(identity: InvoiceIdentity, otherSeller: string): NearDuplicate[] {
  const { number, kind } = identity
  const swapped = number.replace(/[a-z]/i, (c) =>
    c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase(),
  )
  const variants: NearDuplicate[] = [
    { ...identity, how: 'the same', verdict: 'duplicate' },
    { ...identity, how: 'blanks around the number', number: ` ${number} `, verdict: 'either' },
    { ...identity, how: 'a zero in front', number: `0${number}`, verdict: 'distinct' },
    { ...identity, how: 'a dot behind', number: `${number}.`, verdict: 'distinct' },
    { ...identity, how: 'another kind', kind: kind === 'VAT' ? 'ROZ' : 'VAT', verdict: 'distinct' },
    { ...identity, how: 'another seller', seller: otherSeller, verdict: 'distinct' },
  ]
  if (swapped !== number) {
    variants.push({ ...identity, how: 'another case', number: swapped, verdict: 'distinct' })
  }
  if (number.includes(' ')) {
    const doubled = number.replace(' ', '  ')
    variants.push({ ...identity, how: 'two blanks for one', number: doubled, verdict: 'either' })
  }
  return variants
}
