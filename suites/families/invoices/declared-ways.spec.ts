import type { RefusalId } from '../../../contract/errors.ts'
import { invoiceKinds } from '../../../generators/invoice/invoice.ts'
import { openOnline } from '../../../lib/flows/session.ts'
import { isoDay } from '../../../lib/local-time.ts'
import { declaredWays, oneByOne } from '../../support/scenes/declared-ways.ts'
import type { DeclaredWay } from '../../support/scenes/declared-ways.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { authorizeSelfInvoicing } from '../../support/callers/grants.ts'
import { wentWell } from '../../support/judging/matchers.ts'
import type { WorkOutcome } from '../../support/judging/matchers.ts'
import { offered } from '../../support/service/offered.ts'
import { selfInvoiced } from '../../support/documents/parties.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { accept, recordOf, retrieve } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'
import { offeredWays } from '../../support/scenes/ways-of-sending.ts'
import { inAscii, wrongDocuments } from '../../support/documents/wrong-documents.ts'

/** What holds of every document holds of those that are declared offline, and of technical corrections. */

const family = 'declared way'
const ways = Object.entries(declaredWays)
const day = 24 * 3_600_000

const fieldsOf = (outcome: WorkOutcome | undefined) =>
  (outcome !== undefined && 'body' in outcome ? recordOf(outcome) : outcome) as Readonly<
    Record<string, unknown>
  >

const expectAll = (outcomes: readonly WorkOutcome[], what: string, refusal?: RefusalId): void => {
  for (const [place, outcome] of outcomes.entries())
    if (refusal === undefined)
      expect(outcome, `${what}, document ${place + 1}`).toHaveSucceeded('invoice')
    else expect(outcome, `${what}, document ${place + 1}`).toBeRejected(refusal)
}

for (const { id, refusal, write } of wrongDocuments)
  test(...familyRule(id, family, 'wrong documents'), async ({ open, invoice }) => {
    const desk = await open()
    for (const [way, send] of ways) {
      const plain = inAscii(invoice({ kind: 'VAT' }).bytes)
      const outcomes = await send(desk, ...Object.values(write).map((change) => change(plain)))
      for (const [place, what] of Object.keys(write).entries())
        expectAll(outcomes.slice(place, place + 1), `${what}, ${way}`, refusal)
      expectAll(await send(desk, plain), `as it was, ${way}`)
    }
  })

test(
  ...familyRule('invoices.content.invalid-rejected', family, 'of another seller'),
  async ({ open, another, invoice }) => {
    const desk = await open()
    const { nip } = await another()
    for (const [way, send] of ways)
      expectAll(
        await send(desk, invoice({ seller: nip }).bytes),
        `${way}, of another seller`,
        'seller-not-allowed',
      )
  },
)

test(
  ...familyRule('invoices.content.issue-date', family, 'before and after its day'),
  async ({ open, invoice, target }) => {
    const desk = await open()
    const issued = (days: number) => invoice({ issueDate: isoDay(target.now() + days * day) }).bytes
    for (const [way, send] of ways) {
      expectAll(await send(desk, issued(3), issued(40)), `${way}, ahead`, 'invoice-invalid')
      expectAll(await send(desk, issued(-3), issued(-400)), `${way}, of a day before`)
    }
  },
)

test(
  ...familyRule('invoices.duplicate.rejected', family, 'in one session and in two'),
  async ({ open, invoice, target }) => {
    const desk = await open()
    for (const [way, send] of ways) {
      const made = invoice({ kind: 'VAT' })
      const { number } = made
      const { svcNumber } = await accept(desk, made.bytes)
      const issueDate = isoDay(target.now() - day)
      const later = await open({ me: desk.me })
      for (const where of [desk, later]) {
        const alike = invoice({ kind: 'VAT', number, issueDate, buyer: '5265877635' }).bytes
        const outcomes = await send(where, alike)
        expectAll(outcomes, `${way}, of an accepted one`, 'duplicate-invoice')
        for (const outcome of outcomes)
          expect(fieldsOf(outcome), `the original that is named, ${way}`).toMatchObject({
            originalSvcNumber: svcNumber,
            originalSessionReferenceNumber: desk.session.referenceNumber,
          })
      }
      const { bytes } = invoice()
      const outcomes = await send(desk, bytes, bytes)
      expect(outcomes.filter(wentWell).length, `${way}, accepted of two equal ones`).toBe(1)
      for (const [name, { outcome }] of offeredWays())
        expect(await outcome(desk, bytes), `${way}, then ${name}`).toBeRejected('duplicate-invoice')
    }
  },
)

test(
  ...familyRule('invoices.duplicate.everywhere', family, 'sent before by an agent'),
  async ({ open, login, another, invoice }) => {
    const desk = await open()
    const agent = await login({ context: await another() })
    await authorizeSelfInvoicing(desk.api, agent.context.nip)
    const session = await openOnline(agent.api, { formCode: formCodes.fa3 })
    for (const [way, send] of ways) {
      const [first, second] = [selfInvoiced(invoice().bytes), selfInvoiced(invoice().bytes)]
      await accept({ api: agent.api, session }, first)
      expectAll(await send(desk, first), `${way}, after an agent`, 'duplicate-invoice')
      await accept(desk, second)
      const outcomes = await send({ api: agent.api, session }, second)
      expectAll(outcomes, `${way}, by an agent`, 'duplicate-invoice')
    }
  },
)

test(
  ...familyRule('invoices.duplicate.triple', family, 'kinds and numbers'),
  async ({ open, invoice }) => {
    const desk = await open()
    for (const [way, send] of ways) {
      const { number } = invoice()
      const kinds = invoiceKinds.map((kind) => invoice({ number, kind }).bytes)
      expectAll(await send(desk, ...kinds), `${way}, one number, each kind`)
      const numbers = [number.toLowerCase(), number.replaceAll('/', '-'), `${number}/A`]
      const near = numbers.map((other) => invoice({ number: other }).bytes)
      expectAll(await send(desk, ...near), `${way}, numbers that are near`)
    }
  },
)

test(
  ...familyRule('invoices.get.by-service-number', family, 'byte for byte'),
  async ({ open, invoice }) => {
    const desk = await open()
    const { api } = desk
    for (const [way, send] of ways) {
      const { bytes, number } = invoice()
      const [outcome] = await send(desk, bytes)
      expectAll([outcome!], way)
      const { svcNumber } = fieldsOf(outcome)
      for (const [operation, path] of [
        ['invoices.bySvcNumber', { svcNumber: String(svcNumber) }],
        ['invoices.byNumber', { invoiceNumber: number }],
      ] as const)
        for (const known of offered(operation)) {
          const answer = await retrieve(api, known, path)
          expect(Buffer.from(answer.bytes).equals(bytes), `${known}, ${way}`).toBe(true)
        }
    }
  },
)

const everyWay = (): readonly (readonly [string, DeclaredWay])[] => [
  ...ways,
  ...offeredWays().map(([name, { outcome }]) => [name, oneByOne(outcome)] as const),
]

test(
  ...familyRule('invoices.duplicate.ten-years', 'declared way for years', 'each kind'),
  async ({ open, login, invoice, clock }) => {
    const desk = await open()
    const { issueDate } = invoice()
    const sent: Uint8Array[] = []
    for (const [way, send] of everyWay()) {
      const { number } = invoice()
      const kinds = invoiceKinds.map((kind) => invoice({ number, kind }).bytes)
      expectAll(await send(desk, ...kinds), way)
      sent.push(...kinds)
    }
    const together = declaredWays['in a package declared offline']!
    const year = Number(issueDate.slice(0, 4))
    const after = async (years: number, date: string) => {
      await clock.set(Date.parse(`${year + years}-${date}T12:00:00Z`))
      return open({ me: await login({ context: desk.me.context }) })
    }
    const later = await after(7, '01-02')
    expectAll(await together(later, ...sent), 'after seven years', 'duplicate-invoice')
    const last = await after(10, '12-31')
    expectAll(await together(last, ...sent), 'on the last day', 'duplicate-invoice')
    // Those of one number, an invoice and its corrections.
    const few = sent.filter((_, place) => /^(VAT|KOR)/.test(invoiceKinds[place] ?? ''))
    for (const [way, send] of everyWay())
      expectAll(await send(last, ...few), `on the last day, ${way}`, 'duplicate-invoice')
    expectAll(await together(await after(11, '01-02'), ...sent), 'after ten full years')
  },
)
