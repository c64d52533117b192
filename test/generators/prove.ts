import type { XsdValidator } from 'libxml2-wasm'
import { lintInvoice } from '../../lint/lint.ts'
import type { InvoiceMalformation } from '../../generators/faults/malformation.ts'
import type { Malformed } from '../../generators/faults/invoices.ts'
import { invoiceSchemasByNamespace } from '../../generators/schema/contract.ts'
import { readXml } from '../../generators/schema/reader.ts'
import { serialize } from '../../generators/schema/serialize.ts'
import { objectionsOf } from './judge.ts'
import { positionsOf } from './positions.ts'

const schemas = invoiceSchemasByNamespace()

/**
 * Objections to a class, from one of its documents: the document before must be valid, the one after must not be, and
 * the independent validator must find the fault where the class says it is. Empty if the class is proved.
 */
export function complaintsAbout(
  { seenBy }: Pick<InvoiceMalformation, 'seenBy'>,
  { before, bytes, fault }: Malformed,
  validator: XsdValidator,
): string[] {
  const [valid] = objectionsOf(validator, serialize(before))
  if (valid) return [`the document is not valid before: ${valid.message}`]
  // What the checks of bytes refuse must never reach a parser.
  const objections = seenBy === 'bytes' ? [] : objectionsOf(validator, bytes)
  const lint = lintInvoice(bytes, { schemas, today: '2026-06-15' }).filter(
    ({ severity }) => severity === 'error',
  )
  switch (seenBy) {
    case 'service':
      return objections.length > 0 ? [`a schema sees it: ${objections[0]!.message}`] : []
    case 'session':
      return [
        ...(objections.length > 0 ? [] : ['the schema of the session takes it']),
        ...(lint.length > 0 ? [`it is not valid by itself: ${lint[0]!.message}`] : []),
      ]
    case 'bytes':
      return lint.length === 0 ? ['the checks of bytes see nothing'] : []
    case 'parser':
      return [
        ...(objections.length === 0 ? ['the parser takes it'] : []),
        ...(lint[0]?.rule === 'well-formed' ? [] : [`our reader says ${lint[0]?.rule}`]),
      ]
    case 'schema': {
      const [first] = objections
      if (!first) return ['it is valid after']
      const { root } = readXml(new TextDecoder().decode(bytes))
      const expected = [fault.path, ...(fault.seenAt ?? [])]
      const places = expected.flatMap((path) => positionsOf(root, path))
      const where = `${expected.join(' or ')} (${places.join(', ')})`
      return [
        ...(first.xpath !== undefined && !places.includes(first.xpath)
          ? [`seen at ${first.xpath}, expected ${where}: ${first.message}`]
          : []),
        ...(lint.some(({ path }) => expected.includes(path))
          ? []
          : [`lint sees it at ${lint[0]?.path ?? 'no place'}, expected ${expected.join(' or ')}`]),
      ]
    }
  }
}
