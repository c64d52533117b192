import { limits } from '../../contract/limits.ts'
import type { Settled } from '../../lib/flows/settle.ts'
import { callPart, createExport, exportParts, settleExport } from '../../lib/flows/export.ts'
import { Inconclusive } from '../../lib/outcome.ts'
import { issuedAround } from '../support/steps/filters.ts'
import { rule } from '../support/checks/rule.ts'
import { accept, fields, reported } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

const lifetime = limits['exports.packageLifetime'].value * 1000

const minute = 60_000
const linkLifetime = limits['exports.linkLifetime'].value * 1000

/** The package, as the status of a finished export describes it. */
interface Described {
  readonly parts: readonly { readonly expirationDate?: unknown }[]
}

/** When the parts and the package of a finished export expire, as its status states. */
const statedEnds = ({ body }: Settled) => ({
  end: Date.parse(String(body['packageExpirationDate'])),
  linkEnds: ((body['package'] as Described | undefined)?.parts ?? []).map(({ expirationDate }) =>
    Date.parse(String(expirationDate)),
  ),
})

test(...rule('exports.expiry', 'status'), async ({ login, clock }) => {
  const { api } = await login()
  const started = await createExport(api, { filters: issuedAround(clock.now()) })
  const path = { referenceNumber: started.referenceNumber }
  expect(await settleExport(api, started)).toHaveSucceeded('export')
  await clock.advance(lifetime - minute)
  const before = await (await login()).api.call('exports.status', { path })
  expect(reported(before), 'before its expiry').toBeInState('export', 200)
  await clock.advance(61_000)
  const after = await (await login()).api.call('exports.status', { path })
  expect(reported(after), 'after its expiry').toBeInState('export', 210)
})

test(...rule('exports.expiry', 'as stated'), async ({ open, invoice, login, clock }) => {
  const { api, session } = await open()
  await accept({ api, session }, invoice().bytes)
  const started = await createExport(api, { filters: issuedAround(clock.now()) })
  const path = { referenceNumber: started.referenceNumber }
  const settled = await settleExport(api, started)
  const [part] = exportParts(settled)
  const { end, linkEnds } = statedEnds(settled)
  expect(part, 'a part of the package').toBeDefined()
  if (part === undefined) return
  await clock.advance(linkEnds[0]! - clock.now() - 5_000)
  expect(await callPart(api, part), 'before the stated end of the link').toBeOk()
  await clock.advance(6_000)
  expect(await callPart(api, part)).toBeRefused('link-expired')
  await clock.advance(end - clock.now() - 5_000)
  const before = await (await login()).api.call('exports.status', { path })
  expect(reported(before), 'before the stated end of the package').toBeInState('export', 200)
  const stated = Date.parse(String(fields(before)['packageExpirationDate']))
  expect(stated, 'the end of the package, as stated near it').toBe(end)
  await clock.advance(6_000)
  const after = await (await login()).api.call('exports.status', { path })
  expect(reported(after), 'after the stated end of the package').toBeInState('export', 210)
  const { packageExpirationDate } = fields(after)
  if (typeof packageExpirationDate === 'string')
    expect(Date.parse(packageExpirationDate), 'the end of the package, stated after it').toBe(end)
})

test(
  ...rule('exports.expiry', 'as stated, of a late link'),
  async ({ open, invoice, login, clock }) => {
    const { api, session } = await open()
    await accept({ api, session }, invoice().bytes)
    const started = await createExport(api, { filters: issuedAround(clock.now()) })
    await settleExport(api, started)
    // The package ends before a link that is given out now would by itself.
    await clock.advance(lifetime - linkLifetime / 2)
    const later = (await login()).api
    const settled = await settleExport(later, started)
    const [part] = exportParts(settled)
    const [end = Number.NaN] = statedEnds(settled).linkEnds
    if (part === undefined) throw new Inconclusive('read the package', 'a part')
    await clock.advance(end - clock.now() - 5_000)
    expect(await callPart(later, part), 'before the stated end of the link').toBeOk()
  },
)

test(
  ...rule('exports.expiry', 'package, of one of two'),
  async ({ open, invoice, login, clock }) => {
    const { api, session } = await open()
    await accept({ api, session }, invoice().bytes)
    const filters = issuedAround(clock.now())
    const first = await createExport(api, { filters })
    await settleExport(api, first)
    await clock.advance(lifetime / 2)
    const between = (await login()).api
    const second = await createExport(between, { filters })
    await settleExport(between, second)
    await clock.advance(lifetime / 2 + minute)
    const later = (await login()).api
    const statusOfExport = async ({ referenceNumber }: typeof first) =>
      reported(await later.call('exports.status', { path: { referenceNumber } }))
    expect(await statusOfExport(first), 'the first').toBeInState('export', 210)
    expect(await statusOfExport(second), 'the second').toBeInState('export', 200)
    const [part] = exportParts(await settleExport(later, second))
    expect(part, 'a part of the second package').toBeDefined()
    if (part !== undefined) expect(await callPart(later, part), 'the second package').toBeOk()
  },
)

test(...rule('exports.expiry', 'package'), async ({ open, invoice, login, clock }) => {
  const { api, session } = await open()
  await accept({ api, session }, invoice().bytes)
  const started = await createExport(api, { filters: issuedAround(clock.now()) })
  const path = { referenceNumber: started.referenceNumber }
  await settleExport(api, started)
  await clock.advance(lifetime - minute)
  const later = (await login()).api
  const [part] = exportParts(await settleExport(later, started))
  expect(part, 'a part of the package').toBeDefined()
  if (part === undefined) return
  expect(await callPart(later, part), 'before its expiry').toBeOk()
  await clock.advance(61_000)
  const look = await (await login()).api.call('exports.status', { path })
  expect(reported(look), 'after its expiry').toBeInState('export', 210)
  expect(await callPart(later, part)).toBeRefused('link-expired')
  expect(fields(look)['package'] ?? null, 'the package of an expired export').toBeNull()
})

test(...rule('exports.expiry', 'link'), async ({ open, invoice, login, clock }) => {
  const { api, session } = await open()
  await accept({ api, session }, invoice().bytes)
  const started = await createExport(api, { filters: issuedAround(clock.now()) })
  const [part] = exportParts(await settleExport(api, started))
  expect(part, 'a part of the package').toBeDefined()
  if (part === undefined) return
  await clock.advance(linkLifetime + 1_000)
  expect(await callPart(api, part)).toBeRefused('link-expired')
  const later = (await login()).api
  const [fresh] = exportParts(await settleExport(later, started))
  expect(fresh, 'a part with a fresh link').toBeDefined()
  if (fresh !== undefined) expect(await callPart(later, fresh)).toBeOk()
})

test(...rule('exports.expiry', 'dates'), async ({ open, invoice, clock }) => {
  const { api, session } = await open()
  await accept({ api, session }, invoice().bytes)
  const started = await createExport(api, { filters: issuedAround(clock.now()) })
  const { end, linkEnds } = statedEnds(await settleExport(api, started))
  expect(linkEnds).toHaveLength(1)
  for (const [what, at, life] of [
    ['link', linkEnds[0]!, linkLifetime],
    ['package', end, lifetime],
  ] as const)
    expect(
      Math.abs(at - clock.now() - life),
      `milliseconds off the life of the ${what}`,
    ).toBeLessThan(minute)
})
