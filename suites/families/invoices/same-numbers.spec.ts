import { createExport, downloadExport } from '../../../lib/flows/export.ts'
import { callReceipt } from '../../../lib/flows/receipt.ts'
import { readReceipt } from '../../../lib/node/receipt.ts'
import type { Me } from '../../support/service/contexts.ts'
import { settleOwn, unpack } from '../../support/steps/export-parts.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import type { CheckFixtures, Fixtures } from '../../support/harness/fixtures.ts'
import { offered } from '../../support/service/offered.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { numbersOf, page, searchable } from '../../support/steps/searches.ts'
import type { SearchOperation } from '../../support/steps/searches.ts'
import { fields, outcomeOfInvoice, recordOf, retrieve } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'
import { ways } from '../../support/scenes/ways-of-sending.ts'

/** Invoices that share the number of their seller: of several kinds, and of several sellers to one buyer. */

interface Sent {
  readonly by: Me
  readonly bytes: Uint8Array
  readonly referenceNumber: string
  readonly svcNumber: string
  readonly session: string
}

/** Three invoices under one number: two of one seller, which differ in their kind, and one of another seller. */
const sendAll = async ({
  login,
  another,
  invoice,
}: Pick<CheckFixtures, 'login' | 'another' | 'invoice'>) => {
  const [seller, other] = [await login(), await login({ context: await another() })]
  const buyer = await login({ context: await another() })
  const number = invoice().number
  const send = async (by: Me, kind: 'VAT' | 'UPR', way: string): Promise<Sent> => {
    const options = { number, kind, seller: by.context.nip, buyer: buyer.context.nip }
    const { bytes } = invoice(options)
    return { by, bytes, ...(await ways[way]!.send(by, bytes)) }
  }
  const all = [
    await send(seller, 'VAT', 'interactive session'),
    await send(seller, 'UPR', 'batch session'),
    await send(other, 'VAT', 'interactive session'),
  ]
  return { seller, buyer, number, all, own: all.slice(0, 2) }
}

const numbersIn = (sent: readonly Sent[]): string[] =>
  sent.map(({ svcNumber }) => svcNumber).toSorted()

test(
  ...familyRule('exports.package.content', 'same number', 'of kinds and of sellers'),
  async ({ login, another, invoice, target }) => {
    const { seller, buyer, all, own } = await sendAll({ login, another, invoice })
    for (const [{ api }, role, wanted] of [
      [seller, 'subject1', own],
      [buyer, 'subject2', all],
    ] as const) {
      const filters = issuedAround(target.now(), role)
      await searchable(api, filters, numbersIn(wanted))
      for (const compressionType of ['Zip', 'TarGz'] as const) {
        const started = await createExport(api, { filters, compressionType })
        const archive = await downloadExport(api, started, await settleOwn(api, started))
        const files = unpack(archive, compressionType)
        for (const { svcNumber, bytes } of wanted) {
          const file = files[`${svcNumber}.xml`] ?? new Uint8Array()
          expect(Buffer.from(file).equals(bytes), `${svcNumber}, ${compressionType}`).toBe(true)
        }
      }
    }
  },
)

const searches = async (fixtures: Fixtures, operation: SearchOperation) => {
  const { buyer, seller, number, all, own } = await sendAll(fixtures)
  const now = fixtures.target.now()
  for (const [who, { api }, role, wanted] of [
    ['the seller', seller, 'subject1', own],
    ['the buyer', buyer, 'subject2', all],
  ] as const) {
    const filters = issuedAround(now, role)
    await searchable(api, filters, numbersIn(wanted))
    for (const [what, more, part] of [
      ['no filter', {}, wanted],
      ['their number', { invoiceNumber: number }, wanted],
      ['number and seller', { invoiceNumber: number, sellerNip: seller.context.nip }, own],
      ['number and kind', { invoiceNumber: number, invoiceTypes: ['Upr'] }, own.slice(1)],
    ] as const) {
      const found = await page(api, { ...filters, ...more }, {}, operation)
      expect(numbersOf([found]).toSorted(), `found by ${who} by ${what}`).toEqual(numbersIn(part))
    }
  }
}

for (const [rule, operation] of [
  ['queries.metadata.filters', 'queries.metadata'],
  ['queries.general.date-range', 'queries.general'],
] as const)
  test(
    ...familyRule(rule, 'same number', 'of kinds and of sellers'),
    async ({ login, another, invoice, target }) => {
      await searches({ login, another, invoice, target } as Fixtures, operation)
    },
  )

test(
  ...familyRule('invoices.get.by-service-number', 'same number', 'of kinds and of sellers'),
  async ({ login, another, invoice }) => {
    const { buyer, all } = await sendAll({ login, another, invoice })
    for (const { by, bytes, svcNumber } of all)
      for (const { api } of [by, buyer]) {
        const answer = await retrieve(api, 'invoices.bySvcNumber', { svcNumber })
        expect(answer).toBeOk()
        expect(Buffer.from(answer.bytes).equals(bytes), `${svcNumber}, byte for byte`).toBe(true)
      }
  },
)

for (const [rule, isNamed] of [
  ['invoices.duplicate.rejected', false],
  ['invoices.duplicate.points-to-original', true],
] as const)
  test(
    ...familyRule(rule, 'same number', 'of kinds and of sellers, sent again'),
    async ({ login, open, another, invoice }) => {
      const { all } = await sendAll({ login, another, invoice })
      for (const { by, bytes, svcNumber, session } of all) {
        const again = await outcomeOfInvoice(await open({ me: by }), bytes)
        expect(again).toBeRejected('duplicate-invoice')
        const { originalSvcNumber, originalSessionReferenceNumber } = recordOf(again)
        // Where the rule does not have the rejection name them, they are compared if it does.
        const otherwise = isNamed ? [] : [svcNumber, session]
        expect(
          [originalSvcNumber ?? otherwise[0], originalSessionReferenceNumber ?? otherwise[1]],
          'service number and session of its own original',
        ).toEqual([svcNumber, session])
      }
    },
  )

test(
  ...familyRule('invoices.status.outcome', 'same number', 'of kinds and of sellers'),
  async ({ login, another, invoice }) => {
    const { number, all } = await sendAll({ login, another, invoice })
    for (const { by, referenceNumber, svcNumber, session } of all) {
      const path = { svcNumber, invoiceId: referenceNumber }
      for (const operation of offered('invoices.status', 'invoices.statusBySvcNumber'))
        expect(fields(await by.api.call(operation, { path })), operation).toMatchObject({
          invoiceNumber: number,
          referenceNumber,
          svcNumber,
          sessionReferenceNumber: session,
        })
    }
  },
)

test(
  ...familyRule('receipts.invoice.carries-number', 'same number', 'of kinds and of sellers'),
  async ({ login, another, invoice }) => {
    const { number, all } = await sendAll({ login, another, invoice })
    for (const { by, referenceNumber, svcNumber, session } of all)
      for (const which of [{ invoiceReferenceNumber: referenceNumber }, { svcNumber }]) {
        const receipt = await callReceipt(by.api, { sessionReferenceNumber: session, ...which })
        expect(receipt).toBeOk()
        expect(readReceipt(receipt.bytes).documents, 'the invoice on the receipt').toMatchObject([
          { invoiceNumber: number, serviceNumber: svcNumber, sellerNip: by.context.nip },
        ])
      }
  },
)
