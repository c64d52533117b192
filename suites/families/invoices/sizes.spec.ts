import { limits } from '../../../contract/limits.ts'
import type { RuleId } from '../../../contract/rules.ts'
import type { Client } from '../../../lib/client.ts'
import { openOnline, submissionBody } from '../../../lib/flows/session.ts'
import { expectOk } from '../../../lib/outcome.ts'
import { prefixed } from '../../support/documents/awkward-documents.ts'
import { declaredAlone } from '../../support/scenes/declared-ways.ts'
import { filled, mixed } from '../../support/documents/filled.ts'
import type { Family } from '../../support/checks/families.ts'
import { formCodes } from '../../support/checks/forms.ts'
import type { WorkOutcome } from '../../support/judging/matchers.ts'
import { offered } from '../../support/service/offered.ts'
import { allowAttachments, sendAlone } from '../../support/steps/packages.ts'
import { familyRule } from '../../support/checks/rule.ts'
import {
  outcomeOfInvoice,
  outcomeOfSending,
  outcomeOfSubmission,
} from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** The size limits count the bytes of the document as it was before its encryption, in every way it is sent. */

const plainLimit = limits['invoice.bytes'].value
const attachmentLimit = limits['invoice.bytesWithAttachment'].value

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** The same document with what a parser reads as less: sections, references, white space, empty elements. */
const spelledOut = (bytes: Uint8Array): Uint8Array =>
  utf8(
    new TextDecoder()
      .decode(bytes)
      .replace('?>', ' ?>\r\n')
      .replace(/<Nazwa>/, '<Nazwa><![CDATA[A]]>&#x42;&amp;')
      .replaceAll('><', '>\r\n\t<')
      .replace(/<\/(\w*:?)Faktura>/, '</$1Faktura\r\n>'),
  )

const interactive = async (api: Client, bytes: Uint8Array): Promise<WorkOutcome> =>
  outcomeOfInvoice({ api, session: await openOnline(api, { formCode: formCodes.fa3 }) }, bytes)

type Send = (api: Client, bytes: Uint8Array) => Promise<WorkOutcome>

const declared: Readonly<Record<string, Send>> = Object.fromEntries(
  declaredAlone.map(([way, { outcome }]) => [
    way,
    (api: Client, bytes: Uint8Array) => outcome({ api }, bytes),
  ]),
)

const slash = 'interactive, a slash at the end'

const ways: Readonly<Record<string, Send>> = {
  interactive,
  async [slash](api, bytes) {
    const session = await openOnline(api, { formCode: formCodes.fa3 })
    const body = await submissionBody(api, session, bytes)
    return outcomeOfSubmission({ api, session }, body, { alias: 0 })
  },
  batch: (api, bytes) => sendAlone(api, bytes),
  'without a session': (api, bytes) => outcomeOfSending(api, bytes),
  ...declared,
}

const familyOfWay = (way: string): Family =>
  way === 'without a session'
    ? 'size of a document without a session'
    : way in declared
      ? 'size of a document by a declared way'
      : 'size of a document'

const limited = 'invoices.size.without-attachments'

/** The rule by which a way takes what another takes. */
const takers: Readonly<Record<string, RuleId>> = {
  'without a session': 'invoices.send.alternative',
  [slash]: 'transport.trailing-slash',
}

for (const [way, send] of Object.entries(ways))
  test(
    ...familyRule(way === slash ? 'transport.trailing-slash' : limited, familyOfWay(way), way),
    async ({ login, invoice }) => {
      const alternative = way === 'without a session'
      test.skip(
        alternative && offered('invoices.send').length === 0,
        'there is no invoices.send in this environment',
      )
      const { api } = await login()
      const of = (size: number) => filled(spelledOut(invoice().bytes), size, mixed)
      const largest = await send(api, of(plainLimit))
      expect(largest, `of ${plainLimit} bytes`).toHaveSucceeded('invoice')
      expect(await send(api, of(plainLimit + 1)), 'a byte more').toBeRejected('invoice-too-large')
    },
  )

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
      const larger = await sendAlone(api, filled(named, plainLimit + 1))
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
        return size === undefined ? bytes : filled(spelledOut(bytes), size, mixed)
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

/** From 8 KiB to 512 KiB, each twice the one before it and a byte more. */
const sizes = Array.from({ length: 7 }, (_, step) => 2 ** (13 + step) + 1)

for (const [way, send] of Object.entries(ways))
  test(
    ...familyRule(takers[way] ?? limited, familyOfWay(way), `growing, ${way}`),
    async ({ login, invoice }) => {
      const { api } = await login()
      for (const bytes of sizes) {
        const outcome = await send(api, filled(invoice().bytes, bytes, mixed))
        expect(outcome, `of ${bytes} bytes`).toHaveSucceeded('invoice')
      }
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

for (const way of ['as a technical correction', 'in a package declared offline'] as const)
  test(
    ...familyRule('invoices.size.with-attachments', 'attachment by a declared way', way),
    async ({ login, invoice }) => {
      const { api, context } = await login()
      const { nip } = context
      const send = declared[way]!
      const made = () => invoice({ attachment: true }).bytes
      expect(await send(api, made()), 'without consent').toBeRejected('seller-not-allowed')
      await allowAttachments(api, nip)
      const largest = way === 'as a technical correction' ? attachmentLimit : plainLimit + 1
      const allowed = await send(api, filled(made(), largest, mixed))
      expect(allowed, `of ${largest} bytes`).toHaveSucceeded('invoice')
      const larger = await send(api, filled(made(), attachmentLimit + 1, mixed))
      expect(larger, 'a byte more').toBeRejected('invoice-too-large')
      expectOk(await api.call('testdata.denyAttachments', { body: { nip } }), 'withdraw it')
      expect(await send(api, made()), 'consent withdrawn').toBeRejected('seller-not-allowed')
    },
  )

test(
  ...familyRule(
    'invoices.size.with-attachments',
    'attachment by a declared way',
    'declared offline',
  ),
  async ({ login, invoice }) => {
    const { api, context } = await login()
    await allowAttachments(api, context.nip)
    const { bytes } = invoice({ attachment: true })
    const send = declared['declared offline']!
    expect(await send(api, bytes), 'in a session').toBeRejected('attachment-not-allowed')
    const corrected = await declared['as a technical correction']!(api, bytes)
    expect(corrected, 'the same as a technical correction').toHaveSucceeded('invoice')
  },
)
