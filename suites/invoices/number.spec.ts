import { serviceNumberFaults } from '../../lib/identifiers/service-number.ts'
import { isoDay } from '../../lib/local-time.ts'
import { rule } from '../support/checks/rule.ts'
import { accept } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

test(...rule('invoices.number.unique'), async ({ open, invoice, target }) => {
  const desk = await open()
  const numbers: string[] = []
  for (let count = 0; count < 5; count += 1) {
    const made = invoice()
    const { svcNumber } = await accept(desk, made.bytes)
    expect(serviceNumberFaults(svcNumber), `faults of ${svcNumber}`).toEqual([])
    expect(svcNumber.slice(0, 10), 'the NIP of the seller').toBe(made.seller)
    const days = [target.now() - 60_000, target.now()].map((at) => isoDay(at).replaceAll('-', ''))
    expect(days, 'the day of its acceptance').toContain(svcNumber.slice(11, 19))
    numbers.push(svcNumber)
  }
  expect(new Set(numbers).size, 'distinct service numbers of five').toBe(5)
})
