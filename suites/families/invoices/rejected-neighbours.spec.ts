import { encryptAes, randomBytes } from '../../../lib/crypto.ts'
import { createExport } from '../../../lib/flows/export.ts'
import { callReceipt, receiptPages } from '../../../lib/flows/receipt.ts'
import { describeSubmission, submissionBody } from '../../../lib/flows/session.ts'
import type { Settled } from '../../../lib/flows/settle.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import { isoDay } from '../../../lib/local-time.ts'
import { readReceipt } from '../../../lib/node/receipt.ts'
import type { Me } from '../../support/service/contexts.ts'
import { fetchFiles } from '../../support/steps/export-parts.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import type { CheckFixtures, Fixtures } from '../../support/harness/fixtures.ts'
import type { MadeInvoice } from '../../support/documents/invoice-source.ts'
import { wentWell } from '../../support/judging/matchers.ts'
import { meaningOfRow } from '../../support/answers/meaning.ts'
import { listInvoices, packed, rowOfDocument, sendBatch } from '../../support/steps/packages.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { findAll } from '../../support/steps/searches.ts'
import { finish, outcomeOfSubmission, retrieve } from '../../support/steps/steps.ts'
import type { Desk } from '../../support/steps/steps.ts'
import { describedPlainly, documentOf } from '../../support/documents/stock-document.ts'
import { expect, test } from '../../support/harness/test.ts'
import { offeredWays, ways } from '../../support/scenes/ways-of-sending.ts'

/** An invoice that is rejected for any reason, and the accepted ones around it: nothing of theirs changes. */

const rule = 'invoices.rejected.isolated'

type Spoil = (made: MadeInvoice, me: Me) => Uint8Array

const text = (change: (xml: string) => string): Spoil => {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()]
  return ({ bytes }) => encoder.encode(change(decoder.decode(bytes)))
}

/** Documents that are rejected whatever the way they are sent in. */
const documents: Readonly<Record<string, Spoil>> = {
  'no invoice': text(() => '<Faktura/>'),
  'cut short': ({ bytes }) => bytes.slice(0, -10),
  'with a byte order mark': ({ bytes }) => new Uint8Array([0xef, 0xbb, 0xbf, ...bytes]),
  'of another seller': text((xml) => xml.replace(/(<Podmiot1>.*?<NIP>)\d+/s, '$17980332920')),
  'issued in the future': text((xml) => xml.replace(/<P_1>.*?</, '<P_1>2099-01-01<')),
}

type Body = Parameters<typeof outcomeOfSubmission>[1]

/** Submissions of valid documents that are rejected for what is declared of them or how they are encrypted. */
const submissions: Readonly<Record<string, (desk: Desk, bytes: Uint8Array) => Promise<Body>>> = {
  'under another key': async ({ api, session }, bytes) =>
    describeSubmission(api, bytes, await encryptAes(bytes, randomBytes(32), session.iv)),
  'not encrypted': async ({ api }, bytes) => describeSubmission(api, bytes, bytes),
  ...Object.fromEntries(
    (
      [
        ['of another hash', { invoiceHash: '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' }],
        ['of another size', { invoiceSize: 1 }],
        [
          'of another encrypted hash',
          { encryptedInvoiceHash: '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' },
        ],
        ['of another encrypted size', { encryptedInvoiceSize: 16 }],
        ['not Base64', { encryptedInvoiceContent: '*' }],
      ] as const
    ).map(([name, wrong]) => [
      name,
      async ({ api, session }: Desk, bytes: Uint8Array) => ({
        ...(await submissionBody(api, session, bytes)),
        ...wrong,
      }),
    ]),
  ),
}

interface Kept {
  readonly made: MadeInvoice
  readonly referenceNumber: string
  readonly svcNumber: string
}

interface Sent {
  readonly me: Me
  readonly session: string
  readonly settled: Settled
  readonly kept: readonly Kept[]
  readonly rejected: number
}

/** One session with a rejected invoice of each kind, the first and the last too, and an accepted one behind each. */
const interactive = async ({ open, invoice }: Pick<CheckFixtures, 'open' | 'invoice'>) => {
  const desk = await open()
  const { api, session, me } = desk
  const kept: Kept[] = []
  let rejected = 0
  const bodies = [
    ...Object.entries(documents).map(
      ([name, spoil]) => [name, () => submissionBody(api, session, spoil(invoice(), me))] as const,
    ),
    ...Object.entries(submissions).map(
      ([name, body]) => [name, () => body(desk, invoice().bytes)] as const,
    ),
    ['a duplicate', () => submissionBody(api, session, kept[0]!.made.bytes)] as const,
  ]
  const reject = async (name: string, body: Body) => {
    const outcome = await outcomeOfSubmission(desk, body)
    expect(wentWell(outcome), `an invoice, ${name}, was accepted`).toBe(false)
    // An invoice that is refused at once is no invoice of the session.
    if (!('request' in outcome)) rejected += 1
  }
  for (const [name, body] of bodies) {
    await reject(name, await body())
    const made = invoice()
    const after = await outcomeOfSubmission(desk, await submissionBody(api, session, made.bytes))
    expect(after, `the next after one ${name}`).toHaveSucceeded('invoice')
    const { referenceNumber, svcNumber } = (after as Settled).body
    kept.push({ made, referenceNumber: String(referenceNumber), svcNumber: String(svcNumber) })
  }
  const last = documents['no invoice']!(invoice(), me)
  await reject('no invoice', await submissionBody(api, session, last))
  return { me, session: session.referenceNumber, settled: await finish(desk), kept, rejected }
}

/** A package of a rejected invoice of each kind, the first and the last too, and accepted ones between them. */
const inPackage = async ({ login, invoice }: Pick<CheckFixtures, 'login' | 'invoice'>) => {
  const me = await login()
  const repeated = invoice()
  await ways['interactive session']!.send(me, repeated.bytes)
  const bad = [
    ...Object.values(documents).map((spoil) => spoil(invoice(), me)),
    repeated.bytes,
    new TextEncoder().encode('<Faktura/><!-- the last -->'),
  ]
  const good = bad.slice(1).map(() => invoice())
  const all = bad.flatMap((bytes, place) => [{ bytes }, ...(good[place] ? [good[place]] : [])])
  const { referenceNumber: session, settled } = await sendBatch(me.api, await packed(all))
  const rows = await listInvoices(me.api, session)
  const kept: Kept[] = []
  for (const made of good) {
    const row = await rowOfDocument(me.api, rows, made.bytes)
    expect(row, 'an invoice between rejected ones').toHaveSucceeded('invoice')
    kept.push({ made, referenceNumber: row.referenceNumber, svcNumber: String(row.svcNumber) })
  }
  return { me, session, settled, kept, rejected: bad.length }
}

const kinds: readonly (readonly [
  string,
  'onlineSession' | 'batchSession',
  (fixtures: Fixtures) => Promise<Sent>,
])[] = [
  ['interactive session', 'onlineSession', interactive],
  ['batch session', 'batchSession', inPackage],
]

const numbersOfKept = (kept: readonly Kept[]): string[] => kept.map(({ svcNumber }) => svcNumber)

for (const [name, lifecycle, send] of kinds) {
  test(
    ...familyRule(rule, 'rejected neighbour', `receipts, ${name}`),
    async ({ open, login, invoice }) => {
      const sent = await send({ open, login, invoice } as Fixtures)
      const sessionReferenceNumber = sent.session
      const read = async (which: Parameters<typeof callReceipt>[1]) => {
        const receipt = await callReceipt(sent.me.api, which)
        expect(receipt).toBeOk()
        return readReceipt(receipt.bytes).documents.map(({ serviceNumber }) => serviceNumber)
      }
      const together: string[] = []
      for (const { referenceNumber } of receiptPages(sent.settled))
        together.push(
          ...(await read({ sessionReferenceNumber, upoReferenceNumber: referenceNumber })),
        )
      expect(together.toSorted(), 'on the receipt of the session').toEqual(
        numbersOfKept(sent.kept).toSorted(),
      )
      for (const { referenceNumber, svcNumber } of sent.kept)
        for (const which of [{ invoiceReferenceNumber: referenceNumber }, { svcNumber }])
          expect(await read({ sessionReferenceNumber, ...which })).toEqual([svcNumber])
    },
  )

  test(
    ...familyRule(rule, 'rejected neighbour', `status and content, ${name}`),
    async ({ open, login, invoice, target }) => {
      const { me, session, settled, kept, rejected } = await send({
        open,
        login,
        invoice,
      } as Fixtures)
      expect(settled).toHaveSucceeded(lifecycle)
      expect(settled.body, 'the counts of the session').toMatchObject({
        invoiceCount: kept.length + rejected,
        successfulInvoiceCount: kept.length,
        failedInvoiceCount: rejected,
      })
      const rows = await listInvoices(me.api, session)
      const filters = issuedAround(target.now())
      await findAll(me.api, filters, numbersOfKept(kept))
      const files = await fetchFiles(me.api, await createExport(me.api, { filters }))
      for (const { made, referenceNumber, svcNumber } of kept) {
        const row = rows.find((one) => one.referenceNumber === referenceNumber)
        expect(row, `the row of ${made.number}`).toMatchObject({
          invoiceNumber: made.number,
          svcNumber,
        })
        const path = { referenceNumber: session, invoiceReferenceNumber: referenceNumber }
        const { body } = await me.api.call('invoices.inSession', { path })
        expect(body, `the status of ${made.number}`).toMatchObject({ svcNumber })
        const { bytes } = await retrieve(me.api, 'invoices.bySvcNumber', { svcNumber })
        for (const content of [bytes, files[`${svcNumber}.xml`] ?? new Uint8Array()])
          expect(Buffer.from(content).equals(made.bytes), `${made.number}, unchanged`).toBe(true)
      }
    },
  )
}

test(...familyRule(rule, 'rejected neighbour', 'next by each way'), async ({ login, invoice }) => {
  const me = await login()
  const had = offeredWays()
  for (const [before, { outcome: send }] of had)
    for (const [name, spoil] of Object.entries(documents)) {
      const refused = await send(me, spoil(invoice(), me))
      expect(wentWell(refused), `an invoice, ${name}, was accepted`).toBe(false)
      for (const [after, { outcome }] of name === 'no invoice' ? had : had.slice(0, 1))
        expect(
          await outcome(me, invoice().bytes),
          `by ${after}, after one ${name} by ${before}`,
        ).toHaveSucceeded('invoice')
    }
})

test(
  ...familyRule(
    'invoices.get.by-service-number',
    'rejected neighbour',
    'a duplicate with other amounts',
  ),
  async ({ login, rng, target }) => {
    const me = await login()
    const { nip } = me.context
    const parties = { third: drawNip(rng), authorized: drawNip(rng) }
    const issueDate = isoDay(target.now())
    const filters = issuedAround(target.now())
    for (const [way, { send }] of offeredWays()) {
      const first = describedPlainly({ seller: nip, number: `F/${rng.digits(9)}`, issueDate })
      const bytes = documentOf(first, parties)
      const { svcNumber } = await send(me, bytes)
      const metadata = async () =>
        (await findAll(me.api, { ...filters, svcNumber }, [svcNumber])).map((row) =>
          meaningOfRow('queries.metadata', 'invoices', row),
        )
      const described = await metadata()
      const other = documentOf(
        { ...first, netAmount: 200, vatAmount: 46, grossAmount: 246 },
        parties,
      )
      for (const [by, { outcome }] of offeredWays())
        expect(await outcome(me, other), `with other amounts, by ${by}`).toBeRejected(
          'duplicate-invoice',
        )
      const said = `the first, by ${way}`
      const kept = await retrieve(me.api, 'invoices.bySvcNumber', { svcNumber })
      expect(Buffer.from(kept.bytes).equals(bytes), `${said}, byte for byte`).toBe(true)
      const files = await fetchFiles(me.api, await createExport(me.api, { filters }))
      const exported = files[`${svcNumber}.xml`] ?? new Uint8Array()
      expect(Buffer.from(exported).equals(bytes), `${said}, in an export`).toBe(true)
      expect(await metadata(), `what is said of ${said}`).toEqual(described)
    }
  },
)
