import { createDecipheriv } from 'node:crypto'
import { limits } from '../../contract/limits.ts'
import type { VariantText } from '../../contract/rules.ts'
import { encryptAes, randomBytes } from '../../lib/crypto.ts'
import { encryptFor } from '../../lib/flows/keys.ts'
import { describeSubmission, openOnline, submissionBody } from '../../lib/flows/session.ts'
import { formCodes } from '../support/checks/forms.ts'
import { packed, sendBatch } from '../support/steps/packages.ts'
import { cipher, leavingThree, paddedBy, paddings } from '../support/steps/paddings.ts'
import { rule } from '../support/checks/rule.ts'
import {
  accept,
  fields,
  outcomeOfInvoice,
  outcomeOfSubmission,
  recordOf,
} from '../support/steps/steps.ts'
import type { Desk } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

test(...rule('invoices.submit.accepted'), async ({ open, invoice }) => {
  const { api, session } = await open()
  const path = { referenceNumber: session.referenceNumber }
  const body = await submissionBody(api, session, invoice().bytes)
  const answer = await api.call('invoices.submit', { path, body })
  expect(answer).toBeOk()
  const { referenceNumber } = fields(answer)
  expect(referenceNumber, 'a link to the document').toMatch(/\S/)
  const submitted = { ...path, invoiceReferenceNumber: String(referenceNumber) }
  const found = await api.call('invoices.inSession', { path: submitted })
  expect(found, 'the linked document').toBeOk()
  const references = [String(referenceNumber)]
  const next = await openOnline(api, { formCode: formCodes.fa3 })
  for (const where of [session, next]) {
    const another = await submissionBody(api, where, invoice().bytes)
    const below = { referenceNumber: where.referenceNumber }
    const sent = await api.call('invoices.submit', { path: below, body: another })
    expect(sent, 'another submission').toBeOk()
    references.push(String(fields(sent)['referenceNumber']))
  }
  expect(new Set(references).size, 'references over two sessions').toBe(references.length)
})

test(...rule('invoices.submit.accepted', 'processed'), async ({ open, invoice }) => {
  const desk = await open()
  expect(await outcomeOfInvoice(desk, invoice().bytes)).toHaveSucceeded('invoice')
})

test(...rule('invoices.submit.accepted', 'over midnight'), async ({ login, invoice, clock }) => {
  // In Warsaw, which is summer time then.
  const midnight = Date.parse('2026-07-02T00:00:00+02:00')
  await clock.set(midnight - 60_000)
  const { api } = await login()
  const session = await openOnline(api, { formCode: formCodes.fa3 })
  await clock.set(midnight + 60_000)
  const outcome = await outcomeOfInvoice({ api, session }, invoice().bytes)
  expect(outcome, 'in a session of the day before').toHaveSucceeded('invoice')
})

/** SHA-256 of an empty input, in Base64. */
const otherHash = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='

test(...rule('invoices.submit.hash-mismatch'), async ({ open, invoice }) => {
  const outcome = await outcomeOfInvoice(await open(), invoice().bytes, { invoiceHash: otherHash })
  expect(outcome).toBeRejected('invoice-hash-mismatch')
})

for (const [what, difference] of [
  ['one byte more', 1],
  ['one byte less', -1],
] as const) {
  test(...rule('invoices.submit.size-mismatch', what), async ({ open, invoice }) => {
    const { bytes } = invoice()
    const outcome = await outcomeOfInvoice(await open(), bytes, {
      invoiceSize: bytes.length + difference,
    })
    expect(outcome).toBeRejected('invoice-size-mismatch')
  })
}

test(...rule('invoices.submit.encrypted-metadata-mismatch', 'hash'), async ({ open, invoice }) => {
  const outcome = await outcomeOfInvoice(await open(), invoice().bytes, {
    encryptedInvoiceHash: otherHash,
  })
  expect(outcome).toBeRejected('encrypted-hash-mismatch')
})

test(...rule('invoices.submit.encrypted-metadata-mismatch', 'size'), async ({ open, invoice }) => {
  const desk = await open()
  const body = await submissionBody(desk.api, desk.session, invoice().bytes)
  const encryptedInvoiceSize = body.encryptedInvoiceSize + 16
  const outcome = await outcomeOfSubmission(desk, { ...body, encryptedInvoiceSize })
  expect(outcome).toBeRejected('encrypted-size-mismatch')
})

test(
  ...rule('invoices.submit.accepted', 'processed, of each length'),
  async ({ login, invoice }) => {
    const { api } = await login()
    const session = await openOnline(api, { formCode: formCodes.fa3 })
    const archives = []
    // White space at its end gives the document every length modulo the block size, 0 included.
    for (let over = 0; over < 16; over += 1) {
      const [alone, packaged] = [invoice(), invoice()].map(({ bytes }) => {
        const added = (16 + over - (bytes.length % 16)) % 16
        return { bytes: new Uint8Array([...bytes, ...new Uint8Array(added).fill(0x0a)]) }
      })
      expect(
        await outcomeOfInvoice({ api, session }, alone!.bytes),
        `${over} bytes more than whole blocks`,
      ).toHaveSucceeded('invoice')
      archives.push(packaged!)
    }
    const { settled } = await sendBatch(api, await packed(archives, { partBytes: 512 }))
    expect(settled, 'parts of whole blocks').toHaveSucceeded('batchSession')
  },
)

/** Bytes padded with zeros to complete blocks. */
const padded = (bytes: Uint8Array): Uint8Array => {
  const whole = new Uint8Array(Math.ceil(bytes.length / 16) * 16)
  whole.set(bytes)
  return whole
}

const encryptions: readonly (readonly [
  VariantText<'invoices.submit.wrong-encryption'>,
  (xml: Uint8Array, desk: Desk) => Promise<Uint8Array> | Uint8Array,
])[] = [
  ['other key', (xml, { session }) => encryptAes(xml, randomBytes(32), session.iv)],
  ['other iv', (xml, { session }) => encryptAes(xml, session.key, randomBytes(16))],
  ['mode, ECB', (xml, { session }) => cipher('aes-256-ecb', session.key, null)(xml)],
  ['mode, CTR', (xml, { session }) => cipher('aes-256-ctr', session.key, session.iv)(xml)],
  [
    'mode, AES-128',
    (xml, { session }) => cipher('aes-128-cbc', session.key.slice(0, 16), session.iv)(xml),
  ],
  [
    'padding',
    (xml, { session }) => cipher('aes-256-cbc', session.key, session.iv, false)(padded(xml)),
  ],
  [
    'truncated',
    async (xml, { session }) => (await encryptAes(xml, session.key, session.iv)).slice(0, -16),
  ],
  [
    'truncated block',
    async (xml, { session }) => (await encryptAes(xml, session.key, session.iv)).slice(0, -5),
  ],
  [
    'prepended iv',
    async (xml, { session }) =>
      new Uint8Array([...session.iv, ...(await encryptAes(xml, session.key, session.iv))]),
  ],
  [
    'encrypted key',
    async (xml, { api, session }) => {
      const { encrypted } = await encryptFor(api, 'SymmetricKeyEncryption', session.key)
      return encryptAes(xml, api.codec.fromBase64(encrypted).slice(0, 32), session.iv)
    },
  ],
  ['not encrypted', (xml) => xml],
]

for (const [what, pad] of Object.entries(paddings))
  test(
    ...rule('invoices.submit.wrong-encryption', `padding, ${what}`),
    async ({ open, invoice }) => {
      const desk = await open()
      const bytes = leavingThree(invoice().bytes)
      const body = await describeSubmission(desk.api, bytes, paddedBy(pad, bytes, desk))
      expect(await outcomeOfSubmission(desk, body)).toBeRejected('invoice-undecryptable')
    },
  )

test(
  ...rule('invoices.submit.wrong-encryption', 'padding, none behind whole blocks'),
  async ({ open, invoice }) => {
    const desk = await open()
    const { bytes } = invoice()
    // Spaces: ten line feeds (0x0a) would be valid padding.
    const blocks = new Uint8Array([
      ...bytes,
      ...new Uint8Array(16 - (bytes.length % 16)).fill(0x20),
    ])
    const encrypt = cipher('aes-256-cbc', desk.session.key, desk.session.iv, false)
    const body = await describeSubmission(desk.api, blocks, encrypt(blocks))
    expect(await outcomeOfSubmission(desk, body)).toBeRejected('invoice-undecryptable')
  },
)

test(
  ...rule('invoices.submit.wrong-encryption', 'padding, of the largest document'),
  async ({ open, invoice }) => {
    const desk = await open()
    const bytes = leavingThree(invoice({ bytes: limits['invoice.bytes'].value - 3 }).bytes)
    for (const [what, pad] of Object.entries(paddings)) {
      const body = await describeSubmission(desk.api, bytes, paddedBy(pad, bytes, desk))
      expect(await outcomeOfSubmission(desk, body), what).toBeRejected('invoice-undecryptable')
    }
  },
)

for (const [what, encrypt] of encryptions) {
  test(...rule('invoices.submit.wrong-encryption', what), async ({ open, invoice }) => {
    const desk = await open()
    const { bytes } = invoice()
    const body = await describeSubmission(desk.api, bytes, await encrypt(bytes, desk))
    expect(await outcomeOfSubmission(desk, body)).toBeRejected('invoice-undecryptable')
  })
}

/** First bytes of a document: `<`, white space, and those of byte order marks. */
const beginnings = new Set([0x3c, 0x20, 0x09, 0x0a, 0x0d, 0xef, 0xfe, 0xff])

/** Whether content decrypts, by accident, to what may be another document: then its hash is wrong. */
const mayBeDocument = (content: Uint8Array, { session }: Desk): boolean => {
  try {
    const aes = createDecipheriv('aes-256-cbc', session.key, session.iv)
    return beginnings.has(Buffer.concat([aes.update(content), aes.final()])[0] ?? 0)
  } catch {
    return false
  }
}

test(...rule('invoices.submit.wrong-encryption', 'reported'), async ({ open, invoice }) => {
  const desk = await open()
  const { bytes } = invoice()
  const otherIv = encryptions.filter(([what]) => what === 'other iv')
  // One initialization vector drawn by chance may hide a defect.
  for (const [what, encrypt] of [...encryptions, ...otherIv, ...otherIv, ...otherIv]) {
    const content = await encrypt(bytes, desk)
    if (mayBeDocument(content, desk)) continue
    const outcome = await outcomeOfSubmission(
      desk,
      await describeSubmission(desk.api, bytes, content),
    )
    expect(outcome, what).toBeRejected('invoice-undecryptable')
    expect(recordOf(outcome), `${what}, as an encryption error`).toMatchObject({
      status: { code: 435 },
    })
  }
})

test(
  ...rule('invoices.submit.wrong-encryption', 'other key, of another session'),
  async ({ open, invoice }) => {
    const desk = await open()
    const other = await openOnline(desk.api, { formCode: formCodes.fa3 })
    await accept({ api: desk.api, session: other }, invoice().bytes)
    const { bytes } = invoice()
    for (const { key, iv } of [other, { ...other, iv: desk.session.iv }]) {
      const body = await describeSubmission(desk.api, bytes, await encryptAes(bytes, key, iv))
      expect(await outcomeOfSubmission(desk, body)).toBeRejected('invoice-undecryptable')
    }
  },
)

const texts: readonly (readonly [
  VariantText<'invoices.submit.bad-base64'>,
  (base64: string) => string,
])[] = [
  ['not base64', (text) => `%%%%${text.slice(4)}`],
  ['line breaks', (text) => text.replace(/.{76}/g, '$&\r\n')],
  ['trailing line feed', (text) => `${text}\n`],
  ['leading line break', (text) => `\r\n${text}`],
  ['embedded blank', (text) => `${text.slice(0, 20)} ${text.slice(20)}`],
  ['truncated', (text) => text.slice(0, -3)],
]

for (const [variant, change, bytes] of texts.flatMap(
  ([what, spoil]) =>
    [
      [what, spoil],
      [`${what}, long`, spoil, 200_000],
    ] as const,
)) {
  test(...rule('invoices.submit.bad-base64', variant), async ({ open, invoice }) => {
    const desk = await open()
    const made = invoice(bytes === undefined ? {} : { bytes })
    const body = await submissionBody(desk.api, desk.session, made.bytes)
    const encryptedInvoiceContent = change(body.encryptedInvoiceContent)
    const outcome = await outcomeOfSubmission(desk, { ...body, encryptedInvoiceContent })
    expect(outcome).toBeRejected('content-not-base64')
  })
}
