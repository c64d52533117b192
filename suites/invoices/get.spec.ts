import { isoDay } from '../../lib/local-time.ts'
import { expectSaidAsUnknown } from '../support/scenes/as-unknown.ts'
import { issuedAround } from '../support/steps/filters.ts'
import { holdersOfOne } from '../support/callers/limited.ts'
import { offered } from '../support/service/offered.ts'
import { withInvalidAmount } from '../support/documents/malformed.ts'
import { rule } from '../support/checks/rule.ts'
import { findAll } from '../support/steps/searches.ts'
import { accept, outcomeOfInvoice, recordOf, retrieve } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

test(...rule('invoices.get.by-service-number'), async ({ open, invoice }) => {
  const desk = await open()
  const { bytes } = invoice()
  const { svcNumber } = await accept(desk, bytes)
  const answer = await retrieve(desk.api, 'invoices.bySvcNumber', { svcNumber })
  expect(answer).toBeOk()
  expect(Buffer.from(answer.bytes).equals(bytes), 'the invoice byte for byte').toBe(true)
})

test(...rule('invoices.get.by-invoice-number', 'found'), async ({ open, invoice, rng }) => {
  const desk = await open()
  const { bytes, number } = invoice({ number: `F-${rng.digits(10)}` })
  await accept(desk, bytes)
  const answer = await retrieve(desk.api, 'invoices.byNumber', { invoiceNumber: number })
  expect(answer).toBeOk()
  expect(Buffer.from(answer.bytes).equals(bytes), 'the invoice byte for byte').toBe(true)
})

test(
  ...rule('invoices.get.by-invoice-number', 'found, beside rejected ones'),
  async ({ open, invoice, rng }) => {
    const desk = await open()
    const number = `F-${rng.digits(10)}`
    const issueDate = isoDay(desk.api.now() + 3 * 24 * 3_600_000)
    const late = await outcomeOfInvoice(desk, invoice({ number, issueDate }).bytes)
    expect(late, 'issued in the future').not.toHaveSucceeded('invoice')
    const { bytes } = invoice({ number })
    await accept(desk, bytes)
    expect(await outcomeOfInvoice(desk, bytes), 'once more').not.toHaveSucceeded('invoice')
    const answer = await retrieve(desk.api, 'invoices.byNumber', { invoiceNumber: number })
    expect(answer).toBeOk()
    expect(Buffer.from(answer.bytes).equals(bytes), 'the invoice byte for byte').toBe(true)
  },
)

test(...rule('invoices.get.by-invoice-number', 'slash'), async ({ open, invoice, rng }) => {
  const desk = await open()
  const plain = `F/${rng.digits(6)}/2026+1%2B ą`
  // The longest number that the schema allows, in letters that a path has to encode.
  for (const given of [plain, `${plain}/`.padEnd(256, 'ż')]) {
    const { bytes, number } = invoice({ number: given })
    await accept(desk, bytes)
    const answer = await retrieve(desk.api, 'invoices.byNumber', { invoiceNumber: number })
    expect(answer, `a number of ${given.length} characters`).toBeOk()
    expect(Buffer.from(answer.bytes).equals(bytes), 'the invoice byte for byte').toBe(true)
  }
})

/** Characters that a segment of a path can hold as they are, and those that it cannot. */
const unreserved = "A-Z0.9_~!$&'()*+,;=:@"
const reserved = ' "#%<>?[]^`{|}/\\ąŻ€😀'

/** Other ways to write the same segment of a path. */
const spellings: Readonly<Record<string, (number: string) => string>> = {
  'each byte encoded': (number) =>
    Array.from(
      new TextEncoder().encode(number),
      (byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`,
    ).join(''),
  'each byte encoded, in small letters': (number) =>
    Array.from(
      new TextEncoder().encode(number),
      (byte) => `%${byte.toString(16).padStart(2, '0')}`,
    ).join(''),
  'only what must be encoded': (number) =>
    encodeURIComponent(number).replaceAll(/%(?:24|26|2B|2C|3B|3D|3A|40)/g, decodeURIComponent),
}

test(
  ...rule('invoices.get.by-invoice-number', 'found, by each spelling'),
  async ({ open, invoice, rng }) => {
    const desk = await open()
    const made = invoice({ number: `${rng.digits(6)}${unreserved}${reserved}` })
    await accept(desk, made.bytes)
    const plain = await retrieve(desk.api, 'invoices.byNumber', { invoiceNumber: made.number })
    expect(plain, 'as clients encode it').toBeOk()
    for (const [what, write] of Object.entries(spellings)) {
      const rawPath = `/invoices/${write(made.number)}`
      const answer = await desk.api.call('invoices.byNumber', { rawPath })
      expect(answer, what).toBeOk()
      expect(Buffer.from(answer.bytes).equals(made.bytes), 'the invoice byte for byte').toBe(true)
    }
  },
)

test(...rule('invoices.get.by-invoice-number', 'ambiguous'), async ({ open, invoice, rng }) => {
  const desk = await open()
  const number = `F-${rng.digits(10)}`
  await accept(desk, invoice({ number, kind: 'VAT' }).bytes)
  await accept(desk, invoice({ number, kind: 'UPR', lines: 1 }).bytes)
  const answer = await desk.api.call('invoices.byNumber', { path: { invoiceNumber: number } })
  expect(answer).toBeRefused('invoice-number-ambiguous')
})

test(
  ...rule('invoices.get.by-invoice-number', 'ambiguous, of two sellers'),
  async ({ open, login, another, invoice, rng }) => {
    const buyer = await login({ context: await another() })
    const number = `F-${rng.digits(10)}`
    const sellers = [await login(), await login({ context: await another() })]
    const sold: Uint8Array[] = []
    for (const me of sellers) {
      const made = invoice({ number, seller: me.context.nip, buyer: buyer.context.nip })
      await accept(await open({ me }), made.bytes)
      sold.push(made.bytes)
    }
    for (const [place, { api }] of sellers.entries()) {
      const own = await retrieve(api, 'invoices.byNumber', { invoiceNumber: number })
      expect(own, 'the only one that the seller can read').toBeOk()
      expect(Buffer.from(own.bytes).equals(sold[place]!), 'the invoice byte for byte').toBe(true)
    }
    const path = { invoiceNumber: number }
    const answer = await buyer.api.call('invoices.byNumber', { path })
    expect(answer).toBeRefused('invoice-number-ambiguous')
    // One that it sold and one that it bought.
    const own = invoice({ number, seller: buyer.context.nip, buyer: sellers[0]!.context.nip })
    await accept(await open({ me: buyer }), own.bytes)
    const both = await sellers[0]!.api.call('invoices.byNumber', { path })
    expect(both, 'sold and bought').toBeRefused('invoice-number-ambiguous')
  },
)

test(
  ...rule('invoices.get.parties-only', 'stranger'),
  async ({ open, login, another, invoice }) => {
    const desk = await open()
    const { bytes, number } = invoice({ buyer: (await another()).nip })
    const { svcNumber, referenceNumber } = await accept(desk, bytes)
    const stranger = await login({ context: await another() })
    const path = { svcNumber, invoiceNumber: number, invoiceId: referenceNumber }
    const ways = offered(
      'invoices.bySvcNumber',
      'invoices.byNumber',
      'invoices.statusBySvcNumber',
      'invoices.status',
    )
    for (const operation of ways) {
      const answer = await stranger.api.call(operation, { path })
      expect(answer).toBeRefused('invoice-unknown')
      expect(answer.text, 'no content of the invoice').not.toContain('Faktura')
    }
  },
)

test(
  ...rule('invoices.get.parties-only', 'stranger, to several of one number'),
  async ({ open, login, another, invoice, rng }) => {
    const number = `F-${rng.digits(10)}`
    const path = { invoiceNumber: number }
    const stranger = await open({ me: await login({ context: await another() }) })
    const look = () => stranger.api.call('invoices.byNumber', { path })
    expect(await look(), 'while there is none').toBeRefused('invoice-unknown')
    for (const count of ['one', 'two', 'three']) {
      const seller = await login({ context: await another() })
      const made = invoice({ number, seller: seller.context.nip, buyer: (await another()).nip })
      await accept(await open({ me: seller }), made.bytes)
      const answer = await look()
      expect(answer, `${count} of others`).toBeRefused('invoice-unknown')
      // No more is said than of a number that there is not.
      const draw = { rng, first: answer }
      await expectSaidAsUnknown(stranger.api, 'invoices.byNumber', { path }, draw)
    }
    const own = invoice({ number, seller: stranger.me.context.nip })
    await accept(stranger, own.bytes)
    const found = await retrieve(stranger.api, 'invoices.byNumber', path)
    expect(found, 'its own beside them').toBeOk()
    expect(Buffer.from(found.bytes).equals(own.bytes), 'its own byte for byte').toBe(true)
  },
)

test(...rule('invoices.get.parties-only', 'buyer'), async ({ open, login, another, invoice }) => {
  const desk = await open()
  const buyer = await another()
  const { bytes } = invoice({ buyer: buyer.nip })
  const { svcNumber } = await accept(desk, bytes)
  const { api } = await login({ context: buyer })
  const answer = await retrieve(api, 'invoices.bySvcNumber', { svcNumber })
  expect(answer).toBeOk()
  expect(Buffer.from(answer.bytes).equals(bytes), 'the invoice byte for byte').toBe(true)
})

test(
  ...rule('invoices.get.parties-only', 'permission'),
  async ({ api, login, own, rng, target, open, invoice }) => {
    const desk = await open()
    const { bytes, number } = invoice()
    const { svcNumber } = await accept(desk, bytes)
    const path = { svcNumber, invoiceNumber: number }
    const scene = { api, login, own, rng, target }
    // Others are enough for something else, the status of the same invoice included.
    for (const { who, held } of await holdersOfOne(scene, (name) => name !== 'InvoiceRead'))
      for (const operation of offered('invoices.bySvcNumber', 'invoices.byNumber')) {
        const answer = await held.api.call(operation, { path })
        expect(answer, `${operation} by ${who}`).toBeRefused('missing-permission')
      }
  },
)

test(...rule('invoices.get.rejected-absent'), async ({ open, invoice, target }) => {
  const desk = await open()
  const made = invoice()
  const text = withInvalidAmount(desk.api.codec.text(made.bytes))
  const outcome = await outcomeOfInvoice(desk, desk.api.codec.utf8(text))
  expect(outcome).toBeRejected('invoice-invalid')
  for (const operation of offered('invoices.byNumber'))
    expect(await desk.api.call(operation, { path: { invoiceNumber: made.number } })).toBeRefused(
      'invoice-unknown',
    )
  const { referenceNumber } = recordOf(outcome) as { referenceNumber: string }
  const byReference = await desk.api.call('invoices.bySvcNumber', {
    path: { svcNumber: referenceNumber },
  })
  expect(byReference).toBeClientError()
  const receipt = await desk.api.call('receipts.invoice', {
    path: {
      referenceNumber: desk.session.referenceNumber,
      invoiceReferenceNumber: referenceNumber,
    },
  })
  expect(receipt, 'the receipt of a rejected invoice').toBeClientError()
  const issued = await accept(desk, invoice().bytes)
  const found = await findAll(desk.api, issuedAround(target.now()), [issued.svcNumber])
  expect(
    found.map(({ invoiceNumber }) => invoiceNumber),
    'metadata that the caller finds',
  ).not.toContain(made.number)
})
