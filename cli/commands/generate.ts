import path from 'node:path'
import { corpus } from '../../generators/corpus.ts'
import { InvoiceOptionsError, invoiceKinds, profiles } from '../../generators/invoice/invoice.ts'
import type { InvoiceKind, ProfileId } from '../../generators/invoice/invoice.ts'
import { CorpusMismatchError, writeCorpus } from '../../generators/write-corpus.ts'
import type { Command } from '../command.ts'
import { shared } from '../command.ts'
import { exits, usageError } from '../io.ts'
import { namespaceOf, seedOf } from '../options.ts'

interface Args {
  schema: 'fa2' | 'fa3'
  count: number
  profile: ProfileId
  kind: InvoiceKind | undefined
  lines: number | undefined
  bytes: number | undefined
  attachment: boolean
  seller: string[]
  buyer: string | undefined
  issueDate: string | undefined
  seed: number | undefined
  namespace: string
  out: string
  json: boolean
}

export const generate: Command<Args> = {
  usage: 'generate',
  summary: 'Write invoices that are valid and add up, as many as you like',
  options: {
    schema: { choices: ['fa2', 'fa3'] as const, default: 'fa3', describe: 'invoice schema' },
    count: { type: 'number', default: 10, describe: 'how many' },
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
  },
  run: async (args, io) => {
    if (!Number.isInteger(args.count) || args.count < 1)
      throw usageError(`--count: expected a whole number from 1, received ${args.count}`)
    for (const nip of [...args.seller, ...(args.buyer === undefined ? [] : [args.buyer])])
      if (!/^[1-9]\d{9}$/.test(nip))
        throw usageError(`expected a NIP of ten digits, received ${JSON.stringify(nip)}`)
    const seed = seedOf(args.seed)
    const options = {
      schema: args.schema,
      count: args.count,
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
    io.err(`seed ${seed}\n`)
    const directory = path.resolve(io.cwd, args.out)
    try {
      const { resumedAt, written } = await writeCorpus((from) => corpus(options, from), {
        directory,
        description: options,
        signal: io.signal,
        onLine: (line) => {
          if (args.json) io.out(`${JSON.stringify(line)}\n`)
        },
        onProgress: (done) => {
          if (done % 500 === 0) io.err(`${done} of ${args.count}\n`)
        },
      })
      io.err(
        `${written} documents in ${directory}${resumedAt > 0 ? ` (${resumedAt} were there)` : ''}; seed ${seed}\n`,
      )
    } catch (error) {
      if (error instanceof InvoiceOptionsError || error instanceof CorpusMismatchError)
        throw usageError(error.message)
      throw error
    }
    return exits.conformant
  },
}
