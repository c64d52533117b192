import { drawNip } from '../../../lib/identifiers/nip.ts'
import { isoDay } from '../../../lib/local-time.ts'
import type { Rng } from '../../../lib/random.ts'
import type { CheckFixtures } from '../../support/harness/fixtures.ts'
import { wentWell } from '../../support/judging/matchers.ts'
import { spoilt } from '../../support/documents/malformed.ts'
import { listInvoices, nameOf, packed, sendBatch } from '../../support/steps/packages.ts'
import { expectReason } from '../../support/steps/reasons.ts'
import { rule } from '../../support/checks/rule.ts'
import { countsOf } from '../../support/answers/session-counts.ts'
import { outcomeOfInvoice, recordOf } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

test(...rule('sessions.batch.failed-list'), async ({ login, invoice }) => {
  const { api } = await login()
  const broken = { bytes: spoilt }
  const { referenceNumber } = await sendBatch(api, await packed([invoice(), broken, broken]))
  const failed = await listInvoices(api, referenceNumber, 'sessions.failed')
  expect(failed.length, 'failed invoices').toBe(2)
  const accepted = (await listInvoices(api, referenceNumber)).filter(wentWell)
  for (const row of failed) {
    expect(row).toBeRejected('invoice-invalid')
    expectReason(row, ...accepted)
  }
  const names = new Set(failed.map(({ invoiceFileName }) => invoiceFileName))
  expect(names, 'names of the failed files').toEqual(new Set([nameOf(1), nameOf(2)]))
})

const day = 24 * 3_600_000

/** The same invoice three times, and two others of one number that are rejected for different reasons. */
const ofTwoNumbers = (invoice: CheckFixtures['invoice'], rng: Rng, now: number) => {
  const same = invoice()
  const foreign = invoice({ seller: drawNip(rng) })
  const future = invoice({ number: foreign.number, issueDate: isoDay(now + 40 * day) })
  return [same, foreign, same, future, same]
}

test(
  ...rule('sessions.batch.failed-list', 'one number, interactive session'),
  async ({ open, invoice, rng, target }) => {
    const desk = await open()
    const { referenceNumber: session } = desk.session
    const rejected: string[] = []
    for (const [place, { bytes }] of ofTwoNumbers(invoice, rng, target.now()).entries()) {
      const outcome = await outcomeOfInvoice(desk, bytes)
      if (place === 0) expect(outcome).toHaveSucceeded('invoice')
      else {
        expect(wentWell(outcome), `whether invoice ${place + 1} is accepted`).toBe(false)
        // What is refused at once is not of the session.
        if (!('request' in outcome)) rejected.push(String(recordOf(outcome)['referenceNumber']))
      }
    }
    const failed = await listInvoices(desk.api, session, 'sessions.failed')
    expect(
      failed.map(({ referenceNumber }) => referenceNumber).toSorted(),
      'failed invoices, each once',
    ).toEqual(rejected.toSorted())
    const counts = [1 + rejected.length, 1, rejected.length]
    expect(await countsOf(desk.api, session, 'Online'), 'all, accepted, rejected').toEqual({
      status: counts,
      list: counts,
    })
  },
)

test(
  ...rule('sessions.batch.failed-list', 'one number, package'),
  async ({ login, invoice, rng, target }) => {
    const { api } = await login()
    const documents = ofTwoNumbers(invoice, rng, target.now())
    const { referenceNumber: session } = await sendBatch(api, await packed(documents))
    const failed = await listInvoices(api, session, 'sessions.failed')
    const names = documents.map((_, place) => nameOf(place))
    const accepted = (await listInvoices(api, session)).filter(wentWell)
    expect(accepted.length, 'accepted of the equal ones').toBe(1)
    expect(
      failed.map(({ invoiceFileName }) => String(invoiceFileName)).toSorted(),
      'names of the failed files, each once',
    ).toEqual(names.filter((name) => name !== accepted[0]?.invoiceFileName))
    expect(await countsOf(api, session, 'Batch'), 'all, accepted, rejected').toEqual({
      status: [5, 1, 4],
      list: [5, 1, 4],
    })
  },
)
