import type { Exchange } from '../../../lib/exchange.ts'
import { callReceipt, callReceiptLink, receiptPages } from '../../../lib/flows/receipt.ts'
import { settleSession } from '../../../lib/flows/session.ts'
import { expectReceipt } from '../../support/steps/receipts.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { askEachWay } from '../../support/scenes/sent-invoices.ts'
import { listInvoices } from '../../support/steps/packages.ts'
import type { Accepted, Desk } from '../../support/steps/steps.ts'
import { accept, fields, finish } from '../../support/steps/steps.ts'
import type { Me } from '../../support/service/contexts.ts'
import type { CheckFixtures } from '../../support/harness/fixtures.ts'
import { isoDay } from '../../../lib/local-time.ts'
import { expect, test } from '../../support/harness/test.ts'

/** The receipt of an invoice, fetched in every way, and its links in every status. */

type Row = Readonly<Record<string, unknown>>
type Way = (desk: Desk, accepted: Accepted) => Promise<Exchange>

const ways: readonly (readonly [
  rule: 'receipts.invoice.carries-number' | 'receipts.ways',
  name: string,
  way: Way,
])[] = [
  [
    'receipts.invoice.carries-number',
    'by reference',
    ({ api, session }, { referenceNumber }) =>
      callReceipt(api, {
        sessionReferenceNumber: session.referenceNumber,
        invoiceReferenceNumber: referenceNumber,
      }),
  ],
  [
    'receipts.invoice.carries-number',
    'by service number',
    ({ api, session }, { svcNumber }) =>
      callReceipt(api, { sessionReferenceNumber: session.referenceNumber, svcNumber }),
  ],
  ['receipts.ways', 'by link', ({ api }, { receiptUrl = '' }) => callReceiptLink(api, receiptUrl)],
]

for (const [id, name, way] of ways)
  test(...familyRule(id, 'receipt of an invoice', name), async ({ open, invoice, rng, target }) => {
    const desk = await open()
    const issueDate = isoDay(target.now() - 3 * 24 * 3_600_000)
    const number = `R&D <„ą”> "${rng.digits(6)}"`
    const longest = number.padEnd(256, 'ż')
    const sent = [
      invoice(),
      invoice({ issueDate }),
      invoice({ number }),
      invoice({ number: longest }),
    ]
    for (const made of sent) {
      const accepted = await accept(desk, made.bytes)
      await expectReceipt(await way(desk, accepted), desk, made, accepted)
    }
  })

/** The answers that link to the receipt of an invoice: each status, and its row in the list of its session. */
const linksOf = async (me: Me, session: string, accepted: Accepted) => {
  const statuses = (await askEachWay(me, session, accepted)).map((status) => ({
    by: String(status.operation),
    record: fields(status),
  }))
  const row = (await listInvoices(me.api, session)).find(
    ({ svcNumber }) => svcNumber === accepted.svcNumber,
  )
  return [...statuses, { by: 'sessions.invoices', record: (row ?? {}) as Row }].map(
    ({ by, record }) => ({
      by,
      url: String(record['upoDownloadUrl']),
      until: Date.parse(String(record['upoDownloadUrlExpirationDate'])),
    }),
  )
}

test(
  ...familyRule('receipts.link.in-status', 'receipt of an invoice', 'each status'),
  async ({ open, invoice }) => {
    const desk = await open()
    for (const made of [invoice(), invoice()]) {
      const accepted = await accept(desk, made.bytes)
      for (const { by, url } of await linksOf(desk.me, desk.session.referenceNumber, accepted)) {
        expect(url, `the receipt link by ${by}`).toMatch(/^https?:/)
        await expectReceipt(await callReceiptLink(desk.api, url), desk, made, accepted)
      }
    }
  },
)

test(
  ...familyRule('receipts.session.verifies', 'receipt of an invoice', 'by the link of the session'),
  async ({ open, invoice, target }) => {
    const desk = await open()
    const made = invoice({ issueDate: isoDay(target.now() - 3 * 24 * 3_600_000) })
    const accepted = await accept(desk, made.bytes)
    const [page] = receiptPages(await finish(desk))
    expect(page?.downloadUrl, 'the link of the page').toMatch(/^https?:/)
    await expectReceipt(
      await callReceiptLink(desk.api, String(page?.downloadUrl)),
      desk,
      made,
      accepted,
    )
  },
)

test(
  ...familyRule('receipts.link.expires', 'receipt of an invoice', 'each status'),
  async ({ open, login, invoice, clock }) => {
    const desk = await open()
    const accepted = await accept(desk, invoice().bytes)
    const ofSession = receiptPages(await finish(desk)).map((page) => ({
      by: 'sessions.status',
      url: String(page.downloadUrl),
      until: Date.parse(String(page.downloadUrlExpirationDate)),
    }))
    const ofInvoice = await linksOf(desk.me, desk.session.referenceNumber, accepted)
    const links = [...ofInvoice, ...ofSession]
    let now = clock.now()
    const follow = async (at: number, url: string) => {
      if (now < at) await clock.set(at)
      now = Math.max(now, at)
      const { api } = await login({ context: desk.me.context })
      return callReceiptLink(api, url)
    }
    for (const { by, url, until } of links.toSorted((a, b) => a.until - b.until)) {
      expect(until, `the end of the link by ${by}`).not.toBeNaN()
      if (now < until - 60_000) expect(await follow(until - 60_000, url), `by ${by}`).toBeOk()
      expect(await follow(until + 60_000, url), `by ${by}`).toBeRefused('link-expired')
    }
  },
)

/** An invoice of a closed session, once every link to its receipt has expired. */
const afterTheLinks = async ({
  open,
  login,
  invoice,
  clock,
}: Pick<CheckFixtures, 'open' | 'login' | 'invoice' | 'clock'>) => {
  const { me, session } = await open()
  const made = invoice()
  const accepted = await accept({ api: me.api, session }, made.bytes)
  const pages = receiptPages(await finish({ api: me.api, session })).map((page) =>
    Date.parse(String(page.downloadUrlExpirationDate)),
  )
  const links = await linksOf(me, session.referenceNumber, accepted)
  const ends = [...pages, ...links.map(({ until }) => until)].filter((end) => !Number.isNaN(end))
  await clock.set(Math.max(...ends, clock.now()) + 60_000)
  const later = await login({ context: me.context })
  return { desk: { api: later.api, session }, me: later, made, accepted }
}

test(
  ...familyRule('receipts.link.expires', 'receipt of an invoice', 'fresh links'),
  async ({ open, login, invoice, clock }) => {
    const { desk, me, made, accepted } = await afterTheLinks({ open, login, invoice, clock })
    const { body } = await settleSession(desk.api, desk.session)
    const { upo } = body as { upo?: { pages?: readonly { downloadUrl?: string }[] } }
    const ofSession = { by: 'sessions.status', url: upo?.pages?.[0]?.downloadUrl ?? '' }
    const links = await linksOf(me, desk.session.referenceNumber, accepted)
    for (const { by, url } of [...links, ofSession]) {
      expect(url, `a fresh link by ${by}`).toMatch(/^https?:/)
      await expectReceipt(await callReceiptLink(desk.api, url), desk, made, accepted)
    }
  },
)

test(
  ...familyRule('receipts.invoice.carries-number', 'receipt after its links'),
  async ({ open, login, invoice, clock }) => {
    const { desk, made, accepted } = await afterTheLinks({ open, login, invoice, clock })
    const sessionReferenceNumber = desk.session.referenceNumber
    const [page] = receiptPages(await settleSession(desk.api, desk.session))
    for (const receipt of [
      { sessionReferenceNumber, invoiceReferenceNumber: accepted.referenceNumber },
      { sessionReferenceNumber, svcNumber: accepted.svcNumber },
      { sessionReferenceNumber, upoReferenceNumber: page?.referenceNumber ?? '' },
    ])
      await expectReceipt(await callReceipt(desk.api, receipt), desk, made, accepted)
  },
)

test(
  ...familyRule(
    'receipts.not-by-number-alone',
    'receipt of an invoice',
    'below another session of the caller',
  ),
  async ({ open, invoice }) => {
    const desk = await open()
    const { referenceNumber, svcNumber } = await accept(desk, invoice().bytes)
    const [page] = receiptPages(await finish(desk))
    const other = await open({ me: desk.me })
    const sessionReferenceNumber = other.session.referenceNumber
    for (const receipt of [
      { sessionReferenceNumber, invoiceReferenceNumber: referenceNumber },
      { sessionReferenceNumber, svcNumber },
      { sessionReferenceNumber, upoReferenceNumber: page?.referenceNumber ?? '' },
    ])
      expect(await callReceipt(desk.api, receipt), JSON.stringify(receipt)).toBeClientError()
  },
)

test(
  ...familyRule('receipts.link.parties-only', 'receipt of an invoice', 'link of a session'),
  async ({ open, login, another, invoice }) => {
    const desk = await open()
    const buyer = await another()
    await accept(desk, invoice({ buyer: buyer.nip }).bytes)
    await accept(desk, invoice().bytes)
    const [page] = receiptPages(await finish(desk))
    const url = String(page?.downloadUrl)
    expect(await callReceiptLink(desk.api, url), 'by its sender').toBeOk()
    for (const [who, context] of [
      ['a stranger', await another()],
      ['the buyer of one of its invoices', buyer],
    ] as const) {
      const { api } = await login({ context })
      expect(await callReceiptLink(api, url), `by ${who}`).toBeClientError()
    }
  },
)
