import type { OperationId } from '../../contract/endpoints.ts'
import type { Mutant } from './mutant.ts'
import { answers } from './rewrite.ts'

/** Documents with another hash in their header. */
export const hashes = (at: readonly OperationId[], hash: (bytes: Uint8Array) => string): Mutant =>
  answers(at, (answer) => ({
    ...answer,
    headers: { 'x-ms-meta-hash': hash(answer.bytes ?? new Uint8Array()) },
  }))
