import { createHash } from 'node:crypto'
import { instantKind, issuedAround } from '../../support/steps/filters.ts'
import { acceptInEveryForm } from '../../support/scenes/further-forms.ts'
import { rule } from '../../support/checks/rule.ts'
import { findAll, lookFor, page } from '../../support/steps/searches.ts'
import { accept } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

const day = 24 * 3600 * 1000

test(...rule('queries.metadata.filters', 'role'), async ({ open, invoice, clock }) => {
  const desk = await open()
  const { bytes, number, seller, issueDate } = invoice()
  const { svcNumber } = await accept(desk, bytes)
  const filters = issuedAround(clock.now())
  const { invoices: found } = await lookFor(desk.api, filters, [svcNumber])
  expect(found.length, 'invoices of a context with one invoice').toBe(1)
  expect(found[0], 'the metadata of the invoice').toMatchObject({
    svcNumber,
    invoiceNumber: number,
    issueDate,
    seller: { nip: seller },
    invoiceHash: createHash('sha256').update(bytes).digest('base64'),
  })
  expect(await desk.api.call('queries.metadata', { body: filters })).toBeOk()
})

test(...rule('queries.metadata.filters', 'date range'), async ({ open, invoice, clock }) => {
  const desk = await open()
  const { svcNumber } = await accept(desk, invoice().bytes)
  const now = clock.now()
  await findAll(desk.api, issuedAround(now), [svcNumber])
  const before = issuedAround(now - 30 * day, 'subject1', instantKind(desk.api.dialect))
  const { invoices } = await page(desk.api, before)
  expect(invoices, 'invoices in a range before the only invoice').toEqual([])
})

test(...rule('queries.metadata.filters', 'without the permission'), async ({ limited, clock }) => {
  const { api } = await limited(['InvoiceWrite'])
  const answer = await api.call('queries.metadata', { body: issuedAround(clock.now()) })
  expect(answer).toBeRefused('missing-permission')
})

test(...rule('queries.metadata.filters', 'with the permission'), async ({ limited, clock }) => {
  const { api } = await limited(['InvoiceRead'])
  expect(await api.call('queries.metadata', { body: issuedAround(clock.now()) })).toBeOk()
})

for (const [what, fault] of [
  ['missing role', { subjectType: undefined }],
  ['unknown role', { subjectType: 'subject9' }],
  ['missing range', { dateRange: undefined }],
] as const) {
  test(...rule('queries.metadata.filters', what), async ({ login, clock }) => {
    const { api } = await login()
    const body = { ...issuedAround(clock.now()), ...fault }
    expect(await api.call('queries.metadata', { body })).toBeRefused('invalid-input')
  })
}

test(...rule('queries.metadata.filters', 'further filters'), async ({ open, invoice, clock }) => {
  const desk = await open()
  // The buyer has a NIP; all other values are drawn at random and read from the documents.
  const buyer = '5265877635'
  const [first, second] = [invoice({ buyer, kind: 'VAT' }), invoice({ buyer, kind: 'UPR' })]
  const one = await accept(desk, first.bytes)
  const two = await accept(desk, second.bytes)
  const filters = issuedAround(clock.now())
  const both = [one.svcNumber, two.svcNumber].toSorted()
  await findAll(desk.api, filters, both)
  const holding = (markup: string): string[] =>
    [
      { svcNumber: one.svcNumber, bytes: first.bytes },
      { svcNumber: two.svcNumber, bytes: second.bytes },
    ]
      .filter(({ bytes }) => Buffer.from(bytes).includes(markup))
      .map(({ svcNumber }) => svcNumber)
      .toSorted()
  const narrowed: readonly (readonly [Readonly<Record<string, unknown>>, string[]])[] = [
    [{ svcNumber: one.svcNumber }, [one.svcNumber]],
    [{ invoiceNumber: second.number }, [two.svcNumber]],
    [{ invoiceTypes: ['Upr'] }, [two.svcNumber]],
    [{ invoiceTypes: ['Kor'] }, []],
    [{ sellerNip: first.seller }, both],
    [{ sellerNip: '5265877635' }, []],
    [{ buyerIdentifier: { type: 'Nip', value: '1111111111' } }, []],
    [{ buyerIdentifier: { type: 'VatUe' } }, []],
    [{ formType: 'FA' }, both],
    [{ hasAttachment: true }, []],
    [{ isSelfInvoicing: true }, holding('<P_17>1</P_17>')],
    [{ invoicingMode: 'Offline' }, []],
    [{ invoicingMode: 'Online' }, both],
    [{ amount: { type: 'Brutto', from: 1e12 } }, []],
    [{ amount: { type: 'Netto', to: -1e12 } }, []],
    [{ amount: { type: 'Vat', from: -1e12, to: 1e12 } }, both],
    [{ currencyCodes: ['XXX'] }, holding('<KodWaluty>XXX</KodWaluty>')],
  ]
  for (const [filter, numbers] of narrowed) {
    const { invoices } = await page(desk.api, { ...filters, ...filter })
    const found = invoices.map(({ svcNumber }) => svcNumber)
    expect(found.toSorted(), `invoices filtered by ${JSON.stringify(filter)}`).toEqual(numbers)
  }
})

test(
  ...rule('queries.metadata.filters', 'further filters, forms besides FA'),
  async ({ open, invoice, clock, rng, target }) => {
    const desk = await open()
    const others = await acceptInEveryForm(desk.me, { rng, target })
    const { svcNumber } = await accept(desk, invoice().bytes)
    const all = [...others, { type: 'FA', svcNumber }]
    const filters = issuedAround(clock.now())
    await findAll(
      desk.api,
      filters,
      all.map((one) => one.svcNumber),
    )
    for (const formType of new Set(all.map(({ type }) => type))) {
      const { invoices } = await page(desk.api, { ...filters, formType })
      const found = invoices.map((one) => one.svcNumber).toSorted()
      const wanted = all.filter(({ type }) => type === formType).map((one) => one.svcNumber)
      expect(found, `invoices of the form ${formType}`).toEqual(wanted.toSorted())
    }
  },
)

test(...rule('queries.metadata.filters', 'several values'), async ({ open, invoice, clock }) => {
  const desk = await open()
  const [first, second] = [invoice({ kind: 'VAT' }), invoice({ kind: 'UPR' })]
  const one = await accept(desk, first.bytes)
  const two = await accept(desk, second.bytes)
  const both = [one.svcNumber, two.svcNumber].toSorted()
  const filters = issuedAround(clock.now())
  await findAll(desk.api, filters, both)
  const currencyCodes = [first, second].flatMap(
    ({ bytes }) => /<KodWaluty>([^<]*)</.exec(desk.api.codec.text(bytes))?.slice(1) ?? [],
  )
  for (const [filter, numbers] of [
    [{ invoiceTypes: ['Kor', 'Upr'] }, [two.svcNumber]],
    [{ invoiceTypes: ['Upr', 'Vat'] }, both],
    [{ currencyCodes: ['XXX', ...new Set(currencyCodes)] }, both],
    [{ invoiceNumber: second.number.slice(0, -1) }, []],
  ] as const) {
    const { invoices } = await page(desk.api, { ...filters, ...filter })
    const found = invoices.map(({ svcNumber }) => svcNumber)
    expect(found.toSorted(), `invoices filtered by ${JSON.stringify(filter)}`).toEqual(numbers)
  }
})

/** The sum of the amounts in the elements that a pattern names, in hundredths. */
const hundredths = (xml: string, names: RegExp): number =>
  Array.from(xml.matchAll(names), ([, amount]) => Math.round(Number(amount) * 100)).reduce(
    (sum, amount) => sum + amount,
    0,
  )

test(...rule('queries.metadata.filters', 'amounts'), async ({ open, invoice, clock, api }) => {
  const desk = await open()
  const { bytes } = invoice()
  const { svcNumber } = await accept(desk, bytes)
  const [found] = await findAll(desk.api, issuedAround(clock.now()), [svcNumber])
  const xml = api.codec.text(bytes)
  // Tax in PLN is in separate elements, which end in W, and counts instead of the tax in another currency.
  const inPln = hundredths(xml, /<P_14_\dW>([^<]*)</g)
  const stated = {
    netAmount: hundredths(xml, /<P_13_[\d_]+>([^<]*)</g),
    vatAmount: inPln === 0 ? hundredths(xml, /<P_14_\d>([^<]*)</g) : inPln,
    grossAmount: hundredths(xml, /<P_15>([^<]*)</g),
  }
  const reported = Object.fromEntries(
    Object.keys(stated).map((name) => [name, Math.round(Number(found?.[name]) * 100)]),
  )
  expect(reported, 'amounts in hundredths').toEqual(stated)
  for (const [type, name] of [
    ['Brutto', 'grossAmount'],
    ['Netto', 'netAmount'],
    ['Vat', 'vatAmount'],
  ] as const) {
    const exactly = stated[name] / 100
    const amount = { type, from: exactly, to: exactly }
    const { invoices } = await page(desk.api, { ...issuedAround(clock.now()), amount })
    expect(invoices.length, `invoices of exactly ${JSON.stringify(amount)}`).toBe(1)
    for (const bound of ['from', 'to'] as const) {
      const fromZero = { type, [bound]: 0 }
      const filters = { ...issuedAround(clock.now()), amount: fromZero }
      const keeps = bound === 'from' ? exactly >= 0 : exactly <= 0
      const rows = (await page(desk.api, filters)).invoices
      expect(rows.length, `invoices of ${JSON.stringify(fromZero)}`).toBe(keeps ? 1 : 0)
    }
  }
  expect(found?.['currency'], 'the currency').toBe(/<KodWaluty>([^<]*)</.exec(xml)?.[1])
})
