import { createExport, exportBody, settleExport } from '../../lib/flows/export.ts'
import { drawSecret } from '../../lib/flows/session.ts'
import { issuedAround, subjectTypes } from '../support/steps/filters.ts'
import type { Filters } from '../support/steps/filters.ts'
import { rule } from '../support/checks/rule.ts'
import { expect, test } from '../support/harness/test.ts'

test(...rule('exports.create.accepted'), async ({ login, clock }) => {
  const { api } = await login()
  const body = await exportBody(api, { filters: issuedAround(clock.now()) }, drawSecret())
  const answer = await api.call('exports.create', { body })
  expect(answer).toBeOk()
  const { referenceNumber } = answer.body as { referenceNumber: string }
  expect(referenceNumber, 'a reference number').toMatch(/\S/)
  const look = await api.call('exports.status', { path: { referenceNumber } })
  expect(look, 'the status by the reference number').toBeOk()
  expect(await settleExport(api, { referenceNumber })).toHaveSucceeded('export')
})

test(...rule('exports.create.accepted', 'distinct references'), async ({ login, clock }) => {
  const { api } = await login()
  const filters = issuedAround(clock.now())
  const one = await createExport(api, { filters })
  const two = await createExport(api, { filters })
  expect(one.referenceNumber, 'references of two exports').not.toBe(two.referenceNumber)
})

test(...rule('exports.create.accepted', 'each role'), async ({ login, clock }) => {
  const { api } = await login()
  for (const role of subjectTypes) {
    const filters = issuedAround(clock.now(), role)
    const answer = await api.call('exports.create', {
      body: await exportBody(api, { filters }, drawSecret()),
    })
    expect(answer, `as ${role}`).toBeOk()
    const { referenceNumber } = answer.body as { referenceNumber: string }
    expect(await settleExport(api, { referenceNumber }), `as ${role}`).toHaveSucceeded('export')
  }
})

test(...rule('exports.create.accepted', 'open end'), async ({ login, clock }) => {
  const { api } = await login()
  const { subjectType, dateRange } = issuedAround(clock.now())
  const { dateType, from } = dateRange
  for (const end of [{}, { to: null }]) {
    const filters = { subjectType, dateRange: { dateType, from, ...end } } as Filters
    const body = await exportBody(api, { filters }, drawSecret())
    const answer = await api.call('exports.create', { body })
    expect(answer, JSON.stringify(filters)).toBeOk()
    const { referenceNumber } = answer.body as { referenceNumber: string }
    expect(await settleExport(api, { referenceNumber })).toHaveSucceeded('export')
  }
})

test(...rule('exports.create.accepted', 'without the permission'), async ({ limited, clock }) => {
  const { api } = await limited(['InvoiceWrite'])
  const body = await exportBody(api, { filters: issuedAround(clock.now()) }, drawSecret())
  expect(await api.call('exports.create', { body })).toBeRefused('missing-permission')
})

for (const [what, fault] of [
  ['missing field, filters', { filters: undefined }],
  ['missing field, key', { encryptedSymmetricKey: undefined }],
  ['missing field, initialization vector', { initVector: undefined }],
] as const) {
  test(...rule('exports.create.accepted', what), async ({ login, clock }) => {
    const { api } = await login()
    const body = await exportBody(api, { filters: issuedAround(clock.now()) }, drawSecret())
    const answer = await api.call('exports.create', { body: { ...body, ...fault } })
    expect(answer).toBeRefused('invalid-input')
  })
}

test(...rule('exports.create.accepted', 'too wide'), async ({ login, clock }) => {
  const { api } = await login()
  const filters = {
    subjectType: 'subject1',
    dateRange: {
      dateType: 'issue',
      from: new Date(clock.now() - 200 * 24 * 3600 * 1000).toISOString(),
      to: new Date(clock.now()).toISOString(),
    },
  }
  const body = await exportBody(api, { filters }, drawSecret())
  expect(await api.call('exports.create', { body })).toBeRefused('invalid-input')
})

test(...rule('exports.create.accepted', 'reversed'), async ({ login, clock }) => {
  const { api } = await login()
  const { dateRange, ...rest } = issuedAround(clock.now())
  const reversed = { ...dateRange, from: dateRange.to, to: dateRange.from }
  const body = await exportBody(api, { filters: { ...rest, dateRange: reversed } }, drawSecret())
  expect(await api.call('exports.create', { body })).toBeRefused('invalid-input')
})
