import type { Client } from '../../../lib/client.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { expectText } from '../../../lib/outcome.ts'
import { choice } from '../steps/filter-pairs.ts'
import type { Row } from '../answers/paged-lists.ts'
import { fields } from '../steps/steps.ts'

/** Collective identifiers, created and searched. */

export const day = 24 * 3600 * 1000

/** Asks for an identifier of some invoices. */
export const create = (api: Client, invoices: readonly object[]) =>
  api.call('invoices.createCollective', { body: { invoices } })

/**
 * The identifier of some invoices.
 * @throws {Inconclusive} when it is not created
 */
export const created = async (api: Client, invoices: readonly object[]): Promise<string> =>
  expectText(
    await create(api, invoices),
    'create a collective identifier',
    'collectiveIdentifierNumber',
  )

/** A day before and after an instant. */
export const createdAround = (now: number) => {
  const at = (ms: number) => new Date(now + ms).toISOString()
  return { dateCreatedFrom: at(-day), dateCreatedTo: at(day) }
}

/** Asks for those that were created within a day, and match further filters. */
export const search = (now: number) => (api: Client) => (given: object) =>
  api.call('invoices.queryCollectives', {
    query: { pageSize: 10 },
    body: { ...createdAround(now), ...given },
  })

export const numbersIn = (answer: Exchange): string[] =>
  (fields(answer)['collectiveIdentifiers'] as readonly Row[]).map((row) =>
    String(row['collectiveIdentifierNumber']),
  )

/** What a party finds, and each filter keeps of it. */
export const choicesFor = (
  rows: readonly { readonly number: string; readonly count: number; readonly isOwn: boolean }[],
  numbers: readonly string[],
) => {
  const keeps = (given: object, kept: (row: (typeof rows)[number]) => boolean) =>
    choice({ ...given }, ...rows.filter(kept).map(({ number }) => number))
  return {
    dates: [keeps({}, () => true)],
    from: [1, 2].map((from) => keeps({ invoiceCountFrom: from }, ({ count }) => count >= from)),
    to: [1, 2].map((to) => keeps({ invoiceCountTo: to }, ({ count }) => count <= to)),
    number: numbers.map((one) =>
      keeps({ collectiveIdentifierNumber: one }, ({ number }) => number === one),
    ),
    context: [true, false].map((own) =>
      keeps({ createdInCurrentContext: own }, ({ isOwn }) => isOwn === own),
    ),
  }
}
