import type { OperationId } from '../../contract/endpoints.ts'
import type { RefusalId } from '../../contract/errors.ts'
import type { Client } from '../client.ts'
import type { Exchange } from '../exchange.ts'
import { poll } from '../poll.ts'

/** Few polls with long pauses: the rate limit of retrievals is low. */
const polling = { everyMs: 1_000, times: 12, atMostMs: 4_000 }

/**
 * Retrieves an accepted invoice: the service may still have to store it.
 * @param isRefused whether an answer is this refusal
 * @returns the last answer
 */
export const retrieveStored = async (
  client: Client,
  operation: OperationId,
  path: Readonly<Record<string, string>>,
  isRefused: (answer: Exchange, id: RefusalId) => boolean,
): Promise<Exchange> => {
  const { last } = await poll(
    () => client.call(operation, { path }),
    (answer) => !isRefused(answer, 'invoice-not-yet-stored'),
    { ...polling, sleep: client.sleep },
  )
  return last
}
