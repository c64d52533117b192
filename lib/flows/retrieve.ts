import type { OperationId } from '../../contract/endpoints.ts'
import type { Client } from '../client.ts'
import type { Exchange } from '../exchange.ts'
import { poll } from '../poll.ts'

/** Looks are few and far apart: the rate limit of retrievals is narrow. */
const polling = { everyMs: 1_000, times: 12, atMostMs: 4_000 }

/**
 * Retrieves an accepted invoice: the service may still have to store it.
 * @param isPending whether an answer says that it is not stored yet
 * @returns the last answer
 */
export const retrieveStored = async (
  client: Client,
  operation: OperationId,
  path: Readonly<Record<string, string>>,
  isPending: (answer: Exchange) => boolean,
): Promise<Exchange> => {
  const { last } = await poll(
    () => client.call(operation, { path }),
    (answer) => !isPending(answer),
    { ...polling, sleep: client.sleep },
  )
  return last
}
