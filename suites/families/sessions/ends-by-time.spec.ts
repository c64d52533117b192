import type { Client } from '../../../lib/client.ts'
import { limits } from '../../../contract/limits.ts'
import { receiptPages } from '../../../lib/flows/receipt.ts'
import { openOnline, settleSession, submissionBody } from '../../../lib/flows/session.ts'
import { Inconclusive } from '../../../lib/outcome.ts'
import type { CheckFixtures } from '../../support/harness/fixtures.ts'
import { declarations } from '../../support/scenes/declared-ways.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { spoilt } from '../../support/documents/malformed.ts'
import { listInvoices } from '../../support/steps/packages.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { countsOf } from '../../support/answers/session-counts.ts'
import { fields, finish, outcomeOfInvoice, reported } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Interactive sessions that nobody closes: when they expire, they end in the same way as closed ones. */

const minute = 60_000

/** How many valid and invalid documents the session has. */
const contents: Readonly<Record<string, { readonly valid: number; readonly invalid: number }>> = {
  'valid and invalid invoices': { valid: 2, invalid: 1 },
  'invalid invoices': { valid: 0, invalid: 2 },
  'no invoices': { valid: 0, invalid: 0 },
}

/** A session a minute after its end, as a later login of its owner sees it. */
const leftOpen = async (
  { login, invoice, clock }: Pick<CheckFixtures, 'login' | 'invoice' | 'clock'>,
  { valid, invalid }: { readonly valid: number; readonly invalid: number },
) => {
  const { api, context } = await login()
  const session = await openOnline(api, { formCode: formCodes.fa3 })
  const documents = [
    ...Array.from({ length: valid }, () => invoice().bytes),
    ...Array.from({ length: invalid }, () => spoilt),
  ]
  for (const bytes of documents) await outcomeOfInvoice({ api, session }, bytes)
  await clock.advance(2 * minute)
  const beside = await openOnline(api, { formCode: formCodes.fa3 })
  await clock.advance(limits['session.onlineLifetime'].value * 1000 - minute)
  const later = await login({ context })
  const path = { referenceNumber: beside.referenceNumber }
  const look = reported(await later.api.call('sessions.status', { path }))
  expect(look, 'a session that was opened two minutes later').toBeInState('onlineSession', 100)
  const settled = await settleSession(later.api, session)
  return { api: later.api, session, settled, referenceNumber: session.referenceNumber }
}

/** What the expiry must leave unchanged. */
const shownOf = async (api: Client, referenceNumber: string) => {
  const status = await api.call('sessions.status', { path: { referenceNumber } })
  const { dateUpdated, upo } = fields(status)
  const { pages = [] } = (upo ?? {}) as { pages?: readonly { referenceNumber: string }[] }
  return {
    code: reported(status).status.code,
    dateUpdated,
    receipts: pages.map((page) => page.referenceNumber),
    counts: (await countsOf(api, referenceNumber, 'Online')).status,
  }
}

test(
  ...familyRule('sessions.status.moves-forward', 'session ended by its time', 'closed before'),
  async ({ open, login, invoice, clock }) => {
    const me = await login()
    const closed: { what: string; referenceNumber: string; before: unknown }[] = []
    for (const [what, { valid, invalid }] of Object.entries(contents)) {
      const desk = await open({ me })
      for (let n = 0; n < valid; n += 1) await outcomeOfInvoice(desk, invoice().bytes)
      for (let n = 0; n < invalid; n += 1) await outcomeOfInvoice(desk, spoilt)
      await finish(desk)
      const { referenceNumber } = desk.session
      closed.push({ what, referenceNumber, before: await shownOf(me.api, referenceNumber) })
    }
    await clock.advance(limits['session.onlineLifetime'].value * 1000 + minute)
    const later = await login({ context: me.context })
    for (const { what, referenceNumber, before } of closed)
      expect(await shownOf(later.api, referenceNumber), `closed with ${what}`).toEqual(before)
  },
)

for (const [what, content] of Object.entries(contents)) {
  test(
    ...familyRule('sessions.online.close', 'session ended by its time', what),
    async ({ login, invoice, clock }) => {
      const { api, session, settled } = await leftOpen({ login, invoice, clock }, content)
      if (content.valid > 0) expect(settled).toHaveSucceeded('onlineSession')
      else expect(settled).not.toHaveSucceeded('onlineSession')
      const path = { referenceNumber: session.referenceNumber }
      const state = async () => reported(await api.call('sessions.status', { path })).status.code
      const before = await state()
      const body = await submissionBody(api, session, invoice().bytes)
      const declared = await declarations({
        api,
        session: await openOnline(api, { formCode: formCodes.fa3 }),
      })
      for (const time of ['', ' once more']) {
        for (const [way, declaration] of Object.entries(declared)) {
          const sent = await api.call('invoices.submit', {
            path,
            body: { ...body, ...declaration },
          })
          expect(sent, `a submission ${way}${time}`).toBeRefused('session-state-forbids')
        }
        const closed = await api.call('sessions.closeOnline', { path })
        expect(closed, `a close${time}`).toBeRefused('session-state-forbids')
      }
      expect(await state(), 'the state after refused actions').toBe(before)
    },
  )

  if (content.valid + content.invalid > 0)
    test(
      ...familyRule('sessions.status.counts', 'session ended by its time', what),
      async ({ login, invoice, clock }) => {
        const { api, referenceNumber } = await leftOpen({ login, invoice, clock }, content)
        const { valid, invalid } = content
        const expected = [valid + invalid, valid, invalid]
        expect(await countsOf(api, referenceNumber, 'Online')).toEqual({
          status: expected,
          list: expected,
        })
        const rows = await listInvoices(api, referenceNumber)
        const failed = await listInvoices(api, referenceNumber, 'sessions.failed')
        expect([rows.length, failed.length], 'its invoices, and those that failed').toEqual([
          valid + invalid,
          invalid,
        ])
      },
    )
}

test(
  ...familyRule(
    'sessions.online.receipt-after-close',
    'session ended by its time',
    'closed, a day later',
  ),
  async ({ login, invoice, clock }) => {
    const { api, context } = await login()
    const session = await openOnline(api, { formCode: formCodes.fa3 })
    await outcomeOfInvoice({ api, session }, invoice().bytes)
    const [page] = receiptPages(await finish({ api, session }))
    if (page === undefined) throw new Inconclusive('find the aggregate receipt', 'a page')
    await clock.advance(24 * 60 * minute)
    const later = await login({ context })
    const shown = await shownOf(later.api, session.referenceNumber)
    expect(shown.receipts, 'the pages that the status names').toEqual([page.referenceNumber])
    const path = {
      referenceNumber: session.referenceNumber,
      upoReferenceNumber: page.referenceNumber,
    }
    expect(await later.api.call('receipts.session', { path }), 'the aggregate receipt').toBeOk()
  },
)

test(
  ...familyRule('invoices.submit.accepted', 'session ended by its time', 'idle before'),
  async ({ login, invoice, clock }) => {
    const { api, context } = await login()
    const hours = limits['session.onlineLifetime'].value / 3600
    // Of different age by then; each is used for the first time, and once more.
    const [used, unused] = [
      await openOnline(api, { formCode: formCodes.fa3 }),
      await openOnline(api, { formCode: formCodes.fa3 }),
    ]
    await outcomeOfInvoice({ api, session: used }, invoice().bytes)
    for (const idle of [1, 3, hours - 5]) {
      await clock.advance(idle * 60 * minute + minute)
      const later = await login({ context })
      for (const [what, session] of Object.entries({ used, unused }))
        expect(
          await outcomeOfInvoice({ api: later.api, session }, invoice().bytes),
          `in a session that was ${what} before, after ${idle} idle hours`,
        ).toHaveSucceeded('invoice')
    }
  },
)
