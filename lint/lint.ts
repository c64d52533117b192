import { limits } from '../contract/limits.ts'
import { isDay } from '../generators/invoice/dates.ts'
import { arithmetic } from './arithmetic.ts'
import { decodeDocument } from './bytes.ts'
import type { Warn } from './invoice-facts.ts'
import { at, first } from './invoice-facts.ts'
import { pathAt, placeOf } from './place.ts'
import { references } from './references.ts'
import type { Schema } from '../generators/schema/model.ts'
import type { ReadDocument } from '../generators/schema/reader.ts'
import { readXml, XmlError } from '../generators/schema/reader.ts'
import { validate } from '../generators/schema/validate.ts'

/** One remark about a document. */
export interface LintFinding {
  /** An `error` is refused by the service; a `warning` is not, as far as is documented. */
  readonly severity: 'error' | 'warning'
  /** Name of the check, such as `schema.unexpected` or `grand-total`. */
  readonly rule: string
  /** From 1. */
  readonly line: number
  readonly column: number
  /** Such as `Faktura/Fa/P_15`; empty where the document as a whole is meant. */
  readonly path: string
  readonly message: string
  readonly advice: string
}

export interface LintOptions {
  /** Schemas by namespace; a document of another namespace is an error. */
  readonly schemas: ReadonlyMap<string, Schema>
  /** Day of receipt, ISO date; default: today. P_1 may not be later. */
  readonly today?: string
}

const schemaAdvice: Readonly<Record<string, string>> = {
  root: 'Use the namespace and root element of the schema that the session was opened with.',
  unexpected: 'Check order, spelling and how often the element may stand.',
  missing: 'Add what the schema requires.',
  value: 'Write a value that the type takes.',
  fixed: 'The schema fixes this value.',
  text: 'Put text into elements only where the schema has text.',
  'attribute-missing': 'Add the attribute.',
  'attribute-unknown': 'Remove the attribute.',
  repeated: 'Let it stand once.',
}

/** So many times the highest limit, and nobody raises it: such a document is not read. */
const hopeless = 10

/**
 * Checks an invoice as the service would, in its order: bytes, well-formedness, schema, dates, size; and beyond:
 * arithmetic and references, as warnings.
 */
export function lintInvoice(bytes: Uint8Array, { schemas, today }: LintOptions): LintFinding[] {
  const findings: LintFinding[] = []
  const error = (
    rule: string,
    line: number,
    column: number,
    path: string,
    message: string,
    advice: string,
  ) => findings.push({ severity: 'error', rule, line, column, path, message, advice })

  const tooLarge = (limit: number) =>
    error(
      'size',
      1,
      1,
      '',
      `${bytes.length} bytes are more than ${limit}`,
      'Split the invoice, or ask for higher limits.',
    )
  const most = limits['invoice.bytesWithAttachment'].value
  if (bytes.length > hopeless * most) {
    tooLarge(most)
    return findings
  }
  const decoded = decodeDocument(bytes)
  if ('fault' in decoded) {
    const { rule, offset, message, advice } = decoded.fault
    const before = new TextDecoder().decode(bytes.subarray(0, offset))
    const { line, column, path } = placeOf(before, before.length)
    error(rule, line, column, path, `${message} (byte ${offset})`, advice)
    return findings
  }
  for (const { rule, offset, message, advice } of decoded.faults) {
    const { line, column, path } = placeOf(decoded.text, offset)
    error(rule, line, column, path, message, advice)
  }
  let document: ReadDocument
  try {
    document = readXml(decoded.text)
  } catch (fault) {
    if (!(fault instanceof XmlError)) throw fault
    const { line, column, message } = fault
    error(
      'well-formed',
      line,
      column,
      pathAt(decoded.text.replace(/\r\n?/g, '\n'), line, column),
      message,
      'Make the document well-formed XML without a document type declaration.',
    )
    return findings
  }
  for (const { line, column, target } of document.instructions) {
    error(
      'instruction',
      line,
      column,
      pathAt(decoded.text.replace(/\r\n?/g, '\n'), line, column),
      `processing instruction ${target} is refused`,
      'Remove it.',
    )
  }
  for (const { line, column, namespace } of document.oddNamespaces) {
    error(
      'namespace-name',
      line,
      column,
      pathAt(decoded.text.replace(/\r\n?/g, '\n'), line, column),
      `"${namespace}" is no URI, so it names no namespace`,
      'Leave the declaration out, or write a URI.',
    )
  }
  const { root } = document
  const schema = schemas.get(root.namespace)
  if (!schema) {
    error(
      'schema.root',
      root.line,
      root.column,
      root.name,
      `namespace "${root.namespace}" belongs to no schema`,
      schemaAdvice['root']!,
    )
    return findings
  }
  for (const { kind, line, column, path, message } of validate(schema, root)) {
    error(`schema.${kind}`, line, column, path, message, schemaAdvice[kind]!)
  }
  const attached = first(root, 'Zalacznik') !== undefined
  const limit = limits[attached ? 'invoice.bytesWithAttachment' : 'invoice.bytes'].value
  if (bytes.length > limit) tooLarge(limit)
  const fa = first(root, 'Fa')
  if (!fa) return findings
  const issued = at(root, 'Fa', 'P_1')
  const day = today ?? new Date().toISOString().slice(0, 10)
  // What is no date the schema refuses.
  if (issued && isDay(issued.text.trim()) && issued.text.trim() > day) {
    error(
      'issue-date',
      issued.line,
      issued.column,
      'Faktura/Fa/P_1',
      `issued ${issued.text}, which is after ${day}`,
      'P_1 may not be later than the day of receipt.',
    )
  }
  const warn: Warn = ({ line, column }, path, rule, message, advice) =>
    findings.push({ severity: 'warning', rule, line, column, path, message, advice })
  arithmetic(fa, warn)
  references(root, fa, warn)
  return findings
}
