import { rateRules } from '../../contract/limits.ts'
import type { Window } from '../../contract/types.ts'
import type { Client } from '../client.ts'

/** The rates that a target reports for the context, by rate rule; none where it reports none. */
export const ratesIfReported = async (
  client: Client,
): Promise<Readonly<Record<string, Window>>> => {
  const { status, body } = await client.call('limits.rates')
  if (status !== 200 || typeof body !== 'object' || body === null) return {}
  return Object.fromEntries(
    Object.entries(body).filter(
      ([rule, window]) => rule in rateRules && typeof window === 'object' && window !== null,
    ),
  ) as Record<string, Window>
}
