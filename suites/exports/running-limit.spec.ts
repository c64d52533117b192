import { limits } from '../../contract/limits.ts'
import { exportBody } from '../../lib/flows/export.ts'
import { drawSecret } from '../../lib/flows/session.ts'
import type { CheckClock } from '../support/service/check-clock.ts'
import type { Me } from '../support/service/contexts.ts'
import { issuedAround } from '../support/steps/filters.ts'
import { wentWell } from '../support/judging/matchers.ts'
import { setRates } from '../support/service/rated.ts'
import { rule } from '../support/checks/rule.ts'
import { expect, test } from '../support/harness/test.ts'

const day = 24 * 3_600_000

const maxRunning = limits['exports.running'].value

/** As many exports as may run at once, and none of them done. */
const fullyRunning = async (clock: CheckClock, login: () => Promise<Me>) => {
  await clock.still()
  const [{ api }, again] = [await login(), await login()]
  await setRates(api, {})
  const filters = issuedAround(clock.now())
  const body = await exportBody(api, { filters }, drawSecret())
  // Exports of every form count.
  const forms = [
    {},
    { onlyMetadata: true },
    { compressionType: 'TarGz' },
    { filters: issuedAround(clock.now(), 'subject2') },
  ]
  for (let running = 0; running < maxRunning; running += 1) {
    const form = forms[running % forms.length]
    expect(await api.call('exports.create', { body: { ...body, ...form }, pace: false })).toBeOk()
  }
  return { api, again, filters, body }
}

test(...rule('exports.running-limit', 'at the limit and above'), async ({ login, clock }) => {
  const { api, again, body } = await fullyRunning(clock, login)
  for (const caller of [api, again.api])
    expect(await caller.call('exports.create', { body, pace: false })).toBeRefused(
      'exports-running',
    )
})

test(
  ...rule('exports.running-limit', 'at the limit and above, at once'),
  async ({ login, clock }) => {
    await clock.still()
    const { api } = await login()
    await setRates(api, {})
    const body = await exportBody(api, { filters: issuedAround(clock.now()) }, drawSecret())
    const create = () => api.call('exports.create', { body, pace: false })
    const answers = await Promise.all(Array.from({ length: maxRunning + 3 }, create))
    const refused = answers.filter((answer) => !wentWell(answer))
    expect(answers.length - refused.length, 'exports that were started').toBe(maxRunning)
    for (const answer of refused) expect(answer).toBeRefused('exports-running')
  },
)

test(...rule('exports.running-limit', 'after completion'), async ({ login, clock }) => {
  const running = await fullyRunning(clock, login)
  const refused = await running.api.call('exports.create', { body: running.body, pace: false })
  expect(refused).toBeRefused('exports-running')
  await clock.advance(60_000)
  // Exports that fail, and packages that expire, are not running either.
  const beyond = {
    subjectType: 'subject1',
    dateRange: {
      dateType: 'permanentStorage',
      from: new Date(clock.now() + day).toISOString(),
      restrictToPermanentStorageHwmDate: true,
    },
  }
  const fails = await exportBody(running.api, { filters: beyond }, drawSecret())
  const failed = await running.api.call('exports.create', { body: fails, pace: false })
  if (failed.status > 299) expect(failed).toBeRefused('query-outside-data')
  for (const later of [60_000, limits['exports.packageLifetime'].value * 1000]) {
    await clock.advance(later)
    const { api, body } = await fullyRunning(clock, login)
    expect(await api.call('exports.create', { body, pace: false })).toBeRefused('exports-running')
  }
})

test(...rule('exports.running-limit', 'per context'), async ({ login, clock, another }) => {
  const { filters } = await fullyRunning(clock, login)
  const other = await login({ context: await another() })
  const otherBody = await exportBody(other.api, { filters }, drawSecret())
  expect(await other.api.call('exports.create', { body: otherBody })).toBeOk()
})

test(...rule('exports.running-limit', 'per subject'), async ({ login, limited, clock }) => {
  const { api, body } = await fullyRunning(clock, login)
  const reader = await limited(['InvoiceRead'])
  expect(await reader.api.call('exports.create', { body, pace: false })).toBeOk()
  expect(await api.call('exports.create', { body, pace: false })).toBeRefused('exports-running')
})

test(
  ...rule('exports.running-limit', 'at the limit and above, refused ones do not count'),
  async ({ login, clock }) => {
    await clock.still()
    const { api } = await login()
    await setRates(api, {})
    const filters = issuedAround(clock.now())
    const body = await exportBody(api, { filters }, drawSecret())
    const { from: to, to: from } = filters.dateRange
    const reversed = { ...filters, dateRange: { ...filters.dateRange, from, to } }
    for (const faults of [{ filters: reversed }, { filters: undefined }, { initVector: undefined }])
      for (let refused = 0; refused < maxRunning; refused += 1)
        expect(
          await api.call('exports.create', { body: { ...body, ...faults }, pace: false }),
        ).toBeClientError()
    expect(await api.call('exports.create', { body, pace: false })).toBeOk()
  },
)
