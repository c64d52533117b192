import { issuedAround } from '../../support/steps/filters.ts'
import { isoDay } from '../../../lib/local-time.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { findAll, numbersOf, page } from '../../support/steps/searches.ts'
import { accept } from '../../support/steps/steps.ts'
import { describedPlainly, documentOf } from '../../support/documents/stock-document.ts'
import { withoutRates } from '../../support/service/target.ts'
import { expect, test } from '../../support/harness/test.ts'

/** The amounts that a search reports of an invoice with an amount in every field that counts. */

const withTax = ['1', '2', '3', '4'] as const
const withoutTax = ['6_1', '6_2', '6_3', '7', '8', '9', '10', '11'] as const

/** Hundredths as the schema allows them to be written, with as few digits as possible. */
const shortest = (hundredths: number): string => String(hundredths / 100)
const longest = (hundredths: number): string => (hundredths / 100).toFixed(2)

interface Sums {
  net: number
  tax: number
}

/** Every field of an amount, each with a different value, so that a sum that omits one differs from the total. */
const fieldsOf = (currency: string, write: (hundredths: number) => string, sign: 1 | -1) => {
  const sums: Sums = { net: 0, tax: 0 }
  let next = sign
  const draw = (into: keyof Sums): string => {
    next *= 2
    sums[into] += next
    return write(next)
  }
  const field = (name: string, text: string): string => `<P_${name}>${text}</P_${name}>`
  const parts = [
    ...withTax.map((rate) => {
      const net = field(`13_${rate}`, draw('net'))
      // When the tax is also given in PLN, the amount in the other currency does not count.
      return currency === 'PLN'
        ? net + field(`14_${rate}`, draw('tax'))
        : net + field(`14_${rate}`, write(99 * sign)) + field(`14_${rate}W`, draw('tax'))
    }),
    field('13_5', draw('net')) + field('14_5', draw('tax')),
    ...withoutTax.map((rate) => field(`13_${rate}`, draw('net'))),
  ]
  const gross = sums.net + sums.tax
  return { markup: parts.join('') + field('15', write(gross)), ...sums, gross }
}

for (const [what, currency, write, sign] of [
  ['in PLN', 'PLN', longest, 1],
  ['in PLN, in short', 'PLN', shortest, 1],
  ['below zero', 'PLN', longest, -1],
  ['in another currency', 'EUR', shortest, 1],
  ['below zero, in another currency', 'EUR', shortest, -1],
] as const)
  test(
    ...familyRule('queries.metadata.described', 'amounts of an invoice', what),
    async ({ open, rng, target }) => {
      await withoutRates(target)
      const desk = await open()
      const facts = {
        seller: desk.me.context.nip,
        number: `Q-${rng.digits(10)}`,
        issueDate: isoDay(target.now()),
      }
      const text = new TextDecoder().decode(
        documentOf({ ...describedPlainly(facts), currency }, { third: '5265877635' }),
      )
      const { markup, net, tax, gross } = fieldsOf(currency, write, sign)
      const bytes = new TextEncoder().encode(text.replace(/<P_13_1>.*<\/P_15>/s, markup))
      const { svcNumber } = await accept(desk, bytes)
      const filters = { ...issuedAround(target.now()), svcNumber }
      const [row] = await findAll(desk.api, filters, [svcNumber])
      const amounts = { netAmount: net / 100, vatAmount: tax / 100, grossAmount: gross / 100 }
      expect(row, 'the amounts of the invoice').toMatchObject(amounts)
      for (const [type, value] of [
        ['Netto', amounts.netAmount],
        ['Vat', amounts.vatAmount],
        ['Brutto', amounts.grossAmount],
      ] as const)
        for (const [from, to, found] of [
          [value, value, true],
          [value - 0.01, value + 0.01, true],
          [value + 0.01, value + 1, false],
          [value - 1, value - 0.01, false],
        ] as const) {
          const bounds = { type, from: Number(from.toFixed(2)), to: Number(to.toFixed(2)) }
          const result = numbersOf([await page(desk.api, { ...filters, amount: bounds })])
          expect(result, `found by ${JSON.stringify(bounds)}`).toEqual(found ? [svcNumber] : [])
        }
    },
  )
