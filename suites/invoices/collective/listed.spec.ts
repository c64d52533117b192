import type { Client } from '../../../lib/client.ts'
import {
  choicesFor,
  createdAround,
  created,
  day,
  numbersIn,
  search,
} from '../../support/scenes/collectives.ts'
import { choice, expectFiltered } from '../../support/steps/filter-pairs.ts'
import { pagesByToken } from '../../support/answers/paged-lists.ts'
import type { Row } from '../../support/answers/paged-lists.ts'
import { withThirdParty } from '../../support/documents/parties.ts'
import { rule } from '../../support/checks/rule.ts'
import { accept } from '../../support/steps/steps.ts'
import { withoutRates } from '../../support/service/target.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Every identifier that the caller finds, not those of one invoice. */
const all = 'all'

const byNumber = (rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) =>
    String(a['collectiveIdentifierNumber']) < String(b['collectiveIdentifierNumber']) ? -1 : 1,
  )

/** Lists those that were created within a day, or those of an invoice. */
const lists = (now: number) => async (api: Client, of: string) => {
  const [operation, more] =
    of === all
      ? (['invoices.queryCollectives', { body: createdAround(now) }] as const)
      : (['invoices.collectivesOf', { path: { svcNumber: of } }] as const)
  const size = { pageSize: 10 }
  return (await pagesByToken(api, operation, 'collectiveIdentifiers', size, more)).flat()
}

test(...rule('invoices.collective.listed', 'dates'), async ({ open, invoice, target, clock }) => {
  const desk = await open()
  const { svcNumber } = await accept(desk, invoice().bytes)
  const made = new Map<string, number>()
  for (const minute of [1, 2, 3]) {
    const number = await created(desk.api, [{ svcNumber }])
    made.set(number, target.now())
    await clock.advance(minute * 60_000)
  }
  for (const of of [all, svcNumber]) {
    const rows = await lists(target.now())(desk.api, of)
    expect(rows.length, 'identifiers').toBe(made.size)
    for (const { collectiveIdentifierNumber: number, dateCreated } of rows) {
      const after = Date.parse(String(dateCreated)) - (made.get(String(number)) ?? 0)
      expect(after, 'ms after its creation').toBeCloseTo(0, -4)
    }
  }
})

test(
  ...rule('invoices.collective.listed', 'to each party'),
  async ({ open, login, another, invoice, target }) => {
    const desk = await open()
    const party = async () => login({ context: await another() })
    const [buyer, other] = [await party(), await party()]
    const send = async (to: typeof buyer) =>
      (await accept(desk, invoice({ buyer: to.context.nip }).bytes)).svcNumber
    const [theirs, others] = [await send(buyer), await send(other)]
    // Amounts that lose a hundredth when they are computed as binary fractions.
    const paid = { payment: { amount: 1.15, currency: 'PLN' }, description: 'first instalment' }
    const due = { payment: { amount: 19.99, currency: 'EUR' }, description: 'the rest' }
    const both = await created(desk.api, [
      { svcNumber: theirs, ...paid },
      { svcNumber: others, ...due },
    ])
    const single = await created(buyer.api, [{ svcNumber: theirs }])
    const listOf = lists(target.now())
    const row = (number: string, isOwn: boolean) => ({
      collectiveIdentifierNumber: number,
      createdInCurrentContext: isOwn,
    })
    for (const [who, { api }, list, rows] of [
      [
        'the seller',
        desk,
        all,
        [
          { ...row(single, false), invoiceCount: 1 },
          { ...row(both, true), invoiceCount: 2 },
        ],
      ],
      ['a buyer', buyer, all, [{ ...row(single, true), invoiceCount: 1 }]],
      ['another buyer', other, all, []],
      ['the seller, of an invoice', desk, theirs, [row(single, false), row(both, true)]],
      ['a buyer, of an invoice', buyer, theirs, [row(single, true), row(both, false)]],
      ['another buyer, of an invoice', other, others, [row(both, false)]],
    ] as const) {
      const found = await listOf(api, list)
      expect(byNumber(found), `what is found by ${who}`).toMatchObject(byNumber(rows))
    }
    const shown = { [theirs]: paid, [others]: due }
    const hidden = { payment: null, description: null }
    for (const [who, { api }, seen] of [
      ['the seller', desk, [theirs, others]],
      ['a buyer', buyer, [theirs]],
      ['another buyer', other, [others]],
    ] as const) {
      const path = { collectiveIdentifierNumber: both }
      const size = { pageSize: 10 }
      const pages = await pagesByToken(api, 'invoices.ofCollective', 'invoices', size, { path })
      expect(pages.flat(), `its invoices, to ${who}`).toMatchObject(
        [theirs, others]
          .toSorted()
          .toReversed()
          .map((svcNumber) =>
            (seen as readonly string[]).includes(svcNumber)
              ? { svcNumber, ...shown[svcNumber], detailsHidden: false }
              : { svcNumber, ...hidden, detailsHidden: true },
          ),
      )
    }
  },
)

test(
  ...rule('invoices.collective.listed', 'to each party, by each filter'),
  async ({ open, login, another, invoice, target }) => {
    await withoutRates(target)
    const desk = await open()
    const party = async () => login({ context: await another() })
    const [buyer, third, stranger] = [await party(), await party(), await party()]
    const { bytes } = invoice({ buyer: buyer.context.nip })
    const one = {
      svcNumber: (await accept(desk, withThirdParty(bytes, third.context.nip))).svcNumber,
    }
    const two = { svcNumber: (await accept(desk, invoice().bytes)).svcNumber }
    const parties = { seller: desk.me, buyer, third, stranger }
    const made = [
      { by: 'seller', count: 2, number: await created(desk.api, [one, two]) },
      { by: 'buyer', count: 1, number: await created(buyer.api, [one]) },
      { by: 'third', count: 1, number: await created(third.api, [one]) },
    ]
    for (const [who, { api }] of Object.entries(parties)) {
      const seen = made.filter(({ by }) => who === 'seller' || by === who)
      const rows = seen.map((row) => ({ ...row, isOwn: row.by === who }))
      const choices = choicesFor(
        rows,
        made.map(({ number }) => number),
      )
      await expectFiltered(search(target.now())(api), numbersIn, choices, `as the ${who}`)
    }
  },
)

test(
  ...rule('invoices.collective.listed', 'query'),
  async ({ open, invoice, login, another, target }) => {
    const desk = await open()
    const [one, two] = [await accept(desk, invoice().bytes), await accept(desk, invoice().bytes)]
    const single = await created(desk.api, [{ svcNumber: one.svcNumber }])
    const both = await created(desk.api, [
      { svcNumber: one.svcNumber },
      { svcNumber: two.svcNumber },
    ])
    const stranger = await login({ context: await another() })
    // More calls than fit into a minute.
    await withoutRates(target)
    const send = search(target.now())
    const earlier = new Date(target.now() - day / 2).toISOString()
    await expectFiltered(send(desk.api), numbersIn, {
      dates: [choice({}, single, both), choice({ dateCreatedTo: earlier })],
      from: [choice({ invoiceCountFrom: 1 }, single, both), choice({ invoiceCountFrom: 2 }, both)],
      to: [choice({ invoiceCountTo: 1 }, single), choice({ invoiceCountTo: 2 }, single, both)],
      number: [choice({ collectiveIdentifierNumber: both }, both)],
      context: [
        choice({ createdInCurrentContext: true }, single, both),
        choice({ createdInCurrentContext: false }),
      ],
    })
    expect(numbersIn(await send(stranger.api)({})), 'in another context').toEqual([])
  },
)

test(...rule('invoices.collective.listed', 'invoices'), async ({ open, invoice }) => {
  const desk = await open()
  const [one, two] = [await accept(desk, invoice().bytes), await accept(desk, invoice().bytes)]
  const payment = { amount: 12.5, currency: 'PLN' }
  const number = await created(desk.api, [
    { svcNumber: one.svcNumber, payment, description: 'first instalment' },
    { svcNumber: two.svcNumber },
  ])
  const path = { collectiveIdentifierNumber: number }
  const rows = (
    await pagesByToken(desk.api, 'invoices.ofCollective', 'invoices', { pageSize: 10 }, { path })
  ).flat()
  expect(rows.find(({ svcNumber }) => svcNumber === one.svcNumber)).toMatchObject({
    payment,
    description: 'first instalment',
    detailsHidden: false,
  })
  expect(
    rows.map(({ svcNumber }) => svcNumber),
    'invoices of the identifier',
  ).toEqual([one.svcNumber, two.svcNumber].toSorted().toReversed())
})

test(
  ...rule('invoices.collective.listed', 'by invoice'),
  async ({ open, invoice, login, another }) => {
    const desk = await open()
    const [one, two] = [await accept(desk, invoice().bytes), await accept(desk, invoice().bytes)]
    const number = await created(desk.api, [{ svcNumber: one.svcNumber }])
    const of = async (svcNumber: string) =>
      (
        await pagesByToken(
          desk.api,
          'invoices.collectivesOf',
          'collectiveIdentifiers',
          { pageSize: 10 },
          { path: { svcNumber } },
        )
      ).flat()
    expect(await of(one.svcNumber)).toMatchObject([
      { collectiveIdentifierNumber: number, createdInCurrentContext: true },
    ])
    expect(await of(two.svcNumber), 'of an invoice without an identifier').toEqual([])
    const stranger = await login({ context: await another() })
    const path = { svcNumber: one.svcNumber }
    expect(await stranger.api.call('invoices.collectivesOf', { path })).toBeRefused(
      'collective-unknown',
    )
  },
)
