import type { Client } from '../../lib/client.ts'
import {
  closeOnline,
  drawSecret,
  encryptionFields,
  settleInvoice,
  settleSession,
  submit,
} from '../../lib/flows/session.ts'
import { statusOf } from '../../lib/flows/settle.ts'
import { expectObject, expectOk, expectText } from '../../lib/outcome.ts'
import { openBatch } from '../../lib/flows/batch.ts'
import { poll } from '../../lib/poll.ts'
import { formCodes } from '../support/checks/forms.ts'
import { spoilt } from '../support/documents/malformed.ts'
import { hundreds, packed, sendBatch, sendHundreds } from '../support/steps/packages.ts'
import { sessionsOf } from '../support/answers/paged-lists.ts'
import { sealArchive } from '../../lib/node/archive.ts'
import { rule } from '../support/checks/rule.ts'
import { countsOf as countsBothWays } from '../support/answers/session-counts.ts'
import { datesTold } from '../support/steps/session-dates.ts'
import {
  correctionOf,
  accept,
  outcomeOfInvoice,
  fields,
  finish,
  reported,
} from '../support/steps/steps.ts'
import type { Desk } from '../support/steps/steps.ts'
import { withoutRates } from '../support/service/target.ts'
import { expect, test } from '../support/harness/test.ts'

const minute = 60_000

const near = (instant: number, other: number, what: string, within = minute) =>
  expect(Math.abs(instant - other), `milliseconds ${what}`).toBeLessThan(within)

const opening = async (api: Client) => ({
  formCode: formCodes.fa3,
  ...(await encryptionFields(api, drawSecret())),
})

test(...rule('sessions.status.dates', 'opened'), async ({ login, target }) => {
  const { api } = await login()
  const answer = await api.call('sessions.openOnline', { body: await opening(api) })
  const referenceNumber = expectText(answer, 'open a session', 'referenceNumber')
  const announced = Date.parse(String(fields(answer)['validUntil']))
  const dates = await datesTold(api, referenceNumber)
  near(dates.dateCreated, target.now(), 'from the opening to the present', 10 * minute)
  near(dates.dateUpdated, dates.dateCreated, 'from the opening to the first change')
  near(dates.validUntil, announced, 'between the end in the answer and that in the status', 1_000)
  near(
    dates.validUntil,
    dates.dateCreated + 12 * 60 * minute,
    'from twelve hours after the opening',
  )
})

test(
  ...rule('sessions.status.dates', 'opened, batch session'),
  async ({ login, invoice, target }) => {
    const { api } = await login()
    const { referenceNumber } = await sendBatch(api, await packed([invoice()]))
    const dates = await datesTold(api, referenceNumber, 'Batch')
    near(dates.dateCreated, target.now(), 'from the opening to the present', 10 * minute)
    expect(dates.dateUpdated, 'the time of the last change').toBeGreaterThanOrEqual(
      dates.dateCreated,
    )
    expect(dates.validUntil, 'the expiry').toBeGreaterThan(dates.dateCreated)
  },
)

test(...rule('sessions.status.dates', 'changed'), async ({ open, invoice, clock }) => {
  const desk = await open()
  const { referenceNumber } = desk.session
  const look = () => datesTold(desk.api, referenceNumber)
  const opened = await look()
  await clock.advance(3 * minute)
  expect(await look(), 'the dates without a change').toEqual(opened)
  await accept(desk, invoice().bytes)
  const sent = await look()
  near(sent.dateUpdated, clock.now(), 'from the invoice to the last change')
  await clock.advance(3 * minute)
  await outcomeOfInvoice(desk, desk.api.codec.utf8('<Faktura/>'))
  near((await look()).dateUpdated, clock.now(), 'from the rejected invoice to the last change')
  await clock.advance(3 * minute)
  await closeOnline(desk.api, desk.session)
  await settleSession(desk.api, desk.session)
  const closed = await look()
  near(closed.dateUpdated, clock.now(), 'from the closing to the last change')
  for (const { dateCreated, validUntil } of [sent, closed])
    expect([dateCreated, validUntil], 'start and expiry, which do not change').toEqual([
      opened.dateCreated,
      opened.validUntil,
    ])
  await clock.advance(3 * minute)
  expect(await look(), 'the dates of a closed session').toEqual(closed)
})

test(...rule('sessions.status.dates', 'expiry'), async ({ open, invoice, login, clock }) => {
  const desk = await open()
  const path = { referenceNumber: desk.session.referenceNumber }
  await accept(desk, invoice().bytes)
  const { validUntil } = await datesTold(desk.api, path.referenceNumber)
  // What is sent in the meantime does not extend it.
  await clock.set(validUntil - 60 * minute)
  const again = await login({ context: desk.me.context })
  await accept({ api: again.api, session: desk.session }, invoice().bytes)
  await clock.set(validUntil - minute)
  const before = await login()
  const state = async (api: Client) =>
    reported(await api.call('sessions.status', { path })).status.code
  expect(await state(before.api), 'a minute before its end').toBe(100)
  await clock.set(validUntil + minute)
  const { last } = await poll(
    () => state(before.api),
    (code) => code >= 200,
    { ...before.api.polling, times: 20, sleep: before.api.sleep },
  )
  expect(last, 'a minute after its expiry').toBe(200)
  const { dateUpdated } = await datesTold(before.api, path.referenceNumber)
  near(dateUpdated, validUntil, 'from the end to the last change', 2 * minute)
})

test(
  ...rule('sessions.status.dates', 'expiry, batch session'),
  async ({ login, invoice, clock }) => {
    const me = await login()
    const made = await packed([invoice()])
    const { referenceNumber } = await openBatch(me.api, made, { formCode: formCodes.fa3 })
    const { validUntil } = await datesTold(me.api, referenceNumber, 'Batch')
    const state = async () => {
      const { api } = await login({ context: me.context })
      return reported(await api.call('sessions.status', { path: { referenceNumber } })).status.code
    }
    await clock.set(validUntil - minute)
    expect(await state(), 'a minute before its expiry').toBe(100)
    await clock.set(validUntil + minute)
    expect(await state(), 'a minute after its expiry').not.toBe(100)
  },
)

interface Counts {
  readonly all: number
  readonly succeeded: number
  readonly failed: number
}

const countsOf = async ({ api, session }: Desk): Promise<Counts> => {
  const path = { referenceNumber: session.referenceNumber }
  const answer = expectOk(await api.call('sessions.status', { path }), 'look at the session')
  const { invoiceCount, successfulInvoiceCount, failedInvoiceCount } = expectObject(
    answer,
    'look at the session',
  )
  return {
    all: Number(invoiceCount ?? 0),
    succeeded: Number(successfulInvoiceCount ?? 0),
    failed: Number(failedInvoiceCount ?? 0),
  }
}

const counters = ['invoiceCount', 'successfulInvoiceCount', 'failedInvoiceCount'] as const

/** The counters of a session as they are shown; `absent` for one that is left out. */
const countersOf = async (api: Client, referenceNumber: string) => {
  const answer = await api.call('sessions.status', { path: { referenceNumber } })
  const session = expectObject(answer, 'look at the session')
  return counters.map((name) => (name in session ? session[name] : 'absent'))
}

test(...rule('sessions.status.counts-absent', 'interactive'), async ({ login, open, invoice }) => {
  const me = await login()
  for (const [bytes, shown] of [
    [undefined, ['absent', 'absent', 'absent']],
    [invoice().bytes, [1, 1, 'absent']],
    [spoilt, [1, 'absent', 1]],
  ] as const) {
    const desk = await open({ me })
    if (bytes !== undefined) await outcomeOfInvoice(desk, bytes)
    const { referenceNumber } = desk.session
    expect(await countersOf(me.api, referenceNumber), 'while it is open').toEqual(shown)
    await finish(desk)
    expect(await countersOf(me.api, referenceNumber), 'once it is closed').toEqual(shown)
  }
})

test(...rule('sessions.status.counts-absent', 'batch'), async ({ login, invoice }) => {
  const { api } = await login()
  const { settled, referenceNumber } = await sendBatch(api, await sealArchive(invoice().bytes))
  expect(settled).toBeRejected('archive-refused')
  expect(await countersOf(api, referenceNumber)).toEqual([null, null, null])
})

test(
  ...rule('sessions.status.counts-absent', 'batch, never closed'),
  async ({ login, invoice, clock }) => {
    const { api, context } = await login()
    const session = await openBatch(api, await packed([invoice()]), { formCode: formCodes.fa3 })
    await clock.advance(25 * 3_600_000)
    const later = await login({ context })
    const settled = await settleSession(later.api, session, 'batchSession')
    expect(settled).toBeRejected('upload-time-exceeded')
    expect(await countersOf(later.api, session.referenceNumber)).toEqual([null, null, null])
  },
)

test(...rule('sessions.status.counts'), async ({ open, invoice }) => {
  const desk = await open()
  expect(await countsOf(desk), 'an empty session').toEqual({ all: 0, succeeded: 0, failed: 0 })
  await accept(desk, invoice().bytes)
  expect(await countsOf(desk)).toEqual({ all: 1, succeeded: 1, failed: 0 })
  const wrong = desk.api.codec.utf8('<Faktura/>')
  await outcomeOfInvoice(desk, wrong, { offlineMode: true })
  expect(await countsOf(desk)).toEqual({ all: 2, succeeded: 1, failed: 1 })
  await accept(desk, invoice().bytes)
  await finish(desk)
  const ended = { all: 3, succeeded: 2, failed: 1 }
  expect(await countsOf(desk), 'a closed session').toEqual(ended)
  const correction = await correctionOf(desk.api, wrong)
  const corrected = await outcomeOfInvoice(await open(), invoice().bytes, correction)
  expect(corrected, 'a technical correction').toHaveSucceeded('invoice')
  expect(await countsOf(desk), 'once the rejected one is corrected').toEqual(ended)
})

test(...rule('sessions.status.counts', 'while processing'), async ({ open, invoice, target }) => {
  const since = target.now() - 60_000
  const desk = await open()
  const { all: before } = await countsOf(desk)
  expect(before, 'the count before the first invoice').toBe(0)
  for (let sent = 1; sent <= 5; sent += 1) {
    await submit(desk.api, desk.session, invoice().bytes)
    const { all, succeeded, failed } = await countsOf(desk)
    expect(all, 'the count of sent invoices').toBe(sent)
    expect(succeeded + failed, 'the count of processed invoices').toBeLessThanOrEqual(all)
    expect(failed, 'the count of rejected invoices, all being valid').toBe(0)
    const rows = await sessionsOf(desk.api, 'Online', since)
    const row = rows.find((one) => one['referenceNumber'] === desk.session.referenceNumber)
    expect(row, 'the counts in the list').toMatchObject({
      totalInvoiceCount: sent,
      failedInvoiceCount: 0,
    })
    expect(row?.['successfulInvoiceCount'], 'accepted, in the list').toBeLessThanOrEqual(sent)
  }
})

test(...rule('sessions.status.counts', 'hundreds'), async ({ login, invoice, target }) => {
  await withoutRates(target)
  const { api } = await login()
  const { referenceNumber } = await sendHundreds(api, invoice)
  const counts = [2 * hundreds, hundreds, hundreds]
  const expected = { status: counts, list: counts }
  expect(await countsBothWays(api, referenceNumber, 'Batch'), 'all, accepted, rejected').toEqual(
    expected,
  )
})

test(...rule('sessions.status.moves-forward', 'session'), async ({ open, invoice }) => {
  const desk = await open()
  const path = { referenceNumber: desk.session.referenceNumber }
  const look = async () =>
    statusOf((await desk.api.call('sessions.status', { path })).body)?.code ?? 0
  const codes = [await look()]
  await accept(desk, invoice().bytes)
  codes.push(await look())
  await desk.api.call('sessions.closeOnline', { path })
  codes.push(await look())
  const settled = await settleSession(desk.api, desk.session)
  codes.push(settled.status.code, await look())
  expect(codes).toMoveAlong('onlineSession')
  expect({ status: { code: codes[0] ?? 0 } }, 'an open session').toBeInState('onlineSession', 100)
  expect(settled, 'a session with an accepted invoice').toHaveSucceeded('onlineSession')
})

test(...rule('sessions.status.moves-forward', 'empty session'), async ({ open }) => {
  const settled = await finish(await open())
  expect(settled, 'a session without invoices').toBeInState('onlineSession', 440)
})

test(...rule('sessions.status.moves-forward', 'no valid invoice'), async ({ open }) => {
  const desk = await open()
  await outcomeOfInvoice(desk, desk.api.codec.utf8('<Faktura/>'))
  const settled = await finish(desk)
  expect(settled, 'a session without a valid invoice').toBeInState('onlineSession', 445)
})

test(...rule('sessions.status.moves-forward', 'invoice'), async ({ open, invoice }) => {
  const desk = await open()
  const { referenceNumber } = await submit(desk.api, desk.session, invoice().bytes)
  const settled = await settleInvoice(desk.api, desk.session, referenceNumber)
  const later = await settleInvoice(desk.api, desk.session, referenceNumber)
  const codes = [...settled.exchanges, ...later.exchanges].map(
    ({ body }) => statusOf(body)?.code ?? 0,
  )
  expect(codes).toMoveAlong('invoice')
  expect(later, 'an accepted invoice').toHaveSucceeded('invoice')
})
