import type { OperationId } from '../../contract/endpoints.ts'
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
