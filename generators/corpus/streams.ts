import { basename } from 'node:path'
import type { CorpusLine, CorpusOptions } from './corpus.ts'
import { corpus, corpusDocument, sha256Hex, shownFault } from './corpus.ts'
import { seededDraw } from '../draw/draw.ts'
import { seedFrom } from '../../lib/random.ts'
import { invoiceCoverage } from '../invoice/coverage.ts'
import type { DoubtfulClass } from '../faults/meaning.ts'
import { doubtfulInvoices } from '../faults/meaning.ts'
import type { Malformed } from '../faults/invoices.ts'
import { invoiceMalformationsOf } from '../faults/invoices.ts'
import type { FindFaults } from '../faults/one-fault.ts'
import { withOneFault } from '../faults/one-fault.ts'
import type { SemanticMalformation } from '../faults/semantics.ts'
import { invoiceKinds } from '../invoice/options.ts'
import type { Secret } from '../requests/payload.ts'
import { submission } from '../requests/payload.ts'
import type { WrittenDocument } from './write.ts'
import { compileRoot, freely } from '../schema/arbitrary.ts'
import type { CoverageReport } from '../schema/coverage.ts'
import { coverage } from '../schema/coverage.ts'
import { readSchema } from '../schema/files.ts'
import { checkFillable } from '../schema/fillable.ts'
import { serialize } from '../schema/serialize.ts'

/** The streams behind `assay generate`: each gives documents one by one from a number on, and keeps none. */

/** Maximum number of invoices that are tried for one malformed document. */
const maxCandidates = 60
/** The same for a fault that few invoices have a place for: one in 300 pays Polish tax in another currency. */
const maxPlaces = 6_000

const utf8 = new TextEncoder()
const number = (index: number) => String(index).padStart(6, '0')

/** No class of malformation has this id or begins with it. */
class UnknownMalformationError extends Error {
  override readonly name = 'UnknownMalformationError'
}

/** Valid invoices. */
export function* validDocuments(options: CorpusOptions, from = 0): Generator<WrittenDocument> {
  for (const { line, bytes } of corpus(options, from)) yield { line, bytes }
}

/** Whether a class is named by one of the selectors: `all`, a layer, an id, or the beginning of ids. */
export const isSelected = (
  { id, layer }: { readonly id: string; readonly layer: string },
  selectors: readonly string[],
): boolean => selectors.some((each) => each === 'all' || each === layer || id.startsWith(each))

/** The classes that a selector names: `all`, a layer, an id, or the beginning of ids. */
export function selectMalformations(
  schema: CorpusOptions['schema'],
  selectors: readonly string[],
): readonly SemanticMalformation[] {
  const all = invoiceMalformationsOf(schema)
  return all.filter((entry) => isSelected(entry, selectors))
}

/** Candidates under one number, all different: first as the profile has them, then each kind in turn. */
export function* candidates(options: CorpusOptions, index: number, count = maxCandidates) {
  for (let attempt = 0; attempt < count; attempt++) {
    const kind =
      options.kind ??
      (attempt < 8 || options.profile !== undefined
        ? undefined
        : invoiceKinds[attempt % invoiceKinds.length])
    const { invoice, line } = corpusDocument(
      { ...options, ...(kind !== undefined && { kind }) },
      index,
      attempt,
    )
    yield { document: invoice.document, seed: line.seed, line }
  }
}

/** A document with one fault, and its line of the index: what the fault is, and what becomes of the document. */
const writtenFault = (
  { candidate, malformed }: { candidate: { line: CorpusLine }; malformed: Malformed },
  malformation: string,
  outcome: Pick<CorpusLine, 'rule' | 'expect' | 'warning'>,
): WrittenDocument => ({
  bytes: malformed.bytes,
  line: {
    ...candidate.line,
    bytes: malformed.bytes.length,
    sha256: sha256Hex(malformed.bytes),
    malformation,
    ...outcome,
    fault: shownFault(malformed.fault),
  },
})

/**
 * Malformed invoices: the selected classes in turn, each time in another document. Without a count, one of each.
 *
 * @throws UnknownMalformationError where nothing is selected
 */
export function* malformedDocuments(
  options: Omit<CorpusOptions, 'count'> & { readonly count?: number },
  selectors: readonly string[],
  findFaults: FindFaults,
  from = 0,
): Generator<WrittenDocument> {
  const entries = selectMalformations(options.schema, selectors)
  if (entries.length === 0) {
    throw new UnknownMalformationError(`no class of malformation is named ${selectors.join(', ')}`)
  }
  const count = options.count ?? entries.length
  for (let index = from; index < count; index++) {
    const entry = entries[index % entries.length]!
    const faulty = withOneFault(entry, candidates({ ...options, count }, index), findFaults)
    yield writtenFault(faulty, entry.id, { rule: entry.rule, expect: entry.refusedAs })
  }
}

/** The classes of invoices that are wrong in meaning alone, by the same selectors. */
export const selectDoubtful = (
  schema: CorpusOptions['schema'],
  selectors: readonly string[],
): readonly DoubtfulClass[] =>
  doubtfulInvoices().filter(
    (entry) => entry.schemas.includes(schema) && isSelected(entry, selectors),
  )

/** Valid invoices that are wrong in meaning: the classes in turn. */
export function* doubtfulDocuments(
  options: CorpusOptions,
  entries: readonly DoubtfulClass[],
  findFaults: FindFaults,
  from = 0,
): Generator<WrittenDocument> {
  for (let index = from; index < options.count; index++) {
    const entry = entries[index % entries.length]!
    const wanted = { ...options, ...(entry.kind && { kind: entry.kind }) }
    const faulty = withOneFault(entry, candidates(wanted, index, maxPlaces), findFaults)
    yield writtenFault(faulty, entry.id, { expect: 'accepted', warning: entry.warns })
  }
}

const lineOf = (
  file: string,
  schema: string,
  seed: number,
  kind: string,
  bytes: Uint8Array,
): CorpusLine => ({
  file,
  schema,
  seed,
  kind,
  bytes: bytes.length,
  sha256: sha256Hex(bytes),
})

export interface CoverageStream {
  readonly documents: (from?: number) => Generator<WrittenDocument>
  readonly report: () => CoverageReport
}

export interface SchemaStream extends CoverageStream {
  /** Documents so far that reached the bound on depth or size. */
  readonly bounded: () => number
}

/** Invoices that together reach everything that the schema allows; the report is full once all were drawn. */
export function coverageDocuments(
  schema: CorpusOptions['schema'],
  seed: number,
  count?: number,
): CoverageStream {
  const run = invoiceCoverage(schema, seed, count)
  return {
    report: run.report,
    *documents(from = 0) {
      let index = 0
      for (const document of run.documents()) {
        const bytes = serialize(document)
        // Those that were written before are drawn again, because what they reached counts.
        if (index >= from) {
          yield {
            bytes,
            line: lineOf(
              `${schema}-coverage-${number(index)}.xml`,
              schema,
              seed,
              'coverage',
              bytes,
            ),
          }
        }
        index++
      }
    },
  }
}

export interface SchemaStreamOptions {
  /** Path of a schema file. */
  readonly xsd: string
  readonly root: string
  readonly seed: number
  readonly count: number
  /** Steer to everything that the schema allows. */
  readonly coverage?: boolean
}

/**
 * Documents of any schema.
 *
 * @throws SchemaError naming file and line of what is not supported
 * @throws RangeError where the schema has no such root
 */
export function schemaDocuments({
  xsd,
  root,
  seed,
  count,
  coverage: steered,
}: SchemaStreamOptions): SchemaStream {
  const schema = readSchema(xsd)
  checkFillable(schema, root)
  const name = basename(xsd)
  const make = compileRoot(schema, root)
  const run = coverage({ schema, root, seed, maxDocuments: count, base: freely })
  let bounded = 0
  return {
    report: run.report,
    bounded: () => bounded,
    *documents(from = 0) {
      if (steered) {
        let index = 0
        for (const document of run.documents()) {
          const bytes = serialize(document)
          if (index >= from)
            yield { bytes, line: lineOf(`${root}-${number(index)}.xml`, name, seed, root, bytes) }
          index++
        }
        return
      }
      for (let index = from; index < count; index++) {
        const own = seedFrom(seed, name, root, index)
        const bytes = serialize(make(seededDraw(own), freely, () => (bounded += 1)))
        yield { bytes, line: lineOf(`${root}-${number(index)}.xml`, name, own, root, bytes) }
      }
    },
  }
}

/** Puts the body that submits each document beside it, encrypted under a secret: `….json`. */
export function* withBodies(
  documents: Iterable<WrittenDocument>,
  secret: Secret,
): Generator<WrittenDocument> {
  for (const { line, bytes, beside = [] } of documents) {
    const body = submission({ xml: bytes, ...secret, wrappedKey: new Uint8Array(0) })
    const file = line.file.replace(/\.xml$/, '.json')
    yield {
      line,
      bytes,
      beside: [...beside, { file, bytes: utf8.encode(`${JSON.stringify(body)}\n`) }],
    }
  }
}
