import type fc from 'fast-check'
import type { Draw } from '../draw/draw.ts'
import { drawn } from '../draw/arbitrary.ts'
import { seededDraw, simplestDraw } from '../draw/draw.ts'
import type { Element } from '../schema/document.ts'
import { serialize } from '../schema/serialize.ts'
import { annotations } from './annotations.ts'
import type { Unsized } from './build.ts'
import { buildInvoice, creation, header } from './build.ts'
import type { Draft } from './draft.ts'
import { elementsOf } from './draft.ts'
import type { GeneratedInvoice, InvoiceOptions } from './options.ts'
import { checkOptions, InvoiceOptionsError } from './options.ts'
import { fillTo } from './size.ts'

export type { GeneratedInvoice, InvoiceKind, InvoiceOptions, ProfileId } from './options.ts'
export { InvoiceOptionsError, invoiceKinds, profiles } from './options.ts'

/** Bytes that a line with its usual extras takes, and those of everything around the lines. */
const typicalLine = 450
const typicalRest = 3_000

function withLazyBytes(made: Unsized): GeneratedInvoice {
  let bytes: Uint8Array | undefined
  return {
    ...made,
    get bytes() {
      return (bytes ??= serialize(made.document))
    },
  }
}

/** Builds at the asked size: with as many lines as should fit, then with fewer, at last with one. */
function sized(options: InvoiceOptions, size: number, draw: Draw): GeneratedInvoice {
  const likely = Math.max(1, Math.min(2_000, Math.floor((size - typicalRest) / typicalLine)))
  const kindLines = options.kind === 'UPR' ? Math.min(3, likely) : likely
  for (let lines = options.lines ?? kindLines; lines >= 1; lines >>= 1) {
    const made = buildInvoice({ ...options, lines }, draw)
    const filled = fillTo(made.document, size)
    if (filled) return { ...made, ...filled }
    if (options.lines !== undefined) break
  }
  const smallest = buildInvoice({ ...options, lines: options.lines ?? 1 }, draw, true)
  const filled = fillTo(smallest.document, size)
  if (filled) return { ...smallest, ...filled }
  const minimum = serialize(smallest.document).length
  throw new InvoiceOptionsError(
    `bytes: ${size} is too little, such an invoice takes about ${minimum}`,
  )
}

/** One invoice from choices: what both the arbitrary and the streams are made of. */
export function drawInvoice(options: InvoiceOptions, draw: Draw): GeneratedInvoice {
  checkOptions(options)
  if (options.bytes !== undefined) return sized(options, options.bytes, draw)
  return withLazyBytes(buildInvoice(options, draw))
}

/**
 * Valid invoices that add up, within the options; they shrink towards the plainest of their kind.
 *
 * @throws InvoiceOptionsError (when drawn) where the options contradict each other or the schema
 */
export function invoice(options: InvoiceOptions): fc.Arbitrary<GeneratedInvoice> {
  return drawn((draw) => drawInvoice(options, draw))
}

/**
 * One document of the same kind, the same bytes for the same options and seed (a 32-bit integer).
 *
 * @throws InvoiceOptionsError where the options contradict each other or the schema
 */
export function makeInvoice(options: InvoiceOptions, seed: number): Uint8Array {
  return drawInvoice(options, seededDraw(seed)).bytes
}

/** The smallest document that the schema allows: nothing but what is required, a total of zero. */
export function minimalInvoice(options: InvoiceOptions): Uint8Array {
  return serialize(minimalDocument(options))
}

/** The tree of `minimalInvoice`. */
export function minimalDocument(options: InvoiceOptions): Element {
  const { schema = 'fa3', kind = 'VAT', seller, buyer, number, issueDate } = options
  const el = elementsOf(schema)
  const draft: Draft = {
    draw: simplestDraw,
    schema,
    kind,
    profile: 'general',
    seller,
    issueDate,
    el,
  }
  const facts = {
    lines: [],
    total: 0n,
    goods: true,
    selfBilling: false,
    exchange: undefined,
    newVehicle: undefined,
  }
  return el('Faktura', [
    {
      ...header(draft, creation(options), ''),
      content: header(draft, creation(options), '').content.slice(0, 3) as Element[],
    },
    el('Podmiot1', [
      el('DaneIdentyfikacyjne', [el('NIP', seller), el('Nazwa', 'A')]),
      el('Adres', [el('KodKraju', 'PL'), el('AdresL1', 'A')]),
    ]),
    el('Podmiot2', [
      el('DaneIdentyfikacyjne', [buyer === undefined ? el('BrakID', '1') : el('NIP', buyer)]),
      ...(schema === 'fa3' ? [el('JST', '2'), el('GV', '2')] : []),
    ]),
    el('Fa', [
      el('KodWaluty', 'PLN'),
      el('P_1', issueDate),
      el('P_2', number),
      el('P_15', '0'),
      annotations(draft, facts),
      el('RodzajFaktury', kind),
    ]),
  ])
}
