import type { Client } from '../../lib/client.ts'
import { expectObject, expectOk } from '../../lib/outcome.ts'
import { isoDay } from '../../lib/local-time.ts'
import { allowAttachments, sendAlone } from '../support/steps/packages.ts'
import { rule } from '../support/checks/rule.ts'
import { expect, test } from '../support/harness/test.ts'

test(...rule('testdata.attachments', 'allowed'), async ({ login, invoice }) => {
  const { api, context } = await login()
  expect(await api.call('testdata.allowAttachments', { body: { nip: context.nip } })).toBeOk()
  expect(await sendAlone(api, invoice({ attachment: true }).bytes)).toHaveSucceeded('invoice')
})

test(...rule('testdata.attachments', 'denied'), async ({ login, invoice }) => {
  const { api, context } = await login()
  for (let times = 0; times < 2; times += 1) {
    await allowAttachments(api, context.nip)
    expect(await api.call('testdata.denyAttachments', { body: { nip: context.nip } })).toBeOk()
  }
  expect(await sendAlone(api, invoice({ attachment: true }).bytes)).toBeRejected(
    'seller-not-allowed',
  )
})

const statusOf = async (api: Client) => {
  const answer = await api.call('permissions.attachmentStatus')
  return expectObject(answer, 'read the status of attachments')
}

test(...rule('testdata.attachments', 'reported'), async ({ login, target }) => {
  const { api, context } = await login()
  expect((await statusOf(api))['isAttachmentAllowed'] ?? false, 'before the consent').toBe(false)
  await allowAttachments(api, context.nip)
  const allowed = await statusOf(api)
  expect(allowed['isAttachmentAllowed'], 'after the consent').toBe(true)
  expect(allowed['revokedDate'] ?? null, 'the end of the consent').toBe(null)
  const body = { nip: context.nip }
  expectOk(await api.call('testdata.denyAttachments', { body }), 'withdraw the consent')
  const denied = await statusOf(api)
  expect(denied['isAttachmentAllowed'], 'after the consent was withdrawn').toBe(false)
  const since = Date.parse(String(denied['revokedDate']))
  expect(Math.abs(since - target.now()), 'milliseconds since it was withdrawn').toBeLessThan(60_000)
})

test(...rule('testdata.attachments', 'reported later'), async ({ login, clock }) => {
  const { api, context } = await login()
  await allowAttachments(api, context.nip)
  const withdrawn = clock.now()
  await deny(api, context.nip)
  await clock.advance(5 * 60_000)
  const since = Date.parse(String((await statusOf(api))['revokedDate']))
  expect(Math.abs(since - withdrawn), 'milliseconds from its end').toBeLessThan(60_000)
})

test(...rule('testdata.attachments', 'from a date'), async ({ login, clock }) => {
  const { api, context } = await login()
  await allowAttachments(api, context.nip)
  const day = 24 * 3600 * 1000
  const expectedEndDate = isoDay(clock.now() + 2 * day)
  const body = { nip: context.nip, expectedEndDate }
  expectOk(await api.call('testdata.denyAttachments', { body }), 'withdraw the consent later')
  expect((await statusOf(api))['isAttachmentAllowed'], 'before the date').toBe(true)
  await clock.set(clock.now() + 3 * day)
  const me = await login({ context })
  expect((await statusOf(me.api))['isAttachmentAllowed'], 'after the date').toBe(false)
})

test(
  ...rule('testdata.attachments', 'allowed, again before a later end'),
  async ({ login, invoice, clock }) => {
    const { api, context } = await login()
    await allowAttachments(api, context.nip)
    const day = 24 * 3600 * 1000
    const body = { nip: context.nip, expectedEndDate: isoDay(clock.now() + 2 * day) }
    expectOk(await api.call('testdata.denyAttachments', { body }), 'withdraw the consent later')
    expect(await api.call('testdata.allowAttachments', { body: { nip: context.nip } })).toBeOk()
    await clock.set(clock.now() + 3 * day)
    const me = await login({ context })
    expect((await statusOf(me.api))['isAttachmentAllowed'], 'after the date').toBe(true)
    expect(await sendAlone(me.api, invoice({ attachment: true }).bytes)).toHaveSucceeded('invoice')
  },
)

const deny = async (api: Client, nip: string) =>
  expectOk(await api.call('testdata.denyAttachments', { body: { nip } }), 'withdraw the consent')

test(
  ...rule('testdata.attachments', 'denied, at once after from a later date'),
  async ({ login, invoice, clock }) => {
    const { api, context } = await login()
    await allowAttachments(api, context.nip)
    const expectedEndDate = isoDay(clock.now() + 3 * 24 * 3600 * 1000)
    const body = { nip: context.nip, expectedEndDate }
    expectOk(await api.call('testdata.denyAttachments', { body }), 'withdraw the consent later')
    await deny(api, context.nip)
    expect((await statusOf(api))['isAttachmentAllowed'], 'withdrawn at once').toBe(false)
    expect(await sendAlone(api, invoice({ attachment: true }).bytes)).toBeRejected(
      'seller-not-allowed',
    )
  },
)

test(
  ...rule('testdata.attachments', 'denied, of another taxpayer'),
  async ({ login, another, invoice }) => {
    const { api } = await login()
    const other = await login({ context: await another() })
    await allowAttachments(api, other.context.nip)
    expect((await statusOf(api))['isAttachmentAllowed'] ?? false, 'without a consent').toBe(false)
    expect(await sendAlone(api, invoice({ attachment: true }).bytes)).toBeRejected(
      'seller-not-allowed',
    )
    expect((await statusOf(other.api))['isAttachmentAllowed'], 'of the other').toBe(true)
  },
)

test(
  ...rule('testdata.attachments', 'allowed, when another withdraws'),
  async ({ login, another, invoice }) => {
    const { api, context } = await login()
    const { nip } = await another()
    for (const one of [context.nip, nip]) await allowAttachments(api, one)
    await deny(api, nip)
    const status = await statusOf(api)
    expect(status['isAttachmentAllowed'], 'the consent of the caller').toBe(true)
    expect(status['revokedDate'] ?? null, 'its end').toBe(null)
    expect(await sendAlone(api, invoice({ attachment: true }).bytes)).toHaveSucceeded('invoice')
  },
)

test(...rule('testdata.attachments', 'allowed, again'), async ({ login, invoice }) => {
  const { api, context } = await login()
  await allowAttachments(api, context.nip)
  await deny(api, context.nip)
  await allowAttachments(api, context.nip)
  const status = await statusOf(api)
  expect(status['isAttachmentAllowed'], 'after the second consent').toBe(true)
  expect(status['revokedDate'] ?? null, 'its end').toBe(null)
  expect(await sendAlone(api, invoice({ attachment: true }).bytes)).toHaveSucceeded('invoice')
})
