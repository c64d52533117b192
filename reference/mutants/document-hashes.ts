import type { OperationId } from '../../contract/endpoints.ts'
import type { AnyCall } from '../call/call.ts'
import type { State } from '../model/state.ts'
import type { Mutant } from './mutant.ts'
import { answers } from './rewrite.ts'
import { isPackage } from './ways-of-sending.ts'

/** Documents with another hash in their header. */
export const hashes = (at: readonly OperationId[], hash: (bytes: Uint8Array) => string): Mutant =>
  answers(at, (answer) => ({
    ...answer,
    headers: { 'x-ms-meta-hash': hash(answer.bytes ?? new Uint8Array()) },
  }))

/** Invoices of packages have no hash in their header. */
export const noneOfPackages: Mutant = answers(
  ['invoices.bySvcNumber'],
  ({ headers, ...answer }, { service: { state }, path }) => {
    const issued = state.issued.get(path['svcNumber'] ?? '')
    const isOne = issued !== undefined && isPackage(state.sessions.get(issued.session))
    return isOne ? answer : { ...answer, ...(headers && { headers }) }
  },
)

/** The session of the document that a call asks for. */
const sessionOfDocument = ({ path, service: { state } }: AnyCall): string | undefined => {
  const { referenceNumber, svcNumber = '', invoiceNumber = '', receiptId = '' } = path
  const [numbered] = state.issued.by('number', invoiceNumber)
  const [subject = ''] = receiptId.split('.')
  return (
    referenceNumber ??
    state.issued.get(svcNumber)?.session ??
    numbered?.session ??
    state.invoices.get(subject)?.session
  )
}

/** The hash of the first document of a session that is asked for is sent with its others. */
export const keptForTheSession = (...at: readonly OperationId[]): Mutant => {
  const kept = new WeakMap<State, Map<string, string>>()
  return answers(at, (answer, call) => {
    const { state } = call.service
    const known = kept.get(state) ?? new Map<string, string>()
    kept.set(state, known)
    const session = sessionOfDocument(call) ?? ''
    const hash = known.get(session) ?? String(answer.headers?.['x-ms-meta-hash'])
    known.set(session, hash)
    return { ...answer, headers: { 'x-ms-meta-hash': hash } }
  })
}
