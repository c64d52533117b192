import type { Client } from '../../lib/client.ts'
import { decryptAes } from '../../lib/crypto.ts'
import {
  callPart,
  createExport,
  downloadExport,
  exportParts,
  settleExport,
} from '../../lib/flows/export.ts'
import type { ExportOptions } from '../../lib/flows/export.ts'
import { drawSecret } from '../../lib/flows/session.ts'
import { Inconclusive, expectOk } from '../../lib/outcome.ts'
import { fromWire } from '../../lib/wire.ts'
import { describedPackage, expectParts, settleOwn, unpack } from '../support/steps/export-parts.ts'
import { issuedAround } from '../support/steps/filters.ts'
import { acceptInEveryForm } from '../support/scenes/further-forms.ts'
import type { Filters } from '../support/steps/filters.ts'
import { isoDay } from '../../lib/local-time.ts'
import { meaningOfRow } from '../support/answers/meaning.ts'
import { manyInvoices } from '../support/documents/invoice-source.ts'
import { hundreds, listInvoices, packed, sendBatch } from '../support/steps/packages.ts'
import { rule } from '../support/checks/rule.ts'
import { findAll } from '../support/steps/searches.ts'
import type { Found, Page } from '../support/steps/searches.ts'
import { accept, outcomeOfInvoice } from '../support/steps/steps.ts'
import { withoutRates } from '../support/service/target.ts'
import { expect, test } from '../support/harness/test.ts'

const day = 24 * 3600 * 1000
const second = 1000

/** The package, as the status of a finished export describes it. */
interface Described {
  readonly size: unknown
  readonly compressionType: unknown
  readonly permanentStorageHwmDate: unknown
  readonly parts: readonly Readonly<Record<string, unknown>>[]
}

/** The archive of a fresh export. */
const archiveOf = async (api: Client, options: ExportOptions): Promise<Uint8Array> => {
  const started = await createExport(api, options)
  return downloadExport(api, started, await settleOwn(api, started))
}

const documentsOf = (files: Readonly<Record<string, Uint8Array>>): string[] =>
  Object.keys(files).filter((name) => name.endsWith('.xml'))

test(...rule('exports.package.content', 'decrypts'), async ({ open, invoice, clock }) => {
  const desk = await open()
  const { svcNumber } = await accept(desk, invoice().bytes)
  const filters = issuedAround(clock.now())
  await findAll(desk.api, filters, [svcNumber])
  // Both at once: each has its own key, also where one was asked for before the other was done.
  const exports = await Promise.all(
    ['first', 'second'].map(async (which) => {
      const secret = drawSecret()
      return { which, secret, started: await createExport(desk.api, { filters, secret }) }
    }),
  )
  for (const { which, secret, started } of exports) {
    const [part] = exportParts(await settleExport(desk.api, started))
    if (part === undefined)
      throw new Inconclusive('export an invoice', `a part of the ${which} package`)
    const { bytes } = expectOk(await callPart(desk.api, part), 'download the part')
    expect(bytes.length % 16, 'bytes of a part after the last complete block').toBe(0)
    const plain = await decryptAes(bytes, secret.key, secret.iv).catch(() => undefined)
    expect(plain, `a part that the key and vector of the ${which} export decrypt`).toBeDefined()
    expect(documentsOf(unpack(plain!)).length, 'documents in the archive').toBe(1)
  }
})

test(...rule('exports.package.content', 'exact'), async ({ open, invoice, clock }) => {
  const desk = await open()
  const now = clock.now()
  const old = new Date(now - 10 * day).toISOString().slice(0, 10)
  const inside = [invoice({ issueDate: old }), invoice({ issueDate: old })]
  const wanted: string[] = []
  for (const { bytes } of inside) wanted.push((await accept(desk, bytes)).svcNumber)
  const outside = await accept(desk, invoice().bytes)
  await outcomeOfInvoice(desk, invoice({ issueDate: old }).bytes.slice(0, -10))
  await findAll(desk.api, issuedAround(now), [...wanted, outside.svcNumber])
  const filters: Filters = {
    subjectType: 'subject1',
    dateRange: {
      dateType: 'issue',
      from: new Date(now - 11 * day).toISOString(),
      to: new Date(now - 9 * day).toISOString(),
    },
  }
  const files = unpack(await archiveOf(desk.api, { filters }))
  expect(documentsOf(files).toSorted(), 'documents in the archive').toEqual(
    wanted.map((number) => `${number}.xml`).toSorted(),
  )
})

test(...rule('exports.package.content', 'hundreds'), async ({ login, invoice, clock, target }) => {
  await withoutRates(target)
  const { api } = await login()
  const batch = await packed(manyInvoices(invoice, hundreds))
  const { referenceNumber } = await sendBatch(api, batch)
  const rows = await listInvoices(api, referenceNumber)
  const files = unpack(await archiveOf(api, { filters: issuedAround(clock.now()) }))
  expect(documentsOf(files).toSorted(), 'documents in the archive').toEqual(
    rows.map(({ svcNumber }) => `${svcNumber}.xml`).toSorted(),
  )
  expect(rows.length, 'accepted invoices').toBe(hundreds)
})

test(
  ...rule('exports.package.content', 'exact, by a colleague of the sender'),
  async ({ open, invoice, clock, limited }) => {
    const desk = await open()
    const { svcNumber } = await accept(desk, invoice().bytes)
    const filters = issuedAround(clock.now())
    await findAll(desk.api, filters, [svcNumber])
    const { api } = await limited(['InvoiceRead'])
    const files = unpack(await archiveOf(api, { filters }))
    expect(documentsOf(files), 'documents in the archive').toEqual([`${svcNumber}.xml`])
  },
)

test(
  ...rule('exports.package.content', 'exact, asked for once more'),
  async ({ open, invoice, clock }) => {
    const desk = await open()
    const filters = issuedAround(clock.now())
    const wanted: string[] = []
    for (const which of ['first', 'second']) {
      wanted.push((await accept(desk, invoice().bytes)).svcNumber)
      await findAll(desk.api, filters, wanted)
      const files = unpack(await archiveOf(desk.api, { filters }))
      expect(documentsOf(files).toSorted(), `documents of the ${which} export`).toEqual(
        wanted.map((number) => `${number}.xml`).toSorted(),
      )
    }
  },
)

test(
  ...rule('exports.package.content', 'of another context'),
  async ({ open, invoice, clock, another, login }) => {
    const desk = await open()
    const buyer = await login({ context: await another() })
    const bought = await accept(desk, invoice({ buyer: buyer.context.nip }).bytes)
    await accept(desk, invoice({ buyer: '5265877635' }).bytes)
    const filters = issuedAround(clock.now(), 'subject2')
    await findAll(buyer.api, filters, [bought.svcNumber])
    const files = unpack(await archiveOf(buyer.api, { filters }))
    expect(documentsOf(files), 'documents of the buyer').toEqual([`${bought.svcNumber}.xml`])
  },
)

for (const [what, compressionType] of [
  ['bytes', 'Zip'],
  ['tar.gz', 'TarGz'],
] as const) {
  test(...rule('exports.package.content', what), async ({ open, invoice, clock }) => {
    const desk = await open()
    const made = [invoice(), invoice()]
    const sent = new Map<string, string>()
    for (const { bytes } of made)
      sent.set((await accept(desk, bytes)).svcNumber, Buffer.from(bytes).toString('base64'))
    const filters = issuedAround(clock.now())
    await findAll(desk.api, filters, [...sent.keys()])
    const archive = await archiveOf(desk.api, { filters, compressionType })
    const head = Buffer.from(archive.subarray(0, 2)).toString('hex')
    expect(head, 'the first bytes of the archive').toBe(compressionType === 'Zip' ? '504b' : '1f8b')
    expect(() => unpack(archive, compressionType), 'the archive, unpacked').not.toThrow()
    const files = unpack(archive, compressionType)
    for (const [number, bytes] of sent) {
      const exported = Buffer.from(files[`${number}.xml`] ?? []).toString('base64')
      expect(exported === bytes, `${number} byte for byte`).toBe(true)
    }
  })
}

test(
  ...rule('exports.package.content', 'exact, forms besides FA'),
  async ({ login, clock, rng, target }) => {
    const me = await login()
    const all = await acceptInEveryForm(me, { rng, target })
    const filters = issuedAround(clock.now())
    const numbers = all.map(({ svcNumber }) => svcNumber)
    await findAll(me.api, filters, numbers)
    const files = unpack(await archiveOf(me.api, { filters }))
    expect(documentsOf(files).toSorted(), 'documents in the archive').toEqual(
      numbers.map((number) => `${number}.xml`).toSorted(),
    )
  },
)

test(...rule('exports.package.content', 'parts'), async ({ open, invoice, clock }) => {
  const desk = await open()
  const { svcNumber } = await accept(desk, invoice().bytes)
  const filters = issuedAround(clock.now())
  await findAll(desk.api, filters, [svcNumber])
  const started = await createExport(desk.api, { filters })
  const settled = await settleExport(desk.api, started)
  const described = describedPackage(settled)
  expect(described, 'the package').toMatchObject({ invoiceCount: 1, isTruncated: false })
  await expectParts(desk.api, started, settled)
})

test(...rule('exports.package.content', 'described'), async ({ open, invoice, clock, target }) => {
  const desk = await open()
  const numbers: string[] = []
  for (const one of [invoice(), invoice()]) numbers.push((await accept(desk, one.bytes)).svcNumber)
  const filters = issuedAround(clock.now(), 'subject1', 'permanentStorage')
  const found = await findAll(desk.api, filters, numbers)
  const lastStored = Math.max(
    ...found.map(({ permanentStorageDate }) => Date.parse(permanentStorageDate)),
  )
  for (const compressionType of ['Zip', 'TarGz'] as const) {
    const begun = clock.now()
    const started = await createExport(desk.api, { filters, compressionType })
    const { body } = await settleExport(desk.api, started)
    const completedDate = body['completedDate']
    const described = body['package'] as Described
    const { parts, size, permanentStorageHwmDate } = described
    expect(described.compressionType ?? compressionType, 'the form of the archive').toBe(
      compressionType,
    )
    const sizes = (['partSize', 'encryptedPartSize'] as const).map((name) =>
      parts.reduce((sum, part) => sum + Number(part[name]), 0),
    )
    expect(sizes, 'the size of the package, of its parts before or after encryption').toContain(
      size,
    )
    const completed = Date.parse(String(completedDate))
    expect(completed, 'its completion, since its creation').toBeGreaterThanOrEqual(begun - second)
    expect(completed, 'its completion, before now').toBeLessThanOrEqual(clock.now() + second)
    expect(
      Date.parse(String(permanentStorageHwmDate)),
      'the high-water mark, since the last invoice of the package',
    ).toBeGreaterThanOrEqual(lastStored)
    // Without a clock to move, the time between two calls has to suffice.
    if (target.management !== undefined) await clock.advance(60 * second)
    const { body: later } = await settleExport(desk.api, started)
    expect(later['completedDate'], 'its completion, a minute later').toBe(completedDate)
    expect(
      (later['package'] as Described).permanentStorageHwmDate,
      'the high-water mark, a minute later',
    ).toBe(permanentStorageHwmDate)
  }
})

test(...rule('exports.package.content', 'metadata'), async ({ open, invoice, clock }) => {
  const desk = await open()
  const numbers: string[] = []
  // More than a page of the smallest size holds.
  const issued = Array.from({ length: 11 }, (_, place) =>
    isoDay(clock.now() - ((2 * place) % 3) * day),
  )
  for (const issueDate of issued)
    numbers.push((await accept(desk, invoice({ issueDate }).bytes)).svcNumber)
  const filters = issuedAround(clock.now())
  const found = await findAll(desk.api, filters, numbers)
  for (const [onlyMetadata, compressionType] of [
    [false, 'Zip'],
    [true, 'Zip'],
    [false, 'TarGz'],
    [true, 'TarGz'],
  ] as const) {
    const started = await createExport(desk.api, { filters, onlyMetadata, compressionType })
    const settled = await settleExport(desk.api, started)
    expect(describedPackage(settled), `the package, onlyMetadata ${onlyMetadata}`).toMatchObject({
      invoiceCount: issued.length,
      isTruncated: false,
    })
    const archive = await downloadExport(desk.api, started, settled)
    const files = unpack(archive, compressionType)
    expect(documentsOf(files).length, `documents, onlyMetadata ${onlyMetadata}`).toBe(
      onlyMetadata ? 0 : issued.length,
    )
    expect(Object.keys(files), 'the files of the package').toContain('_metadata.json')
    const text = new TextDecoder().decode(files['_metadata.json'])
    const page = fromWire(JSON.parse(text), 'MetadataPage', desk.api.dialect) as Page
    const stated = (rows: readonly Found[]) =>
      rows
        .toSorted((a, b) => (a.svcNumber < b.svcNumber ? -1 : 1))
        .map((row) => meaningOfRow('queries.metadata', 'invoices', row))
    expect(stated(page.invoices), '_metadata.json, as a search finds it').toEqual(stated(found))
    expect(
      page.invoices.map(({ issueDate }) => issueDate),
      'in the order of the dates of issue',
    ).toEqual(issued.toSorted())
  }
})
