import type { RefusalId } from '../../contract/errors.ts'
import type { Draw } from '../draw/draw.ts'
import { contractSchema } from '../schema/contract.ts'
import { readXml } from '../schema/reader.ts'
import { validate } from '../schema/validate.ts'
import type { AuthRequestRow } from './auth-request-rows.ts'
import { earlyRows } from './auth-request-hostile.ts'
import { schemaRows } from './auth-request-rows.ts'
import type { Fault, Malformation } from './malformation.ts'

/** The unsigned request as text, without a declaration; it is signed after the fault was put in. */
export interface AuthRequestMalformation extends Malformation {
  readonly of: 'auth-request'
  /** A fault that schema validation detects; the others are detected before it. */
  readonly seenBy: 'bytes' | 'parser' | 'schema'
  readonly apply: (xml: string, draw: Draw) => { readonly xml: string; readonly fault: Fault }
}

/** Whether our validator accepts a request (the signature is put in later). */
export function isValidAuthRequest(xml: string): boolean {
  const { root: element } = readXml(xml)
  const file = element.namespace.endsWith('/2.0')
    ? 'auth-token-request-2.0.xsd'
    : 'auth-token-request-2.1.xsd'
  return validate(contractSchema(file), element).length === 0
}

/** Malformed requests for authentication. */
export function authRequests(): AuthRequestMalformation[] {
  const make = (
    { id, summary, path, write, rule = 'transport.malformed-body' }: AuthRequestRow,
    seenBy: AuthRequestMalformation['seenBy'],
    refusedAs: RefusalId,
  ): AuthRequestMalformation => ({
    id: `auth-request:${id}`,
    layer: 'auth-request',
    of: 'auth-request',
    rule,
    refusedAs,
    seenBy,
    summary,
    apply: (xml) => ({ xml: write(xml), fault: { path, new: summary } }),
  })
  return [
    ...earlyRows.map((row) => make(row, row.seenBy, row.refusedAs)),
    ...schemaRows.map((row) => make(row, 'schema', row.refusedAs ?? 'document-schema')),
  ]
}
