import type { RuleId } from '../../../contract/rules.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { callReceiptLink } from '../../../lib/flows/receipt.ts'
import { createExport, downloadExport } from '../../../lib/flows/export.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import type { Me } from '../../support/service/contexts.ts'
import { awkwardDocument, awkwardly } from '../../support/documents/awkward-documents.ts'
import { settleOwn, unpack } from '../../support/steps/export-parts.ts'
import { issuedAround, subjectTypes } from '../../support/steps/filters.ts'
import type { SubjectType } from '../../support/steps/filters.ts'
import { isoDay } from '../../../lib/local-time.ts'
import { authorizeSelfInvoicing } from '../../support/callers/grants.ts'
import { kin } from '../../support/callers/kin.ts'
import { offered } from '../../support/service/offered.ts'
import {
  boughtBy,
  identified,
  selfInvoiced,
  withAuthorizedParty,
  withThirdParty,
} from '../../support/documents/parties.ts'
import { familyRule } from '../../support/checks/rule.ts'
import type { SearchOperation } from '../../support/steps/searches.ts'
import { findAll, numbersOf, page } from '../../support/steps/searches.ts'
import { accept, fields, retrieve } from '../../support/steps/steps.ts'
import type { Accepted, Desk } from '../../support/steps/steps.ts'
import { buyerName, describedPlainly, documentOf } from '../../support/documents/stock-document.ts'
import { expect, test as base } from '../../support/harness/test.ts'

/** One invoice, read by each of its parties and by a stranger, in every way. */

const readers = {
  seller: { role: 'subject1', receipt: true },
  buyer: { role: 'subject2', receipt: true },
  'third party': { role: 'subject3', receipt: false },
  'second third party': { role: 'subject3', receipt: false },
  'authorized party': { role: 'subjectAuthorized', receipt: false },
  stranger: { role: undefined, receipt: false },
} as const satisfies Readonly<
  Record<string, { readonly role: SubjectType | undefined; readonly receipt: boolean }>
>

type Reader = keyof typeof readers
const names = Object.keys(readers) as Reader[]

interface Scene {
  readonly desk: Desk
  readonly callers: Readonly<Record<Reader, Me>>
  readonly bytes: Uint8Array
  readonly number: string
  readonly accepted: Accepted
}

/** What is done to a document whose bytes a service must keep: everything that goes together. */
const changes = ['layout', 'comments', 'empty elements', 'characters', 'quotes', 'values']

interface Sent {
  readonly issueDate?: string
  readonly awkward?: boolean
}

const test = base.extend<{ scene: (sent?: Sent) => Promise<Scene> }>({
  scene: async ({ open, login, another, invoice, rng, target }, use) => {
    await use(async ({ issueDate, awkward = false } = {}) => {
      const desk = await open()
      const caller = async () => login({ context: await another() })
      const callers = {
        seller: desk.me,
        buyer: await caller(),
        'third party': await caller(),
        'second third party': await caller(),
        'authorized party': await caller(),
        stranger: await caller(),
      }
      const nip = (reader: Reader): string => callers[reader].context.nip
      const number = `R-${rng.digits(10)}`
      const made = awkward
        ? plainly({ seller: desk.me.context.nip, buyer: nip('buyer'), number, now: target.now() })
        : invoice({
            buyer: nip('buyer'),
            number,
            ...(issueDate !== undefined && { issueDate }),
          }).bytes
      // The party added last comes first in the document.
      const thirds = [nip('second third party'), nip('third party')]
      const plain = withAuthorizedParty(
        thirds.reduce((text, party) => withThirdParty(text, party), made),
        nip('authorized party'),
      )
      const bytes = awkward ? awkwardly(plain, changes) : plain
      const accepted = await accept(desk, bytes)
      await findAll(desk.api, issuedAround(target.now()), [accepted.svcNumber])
      return { desk, callers, bytes, number, accepted }
    })
  },
})

/** An invoice whose texts the changes of an awkward document find. */
const plainly = (facts: {
  readonly seller: string
  readonly buyer: string
  readonly number: string
  readonly now: number
}): Uint8Array => {
  const { seller, number, now } = facts
  const bytes = awkwardDocument('plain', { seller, number, issueDate: isoDay(now) })
  const text = boughtBy(new TextDecoder().decode(bytes), identified(facts.buyer)[0]!, 'Käufer 🧾 𝔄')
  return new TextEncoder().encode(text)
}

const ways: readonly (readonly [
  RuleId,
  'invoices.bySvcNumber' | 'invoices.byNumber' | 'invoices.statusBySvcNumber' | 'invoices.status',
])[] = [
  ['invoices.get.parties-only', 'invoices.bySvcNumber'],
  ['invoices.get.by-service-number', 'invoices.bySvcNumber'],
  ['invoices.get.by-invoice-number', 'invoices.byNumber'],
  ['invoices.get.parties-only', 'invoices.statusBySvcNumber'],
  ['invoices.get.parties-only', 'invoices.status'],
]

for (const [id, operation] of ways)
  test(...familyRule(id, 'reader of an invoice', operation), async ({ scene }) => {
    const { callers, bytes, number, accepted } = await scene({ awkward: id.includes('.by-') })
    const path = {
      svcNumber: accepted.svcNumber,
      invoiceNumber: number,
      invoiceId: accepted.referenceNumber,
    }
    for (const reader of names) {
      const answer = await callers[reader].api.call(operation, { path })
      if (reader === 'stranger') {
        expect(answer, reader).toBeRefused('invoice-unknown')
        continue
      }
      expect(answer, `the ${reader}`).toBeOk()
      if (!operation.includes('tatus'))
        expect(Buffer.from(answer.bytes).equals(bytes), `for the ${reader}, unchanged`).toBe(true)
    }
  })

test(
  ...familyRule('invoices.get.by-service-number', 'reader of an invoice', 'its seller, not sender'),
  async ({ open, login, another, rng, target }) => {
    const seller = await login()
    const desk = await open({ me: await login({ context: await another() }) })
    const sender = desk.me.context.nip
    await authorizeSelfInvoicing(seller.api, sender)
    const number = `R-${rng.digits(10)}`
    const facts = { seller: seller.context.nip, buyer: sender, number, now: target.now() }
    const bytes = awkwardly(selfInvoiced(plainly(facts)), changes)
    const { svcNumber } = await accept(desk, bytes)
    for (const [who, { api }] of Object.entries({ seller, sender: desk.me })) {
      const answer = await retrieve(api, 'invoices.bySvcNumber', { svcNumber })
      expect(answer, `read by its ${who}`).toBeOk()
      expect(Buffer.from(answer.bytes).equals(bytes), `for its ${who}, unchanged`).toBe(true)
    }
  },
)

for (const role of subjectTypes)
  test(
    ...familyRule('queries.metadata.subject-type', 'reader of an invoice', `found as ${role}`),
    async ({ scene, target }) => {
      const { callers, accepted } = await scene()
      const filters = issuedAround(target.now(), role)
      for (const reader of names) {
        const found = numbersOf([await page(callers[reader].api, filters)])
        const expected = readers[reader].role === role ? [accepted.svcNumber] : []
        expect(found, `what the ${reader} finds as ${role}`).toEqual(expected)
      }
    },
  )

test(
  ...familyRule('queries.metadata.date-type', 'reader of an invoice', 'found by its date of issue'),
  async ({ scene, target }) => {
    const day = 24 * 3_600_000
    const issued = target.now() - 10 * day
    const { callers, accepted } = await scene({ issueDate: isoDay(issued) })
    const near = (instant: number) => ({
      dateType: 'issue' as const,
      from: new Date(instant - 1.5 * day).toISOString(),
      to: new Date(instant + 1.5 * day).toISOString(),
    })
    for (const reader of names) {
      const { role } = readers[reader]
      if (role === undefined) continue
      for (const operation of offered('queries.metadata', 'queries.general') as SearchOperation[])
        for (const [instant, expected] of [
          [issued, [accepted.svcNumber]],
          [target.now(), []],
        ] as const) {
          const filters = { subjectType: role, dateRange: near(instant) }
          const found = numbersOf([await page(callers[reader].api, filters, {}, operation)])
          const when = instant === issued ? 'its date of issue' : 'the date of its acceptance'
          expect(found, `by the ${reader} around ${when}, with ${operation}`).toEqual(expected)
        }
    }
  },
)

for (const role of subjectTypes)
  test(
    ...familyRule('exports.package.content', 'reader of an invoice', `exported as ${role}`),
    async ({ scene, target }) => {
      const { callers, accepted } = await scene()
      const filters = issuedAround(target.now(), role)
      const name = `${accepted.svcNumber}.xml`
      for (const reader of names) {
        const { api } = callers[reader]
        const started = await createExport(api, { filters })
        const settled = await settleOwn(api, started)
        const files = unpack(await downloadExport(api, started, settled))
        const expected = readers[reader].role === role ? [name] : []
        expect(
          Object.keys(files).filter((one) => one === name),
          `what the ${reader} exports as ${role}`,
        ).toEqual(expected)
      }
    },
  )

test(
  ...familyRule('receipts.link.parties-only', 'reader of an invoice', 'link to its receipt'),
  async ({ scene }) => {
    const { callers, accepted } = await scene()
    const follow = (reader: Reader): Promise<Exchange> =>
      callReceiptLink(callers[reader].api, accepted.receiptUrl ?? '')
    for (const reader of names) {
      const answer = await follow(reader)
      if (readers[reader].receipt) expect(answer, `the ${reader}`).toBeOk()
      else expect(answer, `the ${reader}`).toBeClientError()
    }
  },
)

test(
  ...familyRule('receipts.link.in-status', 'reader of an invoice', 'link for who may follow it'),
  async ({ scene }) => {
    const { callers, accepted } = await scene()
    for (const reader of names.filter((name) => readers[name].receipt)) {
      const { api } = callers[reader]
      const path = { svcNumber: accepted.svcNumber }
      const { upoDownloadUrl } = fields(await api.call('invoices.statusBySvcNumber', { path }))
      expect(upoDownloadUrl, `a link for the ${reader}`).toEqual(expect.any(String))
      expect(await callReceiptLink(api, String(upoDownloadUrl)), `by the ${reader}`).toBeOk()
    }
  },
)

for (const id of ['queries.metadata.subject-type', 'invoices.get.parties-only'] as const)
  test(
    ...familyRule(id, 'reader of an invoice', 'a buyer by an identifier of another kind'),
    async ({ open, login, another, rng, target }) => {
      const desk = await open()
      const namesake = await login({ context: await another() })
      const taxpayer = await login({ context: await another() })
      const entity = await kin.NipVatUe({ me: taxpayer, login, rng, target })
      const buyers = [
        [namesake, { type: 'Other', value: namesake.context.nip }],
        [entity, { type: 'VatUe', value: `SK${entity.context.value.slice(13)}` }],
      ] as const
      for (const [{ api, context }, identifier] of buyers) {
        const made = describedPlainly({
          seller: desk.me.context.nip,
          number: `N-${rng.digits(9)}`,
          issueDate: isoDay(target.now()),
        })
        const buyer = { identifier, name: buyerName }
        const parties = { third: drawNip(rng), authorized: drawNip(rng) }
        const { svcNumber } = await accept(desk, documentOf({ ...made, buyer }, parties))
        await findAll(desk.api, issuedAround(target.now()), [svcNumber])
        if (id === 'invoices.get.parties-only') {
          const answer = await api.call('invoices.bySvcNumber', { path: { svcNumber } })
          expect(answer, `read by ${context.type}`).toBeRefused('invoice-unknown')
          continue
        }
        for (const role of subjectTypes) {
          // Other checks send to the same entity where a target has one context.
          const filters = { ...issuedAround(target.now(), role), svcNumber }
          const found = numbersOf([await page(api, filters)])
          expect(found, `found as ${role} by ${context.type}`).toEqual([])
        }
      }
    },
  )
