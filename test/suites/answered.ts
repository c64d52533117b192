import type { OperationId } from '../../contract/endpoints.ts'
import type { Exchange } from '../../lib/exchange.ts'

/** Exchanges for tests of what is read off the answers of a check. */

let turn = 0

/** A success with a JSON body, after all that were made before it. */
export const answered = (
  operation: OperationId,
  request: Exchange['request'],
  body: unknown,
  span: Exchange['span'] = [++turn, ++turn],
): Exchange => ({
  operation,
  request,
  status: 200,
  headers: { 'content-type': 'application/json' },
  bytes: new TextEncoder().encode(JSON.stringify(body)),
  text: JSON.stringify(body),
  body,
  startedAt: 0,
  ms: 1,
  span,
})
