import { limits } from '../../../contract/limits.ts'
import { crc8Hex } from '../../../lib/identifiers/crc8.ts'
import { create, created } from '../../support/scenes/collectives.ts'
import { rule } from '../../support/checks/rule.ts'
import { accept } from '../../support/steps/steps.ts'
import { withoutRates } from '../../support/service/target.ts'
import { expect, test } from '../../support/harness/test.ts'

const expectNumberOf = (seller: string, number: string) => {
  expect(number).toMatch(
    new RegExp(`^${seller}-IZ20\\d{2}(0[1-9]|1[0-2])-[0-9A-F]{12}-[0-9A-F]{2}$`),
  )
  expect(number.slice(-2), 'the check sum').toBe(crc8Hex(number.slice(0, 32)))
}

test(...rule('invoices.collective.created', 'number'), async ({ open, own, invoice }) => {
  const desk = await open()
  const { svcNumber } = await accept(desk, invoice().bytes)
  expectNumberOf(own.nip, await created(desk.api, [{ svcNumber }]))
})

test(
  ...rule('invoices.collective.created', 'number, by a buyer'),
  async ({ open, own, another, login, invoice }) => {
    const desk = await open()
    const buyer = await login({ context: await another() })
    const { svcNumber } = await accept(desk, invoice({ buyer: buyer.context.nip }).bytes)
    expectNumberOf(own.nip, await created(buyer.api, [{ svcNumber }]))
  },
)

test(...rule('invoices.collective.created', 'unknown'), async ({ login, unissuedNumber }) => {
  const { api } = await login()
  expect(await create(api, [{ svcNumber: unissuedNumber() }])).toBeRefused(
    'invoice-not-collectable',
  )
})

test(
  ...rule('invoices.collective.created', 'unknown, beside one that it sees'),
  async ({ open, login, another, invoice }) => {
    const desk = await open()
    const { api, context } = await login({ context: await another() })
    const send = async (document: { readonly bytes: Uint8Array }) =>
      (await accept(desk, document.bytes)).svcNumber
    const seen = { svcNumber: await send(invoice({ buyer: context.nip })) }
    const unseen = { svcNumber: await send(invoice()) }
    for (const all of [
      [seen, unseen],
      [unseen, seen],
    ])
      expect(await create(api, all), 'an invoice between others').toBeRefused(
        'invoice-not-collectable',
      )
    expect(await create(api, [seen]), 'one of its own').toBeOk()
  },
)

test(
  ...rule('invoices.collective.created', 'several sellers'),
  async ({ open, login, own, another, invoice }) => {
    const desk = await open()
    const mine = await accept(desk, invoice().bytes)
    const me = await login({ context: await another() })
    const other = await open({ me })
    const bytes = invoice({ seller: me.context.nip, buyer: own.nip }).bytes
    const theirs = await accept(other, bytes)
    const second = await accept(desk, invoice().bytes)
    // The odd one stands in each place: the last, the first, and between two of one seller.
    for (const all of [
      [mine, theirs],
      [theirs, mine],
      [mine, theirs, second],
      [mine, second, theirs],
    ])
      expect(
        await create(
          desk.api,
          all.map(({ svcNumber }) => ({ svcNumber })),
        ),
      ).toBeRefused('invoice-not-collectable')
  },
)

test(...rule('invoices.collective.created', 'too many'), async ({ login, unissuedNumber }) => {
  const { api } = await login()
  const invoices = Array.from({ length: 501 }, () => ({ svcNumber: unissuedNumber() }))
  expect(await create(api, invoices)).toBeRefused('invalid-input')
})

test(
  ...rule('invoices.collective.created', 'too often'),
  async ({ open, another, login, invoice, target }) => {
    // So many calls do not fit into an hour.
    await withoutRates(target)
    const buyer = await another()
    const desk = await open()
    const { svcNumber } = await accept(desk, invoice({ buyer: buyer.nip }).bytes)
    for (let made = 1; made <= limits['collective.perInvoice'].value; made += 1)
      expect(await create(desk.api, [{ svcNumber }]), `identifier ${made}`).toBeOk()
    expect(await create(desk.api, [{ svcNumber }])).toBeRefused('collectives-exhausted')
    const { api } = await login({ context: buyer })
    expect(await create(api, [{ svcNumber }]), 'in another context').toBeOk()
  },
)
