import { endpoint } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import type { Fixtures } from '../../support/harness/fixtures.ts'
import { lists } from '../../support/judging/lasting-facts.ts'
import { pagesByNumber, pagesByToken } from '../../support/answers/paged-lists.ts'
import type { Row } from '../../support/answers/paged-lists.ts'
import { all, asking } from '../../support/judging/row-filters.ts'
import { shuffled } from '../../../lib/random.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { withoutRates } from '../../support/service/target.ts'
import { expect, test } from '../../support/harness/test.ts'
import {
  authorizations,
  certificates,
  granted,
  held,
  inEu,
  invoices,
  serviceTokens,
  sessions,
} from '../../support/scenes/stocked-lists.ts'
import type { Reader } from '../../support/scenes/stocked-lists.ts'

/**
 * What each reader of a list finds with a filter is what the whole list shows that reader and the filter keeps: with each
 * filter and with two, asked for what rows of the reader and of others say, in small pages.
 */

const rows = [
  ['queries.metadata.filters', 'invoices', 'queries.metadata', invoices],
  ['queries.general.date-range', 'invoices', 'queries.general', invoices],
  ['sessions.list.complete', 'sessions', 'sessions.list', sessions],
  ['tokens.list.narrowed', 'service tokens', 'tokens.list', serviceTokens],
  ['certificates.listed', 'certificates', 'certificates.query', certificates],
  // The rule of their filters, that of their pages, and that of whose permissions they have.
  ...(
    ['permissions.query.narrowed', 'permissions.query.paged', 'permissions.query.scope'] as const
  ).flatMap(
    (id) =>
      [
        [id, 'granted to persons', 'permissions.queryPersons', granted],
        [id, 'held', 'permissions.queryPersonal', held],
        [id, 'authorizations', 'permissions.queryAuthorizations', authorizations],
        [id, 'in an EU entity', 'permissions.queryEu', inEu],
      ] as const,
  ),
] as const

/** All rows that a reader finds, in pages of the smallest size, and that nothing follows them. */
const found = async (
  { who, api, always = {} }: Reader,
  operation: OperationId,
  asked: Row,
): Promise<readonly Row[]> => {
  const field = lists[operation]?.list ?? ''
  const given = { ...always, ...asked }
  const look = (answer: Exchange) =>
    expect(answer, `the list of ${who}, asked for ${JSON.stringify(given)}`).toBeOk()
  const judged = { look, upTo: 20 }
  if (endpoint(operation).request === undefined) {
    const query = { ...(given as Record<string, string>), pageSize: 10 }
    return (await pagesByToken(api, operation, field, query, {}, judged)).flat()
  }
  const pages = await pagesByNumber(api, operation, field, { body: given, pageSize: 10 }, judged)
  const query = { pageSize: 10, pageOffset: pages.length }
  const beyond = await api.call(operation, { query, body: given })
  look(beyond)
  expect((beyond.body as Row)[field], `after the last page, ${JSON.stringify(given)}`).toEqual([])
  return pages.flat()
}

/** What to ask for: with each filter, for what rows of this reader and of the others say. */
const questions = (operation: OperationId, theirs: readonly Row[], rng: Fixtures['rng']): Row[] => {
  const by = asking[operation]?.by ?? {}
  const told = Object.entries(by).map(([name, { ask, besides = [] }]) => {
    const values = [...theirs.map((row) => ask?.(row)), ...besides]
      .filter((value) => value !== undefined)
      .flatMap((value) => (typeof value === 'boolean' ? [value, !value] : [value]))
    return [name, [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]]
  }) as [string, unknown[]][]
  const some = ([name, values]: [string, unknown[]]): Row[] =>
    shuffled(rng, values)
      .slice(0, 3)
      .map((value) => ({ [name]: value }))
  const single = told.map(some)
  const pairs = single.flatMap((ones, place) =>
    single.slice(place + 1).flatMap((others) => {
      const [one, other] = [ones[0], others.at(-1)]
      return one === undefined || other === undefined ? [] : [{ ...one, ...other }]
    }),
  )
  return [...single.flat(), ...pairs]
}

for (const [id, what, operation, scene] of rows)
  test(
    ...familyRule(id, 'asked list', what),
    async ({ api, login, own, another, limited, rng, target, clock, invoice }) => {
      await withoutRates(target)
      const given = { api, login, own, another, limited, rng, target, clock, invoice }
      const readers = await scene(given)
      const name = lists[operation]?.name ?? 'referenceNumber'
      const nameOf = (row: Row): string => String(row[name])
      const wholes = new Map<Reader, readonly Row[]>()
      for (const reader of readers) wholes.set(reader, await found(reader, operation, {}))
      const every = [...wholes.values()].flat()
      expect(every.length, 'rows that somebody finds').toBeGreaterThan(10)
      for (const reader of readers)
        for (const asked of questions(operation, every, rng)) {
          const typed = { ...reader.always, ...asked }
          const whole =
            'sessionType' in asked && reader.always?.['sessionType'] !== undefined
              ? await found({ ...reader, always: typed }, operation, {})
              : (wholes.get(reader) ?? [])
          const { by } = asking[operation]!
          const verdict = (row: Row) =>
            all(Object.entries(asked).map(([filter, value]) => by[filter]?.fits(row, value)))
          const unclear = new Set(whole.filter((row) => verdict(row) === undefined).map(nameOf))
          const names = (await found(reader, operation, asked))
            .map(nameOf)
            .filter((one) => !unclear.has(one))
          expect(
            names.toSorted(),
            `what ${reader.who} finds with ${JSON.stringify(typed)}`,
          ).toEqual(
            whole
              .filter((row) => verdict(row) === true)
              .map(nameOf)
              .toSorted(),
          )
        }
    },
  )
