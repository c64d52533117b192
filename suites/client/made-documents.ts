import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { makeInvoice } from '../../generators/invoice/invoice.ts'
import type { Expectation } from './history.ts'
import type { Documents } from './ordeal.ts'

/** The documents of a task: made from the seed, written where the client reads them. */

export interface MadeDocument {
  readonly id: string
  readonly file: string
  readonly number: string
  readonly issueDate: string
  readonly hash: string
  readonly expect: Expectation
  readonly bytes: Uint8Array
}

/** Breaks the schema in a way that a client can only detect by validating. */
const invalid = (xml: Uint8Array): Uint8Array => {
  const text = Buffer.from(xml).toString('utf8')
  return new Uint8Array(
    Buffer.from(text.replace(/<KodWaluty>[^<]*<\/KodWaluty>/, '<KodWaluty>zł</KodWaluty>')),
  )
}

const kinds: readonly (readonly [keyof Documents, Expectation])[] = [
  ['duplicates', 'duplicate'],
  ['accepted', 'accepted'],
  ['invalid', 'rejected'],
  ['foreign', 'rejected'],
  ['either', 'either'],
]

export function makeDocuments(
  wanted: Documents,
  {
    seed,
    seller,
    stranger,
    today,
    folder,
  }: {
    readonly seed: number
    readonly seller: string
    readonly stranger: string
    readonly today: string
    readonly folder: string
  },
): MadeDocument[] {
  mkdirSync(folder, { recursive: true })
  const issueDate = wanted.issueDate ?? today
  let place = 0
  return kinds.flatMap(([kind, expect]) =>
    Array.from({ length: Number(wanted[kind] ?? 0) }, () => {
      place += 1
      const number = `EX/${Math.abs(seed) % 100_000}/${place}`
      const made = makeInvoice(
        {
          schema: wanted.schema ?? 'fa3',
          seller: kind === 'foreign' ? stranger : seller,
          number,
          issueDate,
          kind: 'VAT',
          lines: 2,
        },
        seed + place,
      )
      const bytes = kind === 'invalid' ? invalid(made) : made
      const id = `doc-${place}`
      const file = path.join(folder, `${id}.xml`)
      writeFileSync(file, bytes)
      const hash = createHash('sha256').update(bytes).digest('base64')
      return { id, file, number, issueDate, hash, expect, bytes }
    }),
  )
}
