import { createExport } from '../../../lib/flows/export.ts'
import { callReceipt, callReceiptLink } from '../../../lib/flows/receipt.ts'
import { readReceipt } from '../../../lib/node/receipt.ts'
import type { Me } from '../../support/service/contexts.ts'
import { fetchFiles } from '../../support/steps/export-parts.ts'
import { issuedAround, subjectTypes } from '../../support/steps/filters.ts'
import type { CheckFixtures } from '../../support/harness/fixtures.ts'
import type { MadeInvoice } from '../../support/documents/invoice-source.ts'
import { offered } from '../../support/service/offered.ts'
import { withAuthorizedParty, withThirdParty } from '../../support/documents/parties.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { findAll, numbersOf, page } from '../../support/steps/searches.ts'
import { fields, recordOf, retrieve } from '../../support/steps/steps.ts'
import { askEachWay } from '../../support/scenes/sent-invoices.ts'
import { expect, test } from '../../support/harness/test.ts'
import { serviceNumberFaults } from '../../../lib/identifiers/service-number.ts'
import { listInvoices, packed, sendBatch } from '../../support/steps/packages.ts'
import { offeredWays, ways } from '../../support/scenes/ways-of-sending.ts'

/** An accepted invoice is the same to everybody, in whichever way it was sent: in a session, a package, or neither. */

/** What the status of a duplicate says of the first. */
interface Original {
  readonly originalSessionReferenceNumber?: unknown
  readonly originalSvcNumber?: unknown
}

/** Its parties by the role in which they find it; the seller sends it. */
interface Scene {
  readonly callers: Readonly<Record<(typeof subjectTypes)[number], Me>>
  readonly made: MadeInvoice
  readonly bytes: Uint8Array
}

const prepare = async ({
  login,
  another,
  invoice,
}: Pick<CheckFixtures, 'login' | 'another' | 'invoice'>): Promise<Scene> => {
  const party = async () => login({ context: await another() })
  const callers = {
    subject1: await login(),
    subject2: await party(),
    subject3: await party(),
    subjectAuthorized: await party(),
  }
  const nip = (role: keyof typeof callers) => callers[role].context.nip
  const made = invoice({ buyer: nip('subject2') })
  const bytes = withAuthorizedParty(
    withThirdParty(made.bytes, nip('subject3')),
    nip('subjectAuthorized'),
  )
  return { callers, made, bytes }
}

/** Another family tests what each party finds of an interactive session's invoices. */
const others = Object.entries(ways).filter(([name]) => name !== 'interactive session')

for (const [name, way] of others) {
  test(
    ...familyRule('invoices.get.parties-only', 'way of sending', `${name}, read by each party`),
    async ({ login, another, invoice }) => {
      const { callers, made, bytes } = await prepare({ login, another, invoice })
      const { svcNumber, referenceNumber } = await way.send(callers.subject1, bytes)
      const path = { svcNumber }
      for (const role of subjectTypes) {
        const answer = await retrieve(callers[role].api, 'invoices.bySvcNumber', path)
        expect(answer, `read as ${role}`).toBeOk()
        expect(Buffer.from(answer.bytes).equals(bytes), `as ${role}, unchanged`).toBe(true)
        for (const operation of offered('invoices.statusBySvcNumber'))
          expect(await callers[role].api.call(operation, { path }), `status as ${role}`).toBeOk()
      }
      const stranger = await login({ context: await another() })
      const asked = { svcNumber, invoiceId: referenceNumber, invoiceNumber: made.number }
      for (const operation of offered(
        'invoices.bySvcNumber',
        'invoices.byNumber',
        'invoices.status',
        'invoices.statusBySvcNumber',
      ))
        expect(
          await stranger.api.call(operation, { path: asked }),
          `${operation} by a stranger`,
        ).toBeRefused('invoice-unknown')
    },
  )

  test(
    ...familyRule('queries.metadata.subject-type', 'way of sending', `${name}, each party`),
    async ({ login, another, invoice, target }) => {
      const { callers, bytes } = await prepare({ login, another, invoice })
      const { svcNumber } = await way.send(callers.subject1, bytes)
      await findAll(callers.subject1.api, issuedAround(target.now()), [svcNumber])
      for (const role of subjectTypes) {
        // Other checks send to the same context where a target has one.
        const filters = { ...issuedAround(target.now(), role), svcNumber }
        const found = numbersOf([await page(callers[role].api, filters)])
        expect(found, `what ${role} finds`).toEqual([svcNumber])
      }
    },
  )

  test(
    ...familyRule('invoices.get.by-invoice-number', 'way of sending', name),
    async ({ login, another, invoice }) => {
      const { callers, made, bytes } = await prepare({ login, another, invoice })
      await way.send(callers.subject1, bytes)
      for (const role of subjectTypes) {
        const path = { invoiceNumber: made.number }
        const answer = await retrieve(callers[role].api, 'invoices.byNumber', path)
        expect(answer, `read as ${role}`).toBeOk()
        expect(Buffer.from(answer.bytes).equals(bytes), `as ${role}, unchanged`).toBe(true)
      }
    },
  )

  test(
    ...familyRule('exports.package.content', 'way of sending', name),
    async ({ login, another, invoice, target }) => {
      const { callers, bytes } = await prepare({ login, another, invoice })
      const { svcNumber } = await way.send(callers.subject1, bytes)
      await findAll(callers.subject1.api, issuedAround(target.now()), [svcNumber])
      for (const role of ['subject1', 'subject2'] as const) {
        const { api } = callers[role]
        const filters = { ...issuedAround(target.now(), role), svcNumber }
        const started = await createExport(api, { filters })
        const files = await fetchFiles(api, started)
        const documents = Object.entries(files).filter(([file]) => file.endsWith('.xml'))
        expect(documents.length, `documents exported as ${role}`).toBe(1)
        for (const [, content] of documents)
          expect(Buffer.from(content).equals(bytes), `exported as ${role}, unchanged`).toBe(true)
      }
    },
  )

  test(
    ...familyRule('receipts.ways', 'way of sending', name),
    async ({ login, another, invoice }) => {
      const { callers, bytes } = await prepare({ login, another, invoice })
      const me = callers.subject1
      const { session, referenceNumber, svcNumber } = await way.send(me, bytes)
      const receipts = [
        await callReceipt(me.api, {
          sessionReferenceNumber: session,
          invoiceReferenceNumber: referenceNumber,
        }),
        await callReceipt(me.api, { sessionReferenceNumber: session, svcNumber }),
      ]
      for (const status of await askEachWay(me, session, { referenceNumber, svcNumber })) {
        const { upoDownloadUrl } = fields(status)
        expect(upoDownloadUrl, `the link by ${status.operation}`).toMatch(/^https?:/)
        for (const { api } of [me, callers.subject2])
          receipts.push(await callReceiptLink(api, String(upoDownloadUrl)))
      }
      for (const receipt of receipts) {
        expect(receipt).toBeOk()
        const { documents, sessionReferenceNumber } = readReceipt(receipt.bytes)
        expect(sessionReferenceNumber, 'the session on the receipt').toBe(session)
        expect(documents.map(({ serviceNumber }) => serviceNumber)).toEqual([svcNumber])
      }
    },
  )
}

test(
  ...familyRule('invoices.duplicate.points-to-original', 'way of sending', 'each after each'),
  async ({ login, invoice }) => {
    const me = await login()
    const had = offeredWays()
    for (const [name, { send }] of had) {
      const { bytes } = invoice()
      const { svcNumber, session } = await send(me, bytes)
      for (const [again, { outcome }] of had) {
        const repeated = await outcome(me, bytes)
        expect(repeated, `by ${name}, then by ${again}`).toBeRejected('duplicate-invoice')
        const record = 'body' in repeated ? recordOf(repeated) : repeated
        expect(record, `the original that is named, by ${name}, then by ${again}`).toMatchObject({
          originalSvcNumber: svcNumber,
          originalSessionReferenceNumber: session,
        })
      }
    }
  },
)

test(
  ...familyRule('receipts.invoice.carries-number', 'way of sending', 'each'),
  async ({ login, invoice }) => {
    const me = await login()
    for (const [name, { send }] of offeredWays())
      for (const kind of ['VAT', 'KOR', 'ZAL'] as const) {
        const { bytes, number } = invoice({ kind })
        const {
          session: sessionReferenceNumber,
          referenceNumber,
          svcNumber,
        } = await send(me, bytes)
        for (const which of [{ invoiceReferenceNumber: referenceNumber }, { svcNumber }]) {
          const receipt = await callReceipt(me.api, { sessionReferenceNumber, ...which })
          expect(receipt, `${kind}, ${name}`).toBeOk()
          expect(readReceipt(receipt.bytes).documents, `${kind}, ${name}`).toMatchObject([
            { serviceNumber: svcNumber, invoiceNumber: number },
          ])
        }
      }
  },
)

test(
  ...familyRule('receipts.link.parties-only', 'way of sending', 'each'),
  async ({ login, another, invoice }) => {
    const { callers, bytes } = await prepare({ login, another, invoice })
    const stranger = await login({ context: await another() })
    const text = new TextDecoder().decode(bytes)
    for (const [name, { send }] of offeredWays()) {
      const own = text.replace('</P_2>', `-${name.length}</P_2>`)
      const { session, ...sent } = await send(callers.subject1, new TextEncoder().encode(own))
      const [status] = await askEachWay(callers.subject1, session, sent)
      const url = String(fields(status)['upoDownloadUrl'])
      for (const role of ['subject1', 'subject2'] as const)
        expect(await callReceiptLink(callers[role].api, url), `${role}, ${name}`).toBeOk()
      for (const [who, { api }] of [
        ['a stranger', stranger],
        ['a third party', callers.subject3],
        ['an authorized party', callers.subjectAuthorized],
      ] as const)
        expect(await callReceiptLink(api, url), `${who}, ${name}`).toBeClientError()
    }
  },
)

test(
  ...familyRule('receipts.link.in-status', 'way of sending', 'each'),
  async ({ login, invoice }) => {
    const me = await login()
    for (const [name, { send }] of offeredWays()) {
      const { session, ...sent } = await send(me, invoice().bytes)
      const statuses = await askEachWay(me, session, sent)
      for (const status of statuses) {
        const { upoDownloadUrl } = fields(status)
        expect(upoDownloadUrl, `the link by ${status.operation}, ${name}`).toMatch(/^https?:/)
      }
    }
  },
)

test(
  ...familyRule('receipts.ways', 'way of sending', 'after several repeats'),
  async ({ login, invoice }) => {
    const me = await login()
    const had = offeredWays()
    for (const [name, { send }] of had) {
      const { bytes } = invoice()
      const { svcNumber } = await send(me, bytes)
      for (const [again, { outcome }] of [...had, ...had]) {
        const repeated = await outcome(me, bytes)
        const what = `by ${name}, repeated by ${again}`
        expect(repeated, what).toBeRejected('duplicate-invoice')
        const record = ('body' in repeated ? recordOf(repeated) : repeated) as Original
        const receipt = await callReceipt(me.api, {
          sessionReferenceNumber: String(record.originalSessionReferenceNumber),
          svcNumber: String(record.originalSvcNumber),
        })
        expect(receipt, what).toBeOk()
        const { documents } = readReceipt(receipt.bytes)
        expect(documents, what).toMatchObject([{ serviceNumber: svcNumber }])
      }
    }
  },
)

test(
  ...familyRule('invoices.number.unique', 'way of sending', 'each'),
  async ({ login, invoice }) => {
    const me = await login()
    const numbers: string[] = []
    for (let count = 0; count < 3; count += 1)
      for (const [name, { send }] of offeredWays()) {
        const { svcNumber } = await send(me, invoice().bytes)
        expect(serviceNumberFaults(svcNumber), `${svcNumber}, ${name}`).toEqual([])
        numbers.push(svcNumber)
      }
    const { referenceNumber } = await sendBatch(me.api, await packed([invoice(), invoice()]))
    for (const row of await listInvoices(me.api, referenceNumber))
      numbers.push(String(row.svcNumber))
    expect(new Set(numbers).size, 'distinct numbers, over sessions').toBe(numbers.length)
  },
)
