import { limits } from '../../contract/limits.ts'
import type { RuleId } from '../../contract/rules.ts'
import type { Client } from '../../lib/client.ts'
import { sha256 } from '../../lib/crypto.ts'
import { openOnline } from '../../lib/flows/session.ts'
import { prefixed } from '../support/awkward-documents.ts'
import { formCodes } from '../support/forms.ts'
import type { WorkOutcome } from '../support/matchers.ts'
import { offered } from '../support/offered.ts'
import { allowAttachments, sendAlone } from '../support/packages.ts'
import { familyRule } from '../support/rule.ts'
import { outcomeOfInvoice, outcomeOfSending } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

/** The size limits count the bytes of the document as it was before its encryption, in every way it is sent. */

const plainLimit = limits['invoice.bytes'].value
const attachmentLimit = limits['invoice.bytesWithAttachment'].value

/** A document padded to exactly this size by a comment at its end, in characters of one length in UTF-8. */
const filled = (bytes: Uint8Array, size: number, letter: string): Uint8Array => {
  const [begin, end] = ['\n<!-- ', ' -->']
  const room = size - bytes.length - begin.length - end.length
  const width = new TextEncoder().encode(letter).length
  const letters = letter.repeat(Math.floor(room / width)) + '.'.repeat(room % width)
  return new Uint8Array(Buffer.concat([bytes, Buffer.from(begin + letters + end)]))
}

const letters: Readonly<Record<string, string>> = {
  'one byte each': 'a',
  'two bytes each': 'ż',
  'four bytes each': '🧾',
}

type Send = (api: Client, bytes: Uint8Array) => Promise<WorkOutcome>

const ways: Readonly<Record<string, Send>> = {
  interactive: async (api, bytes) =>
    outcomeOfInvoice({ api, session: await openOnline(api, { formCode: formCodes.fa3 }) }, bytes),
  batch: (api, bytes) => sendAlone(api, bytes),
  'without a session': (api, bytes) => outcomeOfSending(api, bytes),
}

for (const [way, send] of Object.entries(ways)) {
  const alternative = way === 'without a session'
  const id: RuleId = alternative ? 'invoices.send.alternative' : 'invoices.size.without-attachments'
  test(...familyRule(id, 'size of a document', way), async ({ login, invoice }) => {
    test.skip(alternative && offered('invoices.send').length === 0, 'there is no such way')
    const { api } = await login()
    for (const [what, letter] of Object.entries(letters)) {
      const of = (size: number) => filled(invoice().bytes, size, letter)
      const largest = await send(api, of(plainLimit))
      expect(largest, `of ${plainLimit} bytes, letters of ${what}`).toHaveSucceeded('invoice')
      const larger = await send(api, of(plainLimit + 1))
      expect(larger, `a byte more, letters of ${what}`).toBeRejected('invoice-too-large')
    }
  })
}

test(
  ...familyRule('invoices.size.without-attachments', 'size of a document with consent'),
  async ({ login, invoice }) => {
    const { api, context } = await login()
    await allowAttachments(api, context.nip)
    for (const [what, comment] of [
      ['without an attachment', ''],
      ['with the name of one in a comment', '<!-- <Zalacznik></Zalacznik> -->'],
    ] as const) {
      const named = new Uint8Array(Buffer.concat([invoice().bytes, Buffer.from(comment)]))
      const larger = await sendAlone(api, filled(named, plainLimit + 1, 'a'))
      expect(larger, what).toBeRejected('invoice-too-large')
    }
  },
)

for (const [form, write] of [
  ['plain', (bytes: Uint8Array) => bytes],
  ['with a prefix', prefixed],
] as const)
  test(
    ...familyRule('invoices.size.with-attachments', 'size of a document with consent', form),
    async ({ login, invoice }) => {
      const { api, context } = await login()
      const made = (size?: number) => {
        const bytes = write(invoice({ attachment: true }).bytes)
        return size === undefined ? bytes : filled(bytes, size, 'ż')
      }
      expect(await sendAlone(api, made()), 'without consent').toBeRejected('seller-not-allowed')
      await allowAttachments(api, context.nip)
      for (const size of [plainLimit + 1, attachmentLimit])
        expect(await sendAlone(api, made(size)), `of ${size} bytes`).toHaveSucceeded('invoice')
      const larger = await sendAlone(api, made(attachmentLimit + 1))
      expect(larger, 'a byte more').toBeRejected('invoice-too-large')
      expect(await ways['interactive']!(api, made()), 'in an interactive session').toBeRejected(
        'attachment-not-allowed',
      )
    },
  )

test(
  ...familyRule('invoices.send.alternative', 'size of a document with consent'),
  async ({ login, invoice }) => {
    const { api, context } = await login()
    await allowAttachments(api, context.nip)
    const outcome = await outcomeOfSending(api, invoice({ attachment: true }).bytes)
    expect(outcome, 'an invoice with an attachment').toBeRejected('attachment-not-allowed')
  },
)

test(
  ...familyRule(
    'invoices.size.with-attachments',
    'size of a document with consent',
    'technical correction',
  ),
  async ({ open, invoice }) => {
    const desk = await open()
    await allowAttachments(desk.api, desk.me.context.nip)
    const { bytes } = invoice({ attachment: true })
    const refused = await outcomeOfInvoice(desk, bytes, { offlineMode: true })
    expect(refused, 'in an interactive session').toBeRejected('attachment-not-allowed')
    const hashOfCorrectedInvoice = desk.api.codec.base64(await sha256(bytes))
    const correction = { offlineMode: true, hashOfCorrectedInvoice }
    const outcome = await outcomeOfInvoice(desk, bytes, correction)
    expect(outcome, 'as a technical correction').toHaveSucceeded('invoice')
  },
)
