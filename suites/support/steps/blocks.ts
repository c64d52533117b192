import type { Client } from '../../../lib/client.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import type { Context } from '../../../lib/flows/login.ts'
import { expectOk } from '../../../lib/outcome.ts'

/** Contexts that are blocked by test data, and unblocked. */

const change =
  (operation: 'testdata.blockContext' | 'testdata.unblockContext') =>
  async (api: Client, { type, value }: Context): Promise<Exchange> =>
    expectOk(await api.call(operation, { body: { contextIdentifier: { type, value } } }), operation)

/** @throws {Inconclusive} when it is refused */
export const block = change('testdata.blockContext')

/** @throws {Inconclusive} when it is refused */
export const unblock = change('testdata.unblockContext')
