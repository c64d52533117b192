import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { CorpusOptions } from '../../generators/corpus/corpus.ts'
import { InvoiceOptionsError } from '../../generators/invoice/invoice.ts'
import { referenceDay } from '../../generators/corpus/corpus.ts'
import {
  malformedRequests,
  requestMalformations,
} from '../../generators/corpus/malformed-requests.ts'
import { limits } from '../../contract/limits.ts'
import { drawBytes, seededDraw } from '../../generators/draw/draw.ts'
import { doubtfulInvoices } from '../../generators/faults/meaning.ts'
import { invoiceMalformations } from '../../generators/faults/invoices.ts'
import type { FindFaults } from '../../generators/faults/one-fault.ts'
import { invoiceSchemasByNamespace } from '../../generators/schema/contract.ts'
import { lintInvoice } from '../../lint/lint.ts'
import type { ZipEntry } from '../../generators/requests/zip.ts'
import {
  coverageDocuments,
  doubtfulDocuments,
  isSelected,
  malformedDocuments,
  schemaDocuments,
  selectDoubtful,
  selectMalformations,
  validDocuments,
  withBodies,
} from '../../generators/corpus/streams.ts'
import type { CoverageStream } from '../../generators/corpus/streams.ts'
import { CorpusMismatchError, readLeft, writeCorpus } from '../../generators/corpus/write.ts'
import type { WrittenDocument } from '../../generators/corpus/write.ts'
import { PackageError, writePackage } from '../../generators/corpus/package.ts'
import { SchemaError } from '../../generators/schema/model.ts'
import type { Command } from '../command.ts'
import type { GenerateArguments } from '../generate/arguments.ts'
import { checkArguments } from '../generate/arguments.ts'
import { defaultCount, defaultPartBytes, generateOptions } from '../generate/options.ts'
import { secretOf } from '../generate/secret.ts'
import type { Io } from '../io.ts'
import { exits, interrupted, usageError } from '../io.ts'
import { namespaceOf, seedOf } from '../options.ts'
import { typedPath } from '../paths.ts'
import { progress } from '../progress.ts'
import { systemError } from '../system-error.ts'
import { counted } from '../../lib/words.ts'

/** What to write: the documents from a number on, and what describes them. */
interface Work {
  readonly documents: (from: number) => Iterable<WrittenDocument>
  readonly description: Readonly<Record<string, unknown>>
  readonly expected: number | undefined
  readonly report?: CoverageStream['report']
  /** Documents that were cut at a bound so far. */
  readonly bounded?: () => number
}

function corpusOptions(args: GenerateArguments, seed: number): Omit<CorpusOptions, 'count'> {
  return {
    schema: args.schema,
    seed,
    namespace: namespaceOf(args.namespace),
    profile: args.profile ?? 'general',
    attachment: args.attachment,
    ...(args.allowInvalid && { allowInvalid: true as const }),
    ...(args.seller.length > 0 && { sellers: args.seller }),
    ...(args.buyer !== undefined && { buyer: args.buyer }),
    ...(args.kind !== undefined && { kind: args.kind }),
    ...(args.lines !== undefined && { lines: args.lines }),
    ...(args.bytes !== undefined && { bytes: args.bytes }),
    ...(args.issueDate !== undefined && { issueDate: args.issueDate }),
  }
}

/** Looks for faults as `assay lint` does, on a day on which every generated document may have been issued. */
function findFaults({ issueDate = '' }: GenerateArguments): FindFaults {
  const schemas = invoiceSchemasByNamespace()
  const today = issueDate > referenceDay.fa3 ? issueDate : referenceDay.fa3
  return (bytes) => lintInvoice(bytes, { schemas, today })
}

/** Requests of the other layers: they are sent as they are, and encrypted where a layer is about that. */
function malformedRequestsOf(
  args: GenerateArguments,
  options: Omit<CorpusOptions, 'count'>,
  selectors: readonly string[],
): Work {
  const entries = requestMalformations().filter((entry) => isSelected(entry, selectors))
  if (entries.length === 0)
    throw usageError(
      `--malformed: no layer, class or prefix of a class matches ${selectors.join(', ')}; --malformed list shows them`,
    )
  if (args.encrypted || args.archive !== undefined)
    throw usageError('--encrypted and --archive go with invoices, not with malformed requests')
  const count = args.count ?? entries.length
  const draw = seededDraw(options.seed)
  const secret = { key: drawBytes(draw, 32), iv: drawBytes(draw, 16) }
  return {
    documents: (from) => malformedRequests({ ...options, count }, entries, secret, from),
    description: { ...options, count, malformed: selectors },
    expected: count,
  }
}

/** Prints every class of malformation: what it is, and how a service refuses it or lint warns of it. */
function listMalformations({ json }: GenerateArguments, io: Io): number {
  for (const { id, layer, of, warns, summary } of doubtfulInvoices())
    io.out(
      json
        ? `${JSON.stringify({ id, layer, of, expect: 'accepted', warning: warns, summary })}\n`
        : `${layer.padEnd(14)} ${id}  ${summary} (accepted; lint warns: ${warns})\n`,
    )
  for (const entry of [...invoiceMalformations(), ...requestMalformations()]) {
    const { id, layer, of, rule, refusedAs, summary } = entry
    io.out(
      json
        ? `${JSON.stringify({ id, layer, of, rule, expect: refusedAs, summary })}\n`
        : `${layer.padEnd(14)} ${id}  ${summary} (${refusedAs})\n`,
    )
  }
  return exits.conformant
}

function workOf(args: GenerateArguments, seed: number, cwd: string): Work {
  const { count, malformed, coverage } = args
  if (args.xsd !== undefined) {
    const xsd = path.resolve(cwd, args.xsd)
    const wanted = count ?? (coverage ? 2_000 : defaultCount)
    const options = { xsd, root: args.root!, seed, count: wanted, coverage }
    const stream = schemaDocuments(options)
    return {
      documents: stream.documents,
      description: { ...options, xsd: path.basename(xsd) },
      expected: coverage ? undefined : wanted,
      bounded: stream.bounded,
      ...(coverage && { report: stream.report }),
    }
  }
  if (coverage) {
    const stream = coverageDocuments(args.schema, seed, count)
    const description = {
      schema: args.schema,
      seed,
      coverage,
      ...(count !== undefined && { count }),
    }
    return { documents: stream.documents, description, expected: undefined, report: stream.report }
  }
  const options = corpusOptions(args, seed)
  if (malformed !== undefined) {
    const selectors = malformed.length > 0 ? malformed : ['all']
    const classes = selectMalformations(args.schema, selectors).length
    const wanted = { ...options, ...(count !== undefined && { count }) }
    const doubtful = classes > 0 ? [] : selectDoubtful(args.schema, selectors)
    if (doubtful.length > 0) {
      const each = { ...options, count: count ?? doubtful.length }
      return {
        documents: (from) => doubtfulDocuments(each, doubtful, findFaults(args), from),
        description: { ...each, malformed: selectors },
        expected: each.count,
      }
    }
    if (classes === 0) return malformedRequestsOf(args, options, selectors)
    return {
      documents: (from) => malformedDocuments(wanted, selectors, findFaults(args), from),
      description: { ...wanted, malformed: selectors },
      expected: count ?? classes,
    }
  }
  const wanted = { ...options, count: count ?? defaultCount }
  return {
    documents: (from) => validDocuments(wanted, from),
    description: wanted,
    expected: wanted.count,
  }
}

/** The documents in the index of a directory. */
function* indexed(directory: string): Generator<ZipEntry> {
  const index = readFileSync(path.join(directory, 'index.ndjson'), 'utf8').trim().split('\n')
  for (const line of index) {
    const { file } = JSON.parse(line) as { file: string }
    yield { name: file, content: new Uint8Array(readFileSync(path.join(directory, file))) }
  }
}

/** The given seed, or that of the run that began in the directory, or a random one. */
function seedFor(args: GenerateArguments, directory: string): number {
  const description = path.join(directory, 'corpus.json')
  if (args.seed !== undefined || !existsSync(description)) return seedOf(args.seed)
  const { seed } = readLeft<{ seed: number }>(description)
  return seedOf(seed)
}

function sayCoverage(io: Io, report: ReturnType<CoverageStream['report']>): void {
  io.err(
    `${report.reached} of ${report.goals} goals reached by ${counted(report.documents, 'document')}\n`,
  )
  for (const [kind, { goals, reached }] of Object.entries(report.kinds))
    io.err(`  ${kind}: ${reached} of ${goals}\n`)
  for (const { goal, reason } of report.unreached) io.err(`  not reached: ${goal} (${reason})\n`)
}

/** What the arguments or the machine do not allow, in words; undefined where the fault is the tool's. */
function explained(error: unknown): Error | undefined {
  if (
    error instanceof InvoiceOptionsError ||
    error instanceof CorpusMismatchError ||
    error instanceof PackageError ||
    error instanceof SchemaError ||
    error instanceof RangeError
  )
    return usageError(error.message)
  return systemError(error)
}

async function run(args: GenerateArguments, io: Io): Promise<number> {
  const directory = path.resolve(io.cwd, args.out)
  const seed = seedFor(args, directory)
  io.err(`seed ${seed}\n`)
  const { documents, description, expected, report, bounded } = workOf(args, seed, io.cwd)
  const secret =
    args.encrypted || args.archive !== undefined ? secretOf(directory, args) : undefined
  let bar: ReturnType<typeof progress> | undefined
  const { resumedAt, written, repaired } = await writeCorpus(
    (from) => {
      bar = progress(io, 'generate', { from, total: expected })
      return secret && args.encrypted ? withBodies(documents(from), secret) : documents(from)
    },
    {
      directory,
      description: { ...description, ...(args.encrypted && { encrypted: true }) },
      signal: io.signal,
      onLine: (line) => {
        if (args.json) io.out(`${JSON.stringify(line)}\n`)
      },
      onProgress: (done) => bar?.at({ done }),
    },
  )
  bar?.end()
  io.err(
    `${counted(written, 'document')} in ${typedPath(directory, io.cwd)}${resumedAt > 0 ? ` (${resumedAt} from an earlier run${repaired > 0 ? `, of which ${repaired} missing or damaged and written again` : ''})` : ''}; seed ${seed}\n`,
  )
  if (io.signal.aborted) throw interrupted('interrupted; run the same command again to continue')
  if (secret && args.archive !== undefined) {
    const partBytes = args.partBytes ?? defaultPartBytes
    const maxParts = args.allowInvalid ? Infinity : limits['batch.parts'].value
    const files = writePackage(directory, indexed(directory), secret, { partBytes, maxParts })
    io.err(`${files.map((file) => typedPath(path.resolve(directory, file), io.cwd)).join(', ')}\n`)
  }
  const cut = bounded?.() ?? 0
  if (cut > 0)
    io.err(
      `${counted(cut, 'document')} reached the bound on depth or size: optional content of elements that contain themselves ends there\n`,
    )
  if (report) sayCoverage(io, report())
  return exits.conformant
}

export const generate: Command<GenerateArguments> = {
  usage: 'generate',
  summary: 'Generate valid invoices, or invoices with exactly one fault',
  options: generateOptions,
  examples: {
    'generate --count 500 --profile services --seed 7 --out invoices':
      'the same 500 invoices each time',
    'generate --malformed all --out broken': 'one of each class that a service must reject',
    'generate --xsd next-year.xsd --root Faktura --count 100': 'documents of your own schema',
  },
  run: async (args, io) => {
    checkArguments(args)
    if (args.malformed?.join() === 'list') return listMalformations(args, io)
    try {
      return await run(args, io)
    } catch (error) {
      throw explained(error) ?? error
    }
  },
}
