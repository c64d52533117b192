import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { CorpusOptions } from '../../generators/corpus.ts'
import { InvoiceOptionsError, invoiceKinds, profiles } from '../../generators/invoice/invoice.ts'
import type { InvoiceKind, ProfileId } from '../../generators/invoice/invoice.ts'
import {
  coverageDocuments,
  malformedDocuments,
  packageFiles,
  schemaDocuments,
  selectMalformations,
  validDocuments,
  withBodies,
} from '../../generators/streams.ts'
import type { CoverageStream, Secret } from '../../generators/streams.ts'
import { CorpusMismatchError, writeCorpus } from '../../generators/write-corpus.ts'
import type { WrittenDocument } from '../../generators/write-corpus.ts'
import { SchemaError } from '../../generators/xsd/model.ts'
import type { Command } from '../command.ts'
import { shared } from '../command.ts'
import type { Io } from '../io.ts'
import { exits, usageError } from '../io.ts'
import { namespaceOf, seedOf } from '../options.ts'

interface Args {
  schema: 'fa2' | 'fa3'
  count: number | undefined
  profile: ProfileId
  kind: InvoiceKind | undefined
  lines: number | undefined
  bytes: number | undefined
  attachment: boolean
  seller: string[]
  buyer: string | undefined
  issueDate: string | undefined
  malformed: string[] | undefined
  coverage: boolean
  xsd: string | undefined
  root: string | undefined
  encrypted: boolean
  archive: 'zip' | undefined
  partBytes: number
  key: string | undefined
  iv: string | undefined
  seed: number | undefined
  namespace: string
  out: string
  json: boolean
}

/** Documents that are made where nobody says how many. */
const usualCount = 10
/** Documents between two lines of progress. */
const progressEvery = 500

/** What is to be written: from a document on, and what can be said when all are. */
interface Work {
  readonly documents: (from: number) => Iterable<WrittenDocument>
  readonly description: Readonly<Record<string, unknown>>
  readonly expected: number | undefined
  readonly report?: CoverageStream['report']
}

function corpusOptions(args: Args, seed: number): Omit<CorpusOptions, 'count'> {
  return {
    schema: args.schema,
    seed,
    namespace: namespaceOf(args.namespace),
    profile: args.profile,
    attachment: args.attachment,
    ...(args.seller.length > 0 && { sellers: args.seller }),
    ...(args.buyer !== undefined && { buyer: args.buyer }),
    ...(args.kind !== undefined && { kind: args.kind }),
    ...(args.lines !== undefined && { lines: args.lines }),
    ...(args.bytes !== undefined && { bytes: args.bytes }),
    ...(args.issueDate !== undefined && { issueDate: args.issueDate }),
  }
}

function workOf(args: Args, seed: number, cwd: string): Work {
  const { count, malformed, coverage } = args
  if (args.xsd !== undefined) {
    if (args.root === undefined) throw usageError('--xsd: which root element? Say --root NAME')
    const xsd = path.resolve(cwd, args.xsd)
    const wanted = count ?? (coverage ? 2_000 : usualCount)
    const options = { xsd, root: args.root, seed, count: wanted, coverage }
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

function bytesOption(name: string, text: string, length: number): Uint8Array {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== length)
    throw usageError(`--${name}: expected ${length} bytes in Base64, received ${bytes.length}`)
  return bytes
}

/** The secret that was given, or a fresh one. */
function secretOf(args: Args): Secret {
  return {
    key: args.key === undefined ? randomBytes(32) : bytesOption('key', args.key, 32),
    iv: args.iv === undefined ? randomBytes(16) : bytesOption('iv', args.iv, 16),
  }
}

function writeSecret(directory: string, { key, iv }: Secret): void {
  const text = JSON.stringify({
    key: Buffer.from(key).toString('base64'),
    iv: Buffer.from(iv).toString('base64'),
  })
  writeFileSync(path.join(directory, 'secret.json'), `${text}\n`, { mode: 0o600 })
}

function writePackage(directory: string, secret: Secret, partBytes: number): string[] {
  const index = readFileSync(path.join(directory, 'index.ndjson'), 'utf8').trim().split('\n')
  const documents = index.map((line) => {
    const { file } = JSON.parse(line) as { file: string }
    return { name: file, content: new Uint8Array(readFileSync(path.join(directory, file))) }
  })
  return packageFiles(documents, secret, partBytes).map(({ file, bytes }) => {
    writeFileSync(path.join(directory, file), bytes)
    return file
  })
}

function sayCoverage(io: Io, report: ReturnType<CoverageStream['report']>): void {
  io.err(`${report.reached} of ${report.goals} goals reached by ${report.documents} documents\n`)
  for (const [kind, { goals, reached }] of Object.entries(report.kinds))
    io.err(`  ${kind}: ${reached} of ${goals}\n`)
  for (const { goal, reason } of report.unreached) io.err(`  not reached: ${goal} (${reason})\n`)
}

function check(args: Args): void {
  if (args.count !== undefined && (!Number.isInteger(args.count) || args.count < 1))
    throw usageError(`--count: expected a whole number from 1, received ${args.count}`)
  if (!Number.isInteger(args.partBytes) || args.partBytes < 1)
    throw usageError(`--part-bytes: expected a whole number from 1, received ${args.partBytes}`)
  if (args.malformed !== undefined && (args.coverage || args.xsd !== undefined))
    throw usageError('--malformed goes neither with --coverage nor with --xsd')
  for (const nip of [...args.seller, ...(args.buyer === undefined ? [] : [args.buyer])])
    if (!/^[1-9]\d{9}$/.test(nip))
      throw usageError(`expected a NIP of ten digits, received ${JSON.stringify(nip)}`)
}

export const generate: Command<Args> = {
  usage: 'generate',
  summary: 'Write invoices, valid ones that add up or malformed ones, as many as you like',
  options: {
    schema: { choices: ['fa2', 'fa3'] as const, default: 'fa3', describe: 'invoice schema' },
    count: { type: 'number', describe: `how many; ${usualCount} when absent` },
    profile: {
      choices: Object.keys(profiles),
      default: 'general',
      describe: 'kind of business',
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
      default: 50_000_000,
      describe: 'plain bytes of a part of the package',
    },
    key: { type: 'string', describe: 'AES key, 32 bytes in Base64; fresh when absent' },
    iv: {
      type: 'string',
      describe: 'initialization vector, 16 bytes in Base64; fresh when absent',
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
    check(args)
    const seed = seedOf(args.seed)
    io.err(`seed ${seed}\n`)
    const directory = path.resolve(io.cwd, args.out)
    try {
      const { documents, description, expected, report } = workOf(args, seed, io.cwd)
      const secret = args.encrypted || args.archive !== undefined ? secretOf(args) : undefined
      const { resumedAt, written } = await writeCorpus(
        (from) =>
          secret && args.encrypted ? withBodies(documents(from), secret) : documents(from),
        {
          directory,
          description,
          signal: io.signal,
          onLine: (line) => {
            if (args.json) io.out(`${JSON.stringify(line)}\n`)
          },
          onProgress: (done) => {
            if (done % progressEvery === 0)
              io.err(`${done}${expected === undefined ? '' : ` of ${expected}`}\n`)
          },
        },
      )
      io.err(
        `${written} documents in ${directory}${resumedAt > 0 ? ` (${resumedAt} were there)` : ''}; seed ${seed}\n`,
      )
      if (secret) writeSecret(directory, secret)
      if (secret && args.archive !== undefined && !io.signal.aborted)
        io.err(`${writePackage(directory, secret, args.partBytes).join(', ')}\n`)
      if (report) sayCoverage(io, report())
    } catch (error) {
      if (
        error instanceof InvoiceOptionsError ||
        error instanceof CorpusMismatchError ||
        error instanceof SchemaError ||
        error instanceof RangeError ||
        (error as NodeJS.ErrnoException).code === 'ENOENT'
      )
        throw usageError((error as Error).message)
      throw error
    }
    return exits.conformant
  },
}
