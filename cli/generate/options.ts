import type { Options } from 'yargs'
import { invoiceKinds, profiles } from '../../generators/invoice/invoice.ts'
import { groups, shared } from '../command.ts'

/** Number of documents without --count. */
export const defaultCount = 10
/** Maximum size of a part of a package, before encryption. */
export const defaultPartBytes = 50_000_000

/** The options of `assay generate`, in the order of its help. */
export const generateOptions: Readonly<Record<string, Options>> = {
  schema: {
    choices: ['fa2', 'fa3'] as const,
    default: 'fa3',
    group: groups.scope,
    describe: 'Invoice schema',
  },
  count: {
    type: 'number',
    group: groups.scope,
    describe: `Number of documents; ${defaultCount} when absent`,
  },
  malformed: {
    type: 'string',
    array: true,
    group: groups.scope,
    describe:
      'Malformed documents: all (invoices), a layer, the prefix of a class; list shows the classes',
  },
  coverage: {
    type: 'boolean',
    default: false,
    group: groups.scope,
    describe: 'Documents that together cover everything the schema allows, with a report',
  },
  xsd: {
    type: 'string',
    group: groups.scope,
    describe: 'Documents of this schema instead of invoices; requires --root',
  },
  root: { type: 'string', group: groups.scope, describe: 'Root element in the schema of --xsd' },
  profile: {
    choices: Object.keys(profiles),
    group: groups.documents,
    describe: 'Kind of business; general when absent',
  },
  kind: {
    choices: invoiceKinds,
    group: groups.documents,
    describe: 'Kind of invoice (RodzajFaktury)',
  },
  lines: { type: 'number', group: groups.documents, describe: 'Number of lines, 1 to 10,000' },
  bytes: { type: 'number', group: groups.documents, describe: 'Exact size of each document' },
  attachment: {
    type: 'boolean',
    default: false,
    group: groups.documents,
    describe: 'Add a structured attachment',
  },
  'allow-invalid': {
    type: 'boolean',
    default: false,
    group: groups.documents,
    describe: 'Generate what the service refuses (size, NIP, date of FA(2)), marked in corpus.json',
  },
  seller: {
    type: 'string',
    array: true,
    default: [],
    group: groups.documents,
    describe: 'NIP of the seller; repeatable',
  },
  buyer: { type: 'string', group: groups.documents, describe: 'NIP of the buyer' },
  'issue-date': {
    type: 'string',
    group: groups.documents,
    describe: 'Issue date (P_1), for example 2026-06-15',
  },
  encrypted: {
    type: 'boolean',
    default: false,
    group: groups.packaging,
    describe: 'Also write the encrypted request body that submits each document',
  },
  archive: {
    choices: ['zip'] as const,
    group: groups.packaging,
    describe: 'Also write a batch package of all documents, in parts',
  },
  'part-bytes': {
    type: 'number',
    group: groups.packaging,
    describe: `Maximum size of a part before encryption; ${defaultPartBytes} when absent`,
  },
  key: {
    type: 'string',
    group: groups.packaging,
    describe: "AES key, 32 bytes in Base64; absent: the directory's, or a random one",
  },
  iv: {
    type: 'string',
    group: groups.packaging,
    describe: 'Initialization vector, 16 bytes in Base64; absent: as for --key',
  },
  seed: shared.seed,
  namespace: {
    ...shared.namespace,
    default: 'generate',
    describe: 'Namespace of the invoice numbers',
  },
  out: {
    type: 'string',
    default: 'generated',
    group: groups.output,
    describe: 'Directory of the documents',
  },
  json: { ...shared.json, describe: 'Print one line of JSON per document on standard output' },
}
