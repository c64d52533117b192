import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { CorpusOptions } from '../../generators/corpus/corpus.ts'
import { InvoiceOptionsError, invoiceKinds, profiles } from '../../generators/invoice/invoice.ts'
import type { ZipEntry } from '../../generators/requests/zip.ts'
import {
  coverageDocuments,
  malformedDocuments,
  schemaDocuments,
  selectMalformations,
  validDocuments,
  withBodies,
} from '../../generators/corpus/streams.ts'
import type { CoverageStream } from '../../generators/corpus/streams.ts'
import { CorpusMismatchError, writeCorpus } from '../../generators/corpus/write.ts'
import type { WrittenDocument } from '../../generators/corpus/write.ts'
import { PackageError, writePackage } from '../../generators/corpus/package.ts'
import { SchemaError } from '../../generators/schema/model.ts'
import type { Command } from '../command.ts'
import { shared } from '../command.ts'
import type { GenerateArguments } from '../generate/arguments.ts'
import { checkArguments } from '../generate/arguments.ts'
import { progress } from '../generate/progress.ts'
import { secretOf } from '../generate/secret.ts'
import type { Io } from '../io.ts'
import { couldNotRun, exits, usageError } from '../io.ts'
import { namespaceOf, seedOf } from '../options.ts'

/** Documents that are made where nobody says how many. */
const usualCount = 10
/** Plain bytes of a part of a package, unless said. */
const usualPart = 50_000_000

/** What is to be written: from a document on, and what can be said when all are. */
interface Work {
  readonly documents: (from: number) => Iterable<WrittenDocument>
  readonly description: Readonly<Record<string, unknown>>
  readonly expected: number | undefined
  readonly report?: CoverageStream['report']
}

function corpusOptions(args: GenerateArguments, seed: number): Omit<CorpusOptions, 'count'> {
  return {
    schema: args.schema,
    seed,
    namespace: namespaceOf(args.namespace),
    profile: args.profile ?? 'general',
    attachment: args.attachment,
    ...(args.seller.length > 0 && { sellers: args.seller }),
    ...(args.buyer !== undefined && { buyer: args.buyer }),
    ...(args.kind !== undefined && { kind: args.kind }),
    ...(args.lines !== undefined && { lines: args.lines }),
    ...(args.bytes !== undefined && { bytes: args.bytes }),
    ...(args.issueDate !== undefined && { issueDate: args.issueDate }),
  }
}

function workOf(args: GenerateArguments, seed: number, cwd: string): Work {
  const { count, malformed, coverage } = args
  if (args.xsd !== undefined) {
    const xsd = path.resolve(cwd, args.xsd)
    const wanted = count ?? (coverage ? 2_000 : usualCount)
    const options = { xsd, root: args.root!, seed, count: wanted, coverage }
    const stream = schemaDocuments(options)
    return {
      documents: stream.documents,
      description: { ...options, xsd: path.basename(xsd) },
      expected: coverage ? undefined : wanted,
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
    if (classes === 0)
      throw usageError(
        `--malformed: no class, layer or beginning of a class is named ${selectors.join(', ')}; docs/reference/malformations.md lists them`,
      )
    const wanted = { ...options, ...(count !== undefined && { count }) }
    return {
      documents: (from) => malformedDocuments(wanted, selectors, from),
      description: { ...wanted, malformed: selectors },
      expected: count ?? classes,
    }
  }
  const wanted = { ...options, count: count ?? usualCount }
  return {
    documents: (from) => validDocuments(wanted, from),
    description: wanted,
    expected: wanted.count,
  }
}

/** The documents that stand in the index of a directory. */
function* indexed(directory: string): Generator<ZipEntry> {
  const index = readFileSync(path.join(directory, 'index.ndjson'), 'utf8').trim().split('\n')
  for (const line of index) {
    const { file } = JSON.parse(line) as { file: string }
    yield { name: file, content: new Uint8Array(readFileSync(path.join(directory, file))) }
  }
}

/** The seed that was asked for, or that of the run which began in the directory, or a fresh one. */
function seedFor(args: GenerateArguments, directory: string): number {
  const description = path.join(directory, 'corpus.json')
  if (args.seed !== undefined || !existsSync(description)) return seedOf(args.seed)
  const { seed } = JSON.parse(readFileSync(description, 'utf8')) as { seed?: number }
  return seedOf(seed)
}

function sayCoverage(io: Io, report: ReturnType<CoverageStream['report']>): void {
  io.err(`${report.reached} of ${report.goals} goals reached by ${report.documents} documents\n`)
  for (const [kind, { goals, reached }] of Object.entries(report.kinds))
    io.err(`  ${kind}: ${reached} of ${goals}\n`)
  for (const { goal, reason } of report.unreached) io.err(`  not reached: ${goal} (${reason})\n`)
}

/** What the machine refuses, in words; undefined where the fault is the tool's. */
function explained(error: unknown): Error | undefined {
  if (
    error instanceof InvoiceOptionsError ||
    error instanceof CorpusMismatchError ||
    error instanceof PackageError ||
    error instanceof SchemaError ||
    error instanceof RangeError
  )
    return usageError(error.message)
  const { code, message } = error as NodeJS.ErrnoException
  switch (code) {
    case 'ENOENT':
    case 'EISDIR':
    case 'ENOTDIR':
    case 'EEXIST':
      return usageError(message)
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return couldNotRun(`${message}: take a directory that can be written`)
    case 'ENOSPC':
    case 'EDQUOT':
      return couldNotRun(`${message}: make room; the same command goes on where it stopped`)
    default:
      return undefined
  }
}

async function run(args: GenerateArguments, io: Io): Promise<number> {
  const directory = path.resolve(io.cwd, args.out)
  const seed = seedFor(args, directory)
  io.err(`seed ${seed}\n`)
  const { documents, description, expected, report } = workOf(args, seed, io.cwd)
  const secret =
    args.encrypted || args.archive !== undefined ? secretOf(directory, args) : undefined
  let bar: ReturnType<typeof progress> | undefined
  const { resumedAt, written } = await writeCorpus(
    (from) => {
      bar = progress(io, expected, from)
      return secret && args.encrypted ? withBodies(documents(from), secret) : documents(from)
    },
    {
      directory,
      description: { ...description, ...(args.encrypted && { encrypted: true }) },
      signal: io.signal,
      onLine: (line) => {
        if (args.json) io.out(`${JSON.stringify(line)}\n`)
      },
      onProgress: (done) => bar?.at(done),
    },
  )
  bar?.end()
  io.err(
    `${written} documents in ${directory}${resumedAt > 0 ? ` (${resumedAt} were there)` : ''}; seed ${seed}\n`,
  )
  if (io.signal.aborted)
    throw couldNotRun('stopped; the same command goes on where this one stopped')
  if (secret && args.archive !== undefined) {
    const partBytes = args.partBytes ?? usualPart
    io.err(`${writePackage(directory, indexed(directory), secret, partBytes).join(', ')}\n`)
  }
  if (report) sayCoverage(io, report())
  return exits.conformant
}

export const generate: Command<GenerateArguments> = {
  usage: 'generate',
  summary: 'Write invoices, valid ones that add up or malformed ones, as many as you like',
  options: {
    schema: { choices: ['fa2', 'fa3'] as const, default: 'fa3', describe: 'invoice schema' },
    count: { type: 'number', describe: `how many; ${usualCount} when absent` },
    profile: {
      choices: Object.keys(profiles),
      describe: 'kind of business; general when absent',
    },
    kind: { choices: invoiceKinds, describe: 'RodzajFaktury' },
    lines: { type: 'number', describe: 'number of lines, 1 to 10,000' },
    bytes: { type: 'number', describe: 'size of each document, hit exactly' },
    attachment: { type: 'boolean', default: false, describe: 'with a structured attachment' },
    seller: { type: 'string', array: true, default: [], describe: 'NIP of the seller, repeatable' },
    buyer: { type: 'string', describe: 'NIP of the buyer' },
    'issue-date': { type: 'string', describe: 'P_1, for example 2026-06-15' },
    malformed: {
      type: 'string',
      array: true,
      describe:
        'malformed documents: all, a layer, or the beginning of a class; one of each without --count',
    },
    coverage: {
      type: 'boolean',
      default: false,
      describe: 'documents that together reach everything the schema allows, and a report of it',
    },
    xsd: { type: 'string', describe: 'documents of this schema instead; needs --root' },
    root: { type: 'string', describe: 'root element in the schema of --xsd' },
    encrypted: {
      type: 'boolean',
      default: false,
      describe: 'beside each document the body that submits it, encrypted',
    },
    archive: { choices: ['zip'] as const, describe: 'a batch package of all documents, in parts' },
    'part-bytes': {
      type: 'number',
      describe: `plain bytes of a part of the package; ${usualPart} when absent`,
    },
    key: {
      type: 'string',
      describe: 'AES key, 32 bytes in Base64; that of the directory, or a fresh one, when absent',
    },
    iv: {
      type: 'string',
      describe: 'initialization vector, 16 bytes in Base64; as the key',
    },
    seed: shared.seed,
    namespace: {
      ...shared.namespace,
      default: 'generate',
      describe: 'namespace of the invoice numbers; constant unless set',
    },
    out: { type: 'string', default: 'generated', describe: 'directory of the documents' },
    json: { ...shared.json, describe: 'one line of JSON per document on standard output' },
  },
  examples: {
    'generate --count 500 --profile services --seed 7 --out invoices': 'always the same 500',
    'generate --malformed all --out broken': 'one of each class that a service must refuse',
    'generate --xsd next-year.xsd --root Faktura --count 100': 'documents of a schema of your own',
  },
  run: async (args, io) => {
    checkArguments(args)
    try {
      return await run(args, io)
    } catch (error) {
      throw explained(error) ?? error
    }
  },
}
