import type { RuleId } from '../../../contract/rules.ts'
import type { Client } from '../../../lib/client.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { openOnline } from '../../../lib/flows/session.ts'
import { statusOf } from '../../../lib/flows/settle.ts'
import { crc8Hex } from '../../../lib/identifiers/crc8.ts'
import { expectObject } from '../../../lib/outcome.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { packed, sendBatch } from '../../support/steps/packages.ts'
import { pagesByToken } from '../../support/answers/paged-lists.ts'
import type { Row } from '../../support/answers/paged-lists.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { accept, finish, outcomeOfInvoice } from '../../support/steps/steps.ts'
import { withoutRates } from '../../support/service/target.ts'
import { expect, test as base } from '../../support/harness/test.ts'

/** The list of sessions that differ in type, outcome and times: what every filter finds, alone and in combination. */

/** Gap between a session and an instant of a filter, ms: all gaps together are shorter than an access token's life. */
const gap = 20_000

interface Session {
  readonly referenceNumber: string
  readonly sessionType: 'Online' | 'Batch'
  readonly outcome: 'InProgress' | 'Succeeded' | 'Failed' | 'Cancelled'
  readonly created: number
  /** Absent while it is open. */
  readonly closed?: number
}

interface Filter {
  readonly name: string
  readonly query: Readonly<Record<string, string | readonly string[]>>
  readonly keeps: (one: Session) => boolean
}

interface Stocked {
  readonly api: Client
  readonly all: readonly Session[]
  /** Instants between two sessions, each some way from both. */
  readonly between: readonly number[]
}

const test = base.extend<{ stocked: () => Promise<Stocked> }>({
  stocked: async ({ login, invoice, clock, target }, use) => {
    await use(async () => {
      await withoutRates(target)
      const me = await login()
      const { api } = me
      const all: Session[] = []
      const between: number[] = []
      const waitBetween = async () => {
        await clock.advance(gap)
        between.push(clock.now())
        await clock.advance(gap)
      }
      const online = async (outcome: Session['outcome'], documents: readonly Uint8Array[]) => {
        const created = clock.now()
        const session = await openOnline(api, { formCode: formCodes.fa3 })
        const desk = { api, session }
        for (const bytes of documents)
          await (outcome === 'Failed' ? outcomeOfInvoice(desk, bytes) : accept(desk, bytes))
        const { referenceNumber } = session
        const about = { referenceNumber, sessionType: 'Online' as const, outcome, created }
        if (outcome === 'InProgress') {
          all.push(about)
          return
        }
        await waitBetween()
        await finish(desk)
        all.push({ ...about, closed: clock.now() })
      }
      await online('Succeeded', [invoice().bytes])
      await waitBetween()
      await online('InProgress', [])
      await waitBetween()
      await online('Cancelled', [])
      await waitBetween()
      const created = clock.now()
      const { referenceNumber } = await sendBatch(api, await packed([invoice()]))
      const closed = clock.now()
      all.push({ referenceNumber, sessionType: 'Batch', outcome: 'Succeeded', created, closed })
      await waitBetween()
      await online('Failed', [new TextEncoder().encode('<Faktura/>')])
      return { api, all, between }
    })
  },
})

/** When a session last changed: it was opened, or closed and processed at once. */
const modified = ({ created, closed }: Session): number => closed ?? created

/** A reference number that differs only in its last digit and its checksum. */
const unlike = (reference: string): string => {
  const body = `${reference.slice(0, -4)}${reference.at(-4) === '0' ? '1' : '0'}`
  return `${body}-${crc8Hex(body)}`
}

const filtersOf = ({ all, between }: Stocked): readonly Filter[] => {
  const dates = {
    dateCreated: ({ created }: Session) => created,
    dateClosed: ({ closed }: Session) => closed,
    dateModified: modified,
  }
  return [
    ...(['Online', 'Batch'] as const).map((sessionType) => ({
      name: 'sessionType',
      query: { sessionType },
      keeps: (one: Session) => one.sessionType === sessionType,
    })),
    ...(['InProgress', 'Succeeded', 'Failed', 'Cancelled'] as const).map((outcome) => ({
      name: 'statuses',
      query: { statuses: [outcome] },
      keeps: (one: Session) => one.outcome === outcome,
    })),
    {
      name: 'statuses',
      query: { statuses: ['Failed', 'Cancelled'] },
      keeps: ({ outcome }: Session) => outcome === 'Failed' || outcome === 'Cancelled',
    },
    ...all.slice(0, 2).flatMap(({ referenceNumber }) =>
      [referenceNumber, unlike(referenceNumber)].map((asked) => ({
        name: 'referenceNumber',
        query: { referenceNumber: asked },
        keeps: (one: Session) => one.referenceNumber === asked,
      })),
    ),
    ...Object.entries(dates).flatMap(([name, dateOf]) =>
      [between[1] ?? 0, between[3] ?? 0, between[5] ?? 0].flatMap((bound): Filter[] => [
        {
          name: `${name}From`,
          query: { [`${name}From`]: new Date(bound).toISOString() },
          keeps: (one) => (dateOf(one) ?? -Infinity) >= bound,
        },
        {
          name: `${name}To`,
          query: { [`${name}To`]: new Date(bound).toISOString() },
          keeps: (one) => (dateOf(one) ?? Infinity) <= bound,
        },
      ]),
    ),
  ]
}

/** The rows that a query finds, which the service must not refuse. */
const rowsFound = async (api: Client, query: Filter['query']): Promise<readonly Row[]> => {
  const look = (answer: Exchange): void =>
    expect(answer, `a search by ${JSON.stringify(query)}`).toBeOk()
  const whole = { ...query, pageSize: 100 }
  const judged = { look, upTo: Infinity }
  return (await pagesByToken(api, 'sessions.list', 'sessions', whole, {}, judged)).flat()
}

const expectFound = async ({ api, all }: Stocked, filters: readonly Filter[]): Promise<void> => {
  const query = Object.assign({}, ...filters.map((one) => one.query)) as Filter['query']
  const rows = await rowsFound(api, query)
  expect(
    rows.map(({ referenceNumber }) => String(referenceNumber)).toSorted(),
    `sessions found by ${JSON.stringify(query)}`,
  ).toEqual(
    all
      .filter((one) => filters.every(({ keeps }) => keeps(one)))
      .map(({ referenceNumber }) => referenceNumber)
      .toSorted(),
  )
}

/** The public service wants the type with every list of sessions. */
const typed = (filters: readonly Filter[], first: readonly Filter[]): readonly Filter[] =>
  filters.some(({ name }) => name === 'sessionType') ? filters : [...first, ...filters]

for (const [what, count] of [
  ['each filter', 1],
  ['two filters', 2],
] as const)
  test(
    ...familyRule('sessions.list.complete', 'session search', what),
    async ({ stocked, target }) => {
      const found = await stocked()
      const filters = filtersOf(found)
      const required = target.dialect.operations['sessions.list'] === undefined ? 0 : 1
      const first = filters.slice(0, required)
      for (const [place, one] of filters.entries()) {
        if (count === 1) {
          await expectFound(found, typed([one], first))
          continue
        }
        for (const other of filters.slice(place + 1))
          if (other.name !== one.name) await expectFound(found, typed([one, other], first))
      }
    },
  )

test(
  ...familyRule('sessions.online.of-subject', 'session search', 'by another subject'),
  async ({ stocked, limited }) => {
    const found = await stocked()
    const { api } = await limited(['InvoiceWrite'])
    const { referenceNumber } = await openOnline(api, { formCode: formCodes.fa3 })
    const filters = filtersOf(found)
    const pairs = filters.flatMap((one, place) =>
      filters.slice(place + 1).flatMap((other) => (other.name === one.name ? [] : [[one, other]])),
    )
    for (const given of [...filters.map((one) => [one]), ...pairs]) {
      const query = Object.assign({}, ...typed(given, filters.slice(0, 1)).map((one) => one.query))
      const others = (await rowsFound(api, query as Filter['query'])).filter(
        (row) => row['referenceNumber'] !== referenceNumber,
      )
      expect(others, `sessions of others, found by ${JSON.stringify(query)}`).toEqual([])
    }
  },
)

/** How many invoices each outcome of the stocked sessions has: all, accepted, rejected. */
const counted: Readonly<Record<Session['outcome'], readonly number[]>> = {
  Succeeded: [1, 1, 0],
  InProgress: [0, 0, 0],
  Cancelled: [0, 0, 0],
  Failed: [1, 0, 1],
}

const datesOf = (record: Row) =>
  ['dateCreated', 'dateUpdated', 'validUntil'].map((name) => Date.parse(String(record[name])))

const near = (reported: number | undefined, done: number): boolean =>
  Math.abs((reported ?? Number.NaN) - done) < gap / 2

/** What a row of the list reports about a session, besides its status and what was done with it. */
const judges: readonly (readonly [
  RuleId,
  string,
  (one: Session, row: Row, status: Row) => void,
])[] = [
  [
    'sessions.status.dates',
    'dates of each row',
    (one, row, status) => {
      expect(datesOf(row), `the dates of ${one.referenceNumber}`).toEqual(datesOf(status))
      const [created, updated] = datesOf(row)
      const asDone = near(created, one.created) && near(updated, modified(one))
      expect(asDone, `created at ${one.created}, changed at ${modified(one)}`).toBe(true)
    },
  ],
  [
    'sessions.status.counts',
    'counts of each row',
    (one, row) => {
      const names = ['totalInvoiceCount', 'successfulInvoiceCount', 'failedInvoiceCount']
      expect(
        names.map((name) => Number(row[name] ?? 0)),
        `the counts of ${one.referenceNumber}`,
      ).toEqual(counted[one.outcome])
    },
  ],
  [
    'sessions.status.moves-forward',
    'status of each row',
    (one, row, status) =>
      expect(statusOf(row)?.code, `the state of ${one.referenceNumber}`).toBe(
        statusOf(status)?.code,
      ),
  ],
]

for (const [id, what, judge] of judges)
  test(...familyRule(id, 'session search', what), async ({ stocked }) => {
    const { api, all } = await stocked()
    const lists = [
      await rowsFound(api, { sessionType: 'Online' }),
      await rowsFound(api, { sessionType: 'Batch' }),
    ]
    const rows = lists.flat()
    for (const one of all) {
      const { referenceNumber } = one
      const status = await api.call('sessions.status', { path: { referenceNumber } })
      const row = rows.find((found) => found['referenceNumber'] === referenceNumber)
      judge(one, row ?? {}, expectObject(status, 'look at the session'))
    }
  })
