import { createHash } from 'node:crypto'
import type { InvoiceSchemaId } from '../../contract/environments.ts'
import { seededDraw } from '../draw/draw.ts'
import { seedFrom } from '../../lib/random.ts'
import { addDays, workday } from '../invoice/dates.ts'
import type { GeneratedInvoice, InvoiceKind, ProfileId } from '../invoice/invoice.ts'
import type { Fault } from '../faults/malformation.ts'
import { drawInvoice } from '../invoice/invoice.ts'
import { allocator } from '../invoice/numbers.ts'

/** Which documents to generate; the same options always give the same bytes. */
export interface CorpusOptions {
  readonly schema: InvoiceSchemaId
  readonly count: number
  readonly seed: number
  /** Default `generate`: constant, so that files are the same every time. */
  readonly namespace?: string
  readonly worker?: number
  readonly sellers?: readonly string[]
  readonly buyer?: string
  readonly profile?: ProfileId
  readonly kind?: InvoiceKind
  readonly lines?: number
  readonly bytes?: number
  readonly attachment?: boolean
  /** The documents may be beyond what the service accepts; their index says so. */
  readonly allowInvalid?: true
  /** Day of issue, ISO date; default: one of the thirty days before the schema's reference day. */
  readonly issueDate?: string
}

/** A line of the index: what `assay generate --json` prints. */
export interface CorpusLine {
  /** File name within the directory. */
  readonly file: string
  /** Id of an invoice schema, or the file name of another one. */
  readonly schema: string
  readonly seed: number
  /** RodzajFaktury, or the root element of another schema. */
  readonly kind: string
  readonly bytes: number
  /** Lower-case hexadecimal. */
  readonly sha256: string
  /** The options are beyond what the service accepts. */
  readonly allowInvalid?: true
  readonly malformation?: string
  readonly rule?: string
  /** Id of the refusal; `accepted` where only the meaning is wrong. */
  readonly expect?: string
  /** The rule of lint that warns of a document that the service accepts. */
  readonly warning?: string
  /** Where the one fault of a malformed document lies: path, and what is there before and after. */
  readonly fault?: { readonly path: string; readonly old?: string; readonly new?: string }
}

/** Longer values of a fault are cut in the index. */
const maxShown = 200
const shortened = (text: string) =>
  text.length > maxShown ? `${text.slice(0, maxShown)}… (${text.length} characters)` : text

/** A fault as the index states it. */
export const shownFault = ({ path, old, new: now }: Fault) => ({
  path,
  ...(old !== undefined && { old: shortened(old) }),
  ...(now !== undefined && { new: shortened(now) }),
})

export interface CorpusDocument {
  readonly index: number
  readonly line: CorpusLine
  readonly invoice: GeneratedInvoice
  readonly bytes: Uint8Array
}

/** Days on which the schemas are in force, whatever the calendar of the machine says. */
export const referenceDay = { fa2: '2025-12-15', fa3: '2026-06-15' } as const

export const sha256Hex = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Other options give other numbers under the same seed and namespace. */
const seriesOf = ({ schema, profile = 'general', kind }: CorpusOptions): string =>
  [schema === 'fa3' ? '' : schema, profile === 'general' ? '' : profile, kind ?? '']
    .filter(Boolean)
    .join('-')

/** The n-th document of a corpus, from 0; `attempt` gives other documents under the same number. */
export function corpusDocument(options: CorpusOptions, index: number, attempt = 0): CorpusDocument {
  const { schema, seed, namespace = 'generate', profile = 'general' } = options
  const own = seedFrom(seed, namespace, options.worker ?? 0, schema, index, attempt)
  const { seller, number } = allocator({ ...options, namespace, series: seriesOf(options) }).at(
    index,
  )
  const draw = seededDraw(own)
  const issueDate = options.issueDate ?? workday(addDays(referenceDay[schema], -draw.int(0, 29)))
  const { buyer, kind, lines, bytes, attachment } = options
  const invoice = drawInvoice(
    {
      schema,
      seller,
      number,
      issueDate,
      profile,
      ...(buyer !== undefined && { buyer }),
      ...(kind !== undefined && { kind }),
      ...(lines !== undefined && { lines }),
      ...(bytes !== undefined && { bytes }),
      ...(attachment !== undefined && { attachment }),
    },
    draw,
  )
  const content = invoice.bytes
  return {
    index,
    invoice,
    bytes: content,
    line: {
      file: `${schema}-${String(index).padStart(6, '0')}.xml`,
      schema,
      seed: own,
      kind: invoice.kind,
      ...(options.allowInvalid && { allowInvalid: true as const }),
      bytes: content.length,
      sha256: sha256Hex(content),
    },
  }
}

/** The documents one by one, from `from` on; nothing is kept. */
export function* corpus(options: CorpusOptions, from = 0): Generator<CorpusDocument> {
  for (let index = from; index < options.count; index++) yield corpusDocument(options, index)
}
