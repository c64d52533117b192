import { invoiceSchemas } from '../contract/environments.ts'
import { limits } from '../contract/limits.ts'
import { isDay } from '../generators/invoice/dates.ts'
import type { Schema } from '../generators/schema/model.ts'
import type { ReadDocument, ReadElement } from '../generators/schema/read-document.ts'
import { readXml } from '../generators/schema/reader.ts'
import { XmlError } from '../generators/schema/read-document.ts'
import { validate } from '../generators/schema/validate.ts'
import { arithmetic } from './arithmetic.ts'
import { decodeDocument } from './bytes.ts'
import type { LintFinding } from './finding.ts'
import { Findings } from './finding.ts'
import type { Warn } from './invoice-facts.ts'
import { at, first } from './invoice-facts.ts'
import { pathAt, placeOf } from './place.ts'
import { references } from './references.ts'

export interface LintOptions {
  /** Schemas by namespace; a document of another namespace is an error. */
  readonly schemas: ReadonlyMap<string, Schema>
  /** Day of receipt, ISO date; default: today. P_1 may not be later. */
  readonly today?: string
}

const schemaAdvice: Readonly<Record<string, string>> = {
  root: 'Use the namespace and root element of the schema that the session was opened with.',
  unexpected: 'Check the order, the spelling and how often the element may occur.',
  missing: 'Add what the schema requires.',
  value: 'Write a value that the type accepts.',
  fixed: 'Write the value that the schema fixes.',
  text: 'Write text only into elements that have text.',
  type: 'Remove xsi:type, or name a type that is derived from the declared one.',
  'attribute-missing': 'Add the attribute.',
  'attribute-unknown': 'Remove the attribute.',
  repeated: 'Write it once.',
}

/** A document so many times larger than the highest limit is not read. */
const maxFactor = 10
/** Instructions and namespaces of a document that are reported with their place. */
const maxPlaced = 20

/** A document being checked. */
interface Checking {
  readonly bytes: Uint8Array
  readonly options: LintOptions
  readonly findings: Findings
}

type Place = Pick<LintFinding, 'line' | 'column' | 'path'>

function error(
  { findings }: Checking,
  rule: string,
  place: Place,
  message: string,
  advice: string,
) {
  findings.add({ severity: 'error', rule, ...place, message, advice })
}

function tooLarge(checking: Checking, limit: number): void {
  error(
    checking,
    'size',
    { line: 1, column: 1, path: '' },
    `the document has ${checking.bytes.length} bytes; at most ${limit} are allowed`,
    'Split the invoice, or ask for higher limits.',
  )
}

/** Bytes, encoding and characters; the text where it can be read. */
function decode(checking: Checking): string | undefined {
  const decoded = decodeDocument(checking.bytes)
  if ('fault' in decoded) {
    const { rule, offset, message, advice } = decoded.fault
    const before = new TextDecoder().decode(checking.bytes.subarray(0, offset))
    error(checking, rule, placeOf(before, before.length), `${message} (byte ${offset})`, advice)
    return undefined
  }
  for (const { rule, offset, message, advice } of decoded.faults) {
    error(checking, rule, placeOf(decoded.text, offset), message, advice)
  }
  return decoded.text
}

/** Well-formedness, and what the service refuses in a well-formed document. */
function parse(checking: Checking, text: string): ReadDocument | undefined {
  const placed = ({ line, column }: { line: number; column: number }): Place => ({
    line,
    column,
    path: pathAt(text.replace(/\r\n?/g, '\n'), line, column),
  })
  let document: ReadDocument
  try {
    document = readXml(text)
  } catch (fault) {
    if (!(fault instanceof XmlError)) throw fault
    const advice = 'Make the document well-formed XML without a document type declaration.'
    error(checking, 'well-formed', placed(fault), fault.message, advice)
    return undefined
  }
  const { instructions, oddNamespaces } = document
  for (const [i, each] of instructions.entries()) {
    const place = i < maxPlaced ? placed(each) : { ...each, path: '' }
    const message = `processing instruction ${each.target} is refused`
    error(checking, 'instruction', place, message, 'Remove it.')
  }
  for (const each of oddNamespaces.slice(0, maxPlaced)) {
    const here = placed(each)
    const place = { ...here, path: here.path || document.root.name }
    const message = `"${each.namespace}" is not a URI, so it names no namespace`
    error(checking, 'namespace-name', place, message, 'Leave the declaration out, or write a URI.')
  }
  return document
}

/** The schema of the namespace; undefined where the document is of none, or says that it is of another. */
function schemaFor(checking: Checking, { root, oddNamespaces }: ReadDocument): Schema | undefined {
  // Reported already.
  if (oddNamespaces.some(({ namespace }) => namespace === root.namespace)) return undefined
  const { line, column, name: path } = root
  const schema = checking.options.schemas.get(root.namespace)
  if (!schema) {
    const message = `namespace "${root.namespace}" belongs to no schema that is in force`
    error(checking, 'schema.root', { line, column, path }, message, schemaAdvice['root']!)
    return undefined
  }
  const code = at(root, 'Naglowek', 'KodFormularza')
  const stated = code?.attributes.find(({ name }) => name === 'kodSystemowy')?.value
  const other = Object.values(invoiceSchemas).find(
    ({ formCode, namespace }) => formCode.systemCode === stated && namespace !== root.namespace,
  )
  if (!code || !other) return schema
  error(
    checking,
    'schema.version',
    { line: code.line, column: code.column, path: 'Faktura/Naglowek/KodFormularza/@kodSystemowy' },
    `KodFormularza says ${stated}, but the namespace is that of another version`,
    `Use the namespace ${other.namespace}, or write the document as the other version.`,
  )
  return undefined
}

const dayOf = ({ options }: Checking) => options.today ?? new Date().toISOString().slice(0, 10)

function issueDate(checking: Checking, root: ReadElement): void {
  const issued = at(root, 'Fa', 'P_1')
  const text = issued?.text.trim() ?? ''
  const day = dayOf(checking)
  // What is not a date, the schema rejects.
  if (!issued || !isDay(text) || text <= day) return
  error(
    checking,
    'issue-date',
    { line: issued.line, column: issued.column, path: 'Faktura/Fa/P_1' },
    `issued ${text}, which is after ${day}, the day of receipt`,
    'P_1 may not be later than the day of receipt.',
  )
}

/** The meaning of an invoice that was read: dates, sums, and references between its parts. */
function meaning(checking: Checking, root: ReadElement, isIssueDateValid: boolean): void {
  const fa = first(root, 'Fa')
  if (!fa) return
  if (isIssueDateValid) issueDate(checking, root)
  const warn: Warn = ({ line, column }, path, rule, message, advice) =>
    checking.findings.add({ severity: 'warning', rule, line, column, path, message, advice })
  arithmetic(fa, warn)
  references(root, fa, dayOf(checking), warn)
}

/**
 * Checks an invoice as the service would, in its order: bytes, well-formedness, schema, dates, size; and beyond:
 * arithmetic and references, as warnings.
 */
export function lintInvoice(bytes: Uint8Array, options: LintOptions): LintFinding[] {
  const checking: Checking = { bytes, options, findings: new Findings() }
  const { findings } = checking
  const limit = limits['invoice.bytesWithAttachment'].value
  if (bytes.length > maxFactor * limit) {
    tooLarge(checking, limit)
    return findings.list()
  }
  const text = decode(checking)
  const document = text === undefined ? undefined : parse(checking, text)
  const schema = document && schemaFor(checking, document)
  if (!document || !schema) return findings.list()
  const { root } = document
  const problems = validate(schema, root)
  for (const { kind, line, column, path, message } of problems) {
    error(checking, `schema.${kind}`, { line, column, path }, message, schemaAdvice[kind]!)
  }
  const attached = first(root, 'Zalacznik') !== undefined
  const own = limits[attached ? 'invoice.bytesWithAttachment' : 'invoice.bytes'].value
  if (bytes.length > own) tooLarge(checking, own)
  meaning(checking, root, !problems.some(({ path }) => path === 'Faktura/Fa/P_1'))
  return findings.list()
}
