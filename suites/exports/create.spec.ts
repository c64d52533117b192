import { createExport } from '../../lib/flows/export.ts'
import { rule } from '../rule.ts'
import { expect, test } from '../test.ts'

test(...rule('exports.create.accepted'), async ({ login, clock }) => {
  const { api } = await login()
  const from = new Date(clock.now() - 24 * 3600 * 1000).toISOString()
  const filters = { subjectType: 'subject1', dateRange: { dateType: 'invoicing', from } }
  const { exchange, referenceNumber } = await createExport(api, { filters })
  expect(exchange).toBeOk()
  expect(referenceNumber, 'a reference to follow').toMatch(/\S/)
})
