import { limits } from '../../../contract/limits.ts'
import type { Client } from '../../../lib/client.ts'
import { sha256 } from '../../../lib/crypto.ts'
import { batchBody, openBatch, readBatchOpened, uploadPart } from '../../../lib/flows/batch.ts'
import type { BatchPackage, BatchPart } from '../../../lib/flows/batch.ts'
import { drawSecret, settleSession } from '../../../lib/flows/session.ts'
import { makeTarGz, makeZip, sealArchive } from '../../../lib/node/archive.ts'
import { Inconclusive, expectOk } from '../../../lib/outcome.ts'
import { formCodes } from '../../support/checks/forms.ts'
import type { WorkOutcome } from '../../support/judging/matchers.ts'
import {
  expectIncomplete,
  filesOf,
  inOnePart,
  listInvoices,
  packed,
  sendBatch,
} from '../../support/steps/packages.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { spoiltParts, spoiltWholes } from '../../support/documents/spoilt-packages.ts'
import type { Spoil } from '../../support/documents/spoilt-packages.ts'
import { reported } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Packages of several parts: what is declared of each part and the whole, when parts arrive, what a refusal leaves. */

/** Plain bytes of a part: a package of two invoices has four parts or more. */
const partBytes = 400

/** Sends a package up to the first refusal. */
const outcomeOfPackage = async (api: Client, batch: BatchPackage): Promise<WorkOutcome> => {
  const body = await batchBody(api, batch, formCodes.fa3)
  const opened = await api.call('sessions.openBatch', { body })
  if (opened.status >= 300) return opened
  const session = readBatchOpened(opened)
  for (const part of batch.parts) {
    const uploaded = await uploadPart(api, session, part)
    if (uploaded.status >= 300) return uploaded
  }
  const path = { referenceNumber: session.referenceNumber }
  const closed = await api.call('sessions.closeBatch', { path })
  return closed.status >= 300 ? closed : settleSession(api, session, 'batchSession')
}

/** Expects a refusal: of a part at its upload, unless the target compares it later, or of the whole. */
const refuses = async (api: Client, batch: BatchPackage, what: string, ofPart: boolean) => {
  const outcome = await outcomeOfPackage(api, batch)
  expect.soft(outcome, what).not.toHaveSucceeded('batchSession')
  if (!ofPart || api.dialect.deferred?.includes('part-refused') === true) return
  const refusedBy = 'request' in outcome ? outcome.operation : 'the processing'
  expect.soft(refusedBy, `what refuses ${what}`).toBe('sessions.uploadPart')
}

/** Kinds of archive, and how titles name them. */
const archives = [
  ['', {}],
  [', tar.gz', { compressionType: 'TarGz' }],
] as const

/** Each way to spoil a package, in each kind of archive. */
const spoilt = <T>(ways: Readonly<Record<string, Spoil<T>>>) =>
  Object.entries(ways).flatMap(([what, spoil]) =>
    archives.map(([kind, form]) => [`${what}${kind}`, spoil, { ...form, partBytes }] as const),
  )

for (const [what, spoil, options] of spoilt(spoiltParts))
  test(
    ...familyRule('sessions.batch.part-checked', 'package in parts', `a part with ${what}`),
    async ({ login, invoice }) => {
      const { api } = await login()
      const good = await packed([invoice(), invoice()], options)
      const last = good.parts.length - 1
      for (const place of [0, 1, last]) {
        const [part, other] = [good.parts[place], good.parts[place === 0 ? 1 : place - 1]]
        if (part === undefined || other === undefined)
          throw new Inconclusive('cut a package', 'several parts')
        const changed = good.parts.with(place, spoil(part, other))
        await refuses(api, { ...good, parts: changed }, `part ${place + 1} of ${last + 1}`, true)
      }
      expect(await outcomeOfPackage(api, good), 'the package as it is').toHaveSucceeded(
        'batchSession',
      )
    },
  )

for (const [what, spoil, options] of spoilt(spoiltWholes))
  test(
    ...familyRule('sessions.batch.close', 'package in parts', `a package with ${what}`),
    async ({ login, invoice }) => {
      const { api } = await login()
      const secret = await packed([invoice(), invoice()], options)
      const other = await packed([invoice(), invoice()], { ...options, secret })
      await refuses(api, spoil(secret, other), what, false)
      expect(await outcomeOfPackage(api, secret), 'the package as it is').toHaveSucceeded(
        'batchSession',
      )
    },
  )

/** An archive of two documents as large as they may be, in several parts. */
const large = (
  invoice: (like: { bytes: number }) => { bytes: Uint8Array },
  secret = drawSecret(),
) => {
  const like = { bytes: limits['invoice.bytes'].value }
  const archive = makeZip(filesOf([invoice(like), invoice(like)]), 0)
  return sealArchive(archive, { partBytes: 900_000, secret })
}

test(
  ...familyRule('sessions.batch.part-checked', 'package in parts', 'large parts'),
  async ({ login, invoice }) => {
    const { api } = await login()
    const good = await large(invoice)
    const [other, part] = good.parts
    for (const [what, spoil] of Object.entries(spoiltParts))
      await refuses(api, { ...good, parts: good.parts.with(1, spoil(part!, other!)) }, what, true)
    expect(await outcomeOfPackage(api, good), 'the package as it is').toHaveSucceeded(
      'batchSession',
    )
  },
)

test(
  ...familyRule('sessions.batch.close', 'package in parts', 'a large package'),
  async ({ login, invoice }) => {
    const { api } = await login()
    const good = await large(invoice)
    const other = await large(invoice, good)
    for (const [what, spoil] of Object.entries(spoiltWholes))
      await refuses(api, spoil(good, other), what, false)
    expect(await outcomeOfPackage(api, good), 'the package as it is').toHaveSucceeded(
      'batchSession',
    )
  },
)

test(
  ...familyRule('sessions.batch.close', 'package in parts', 'a package under an earlier key'),
  async ({ login, invoice }) => {
    const { api } = await login()
    const secret = drawSecret()
    const earlier = await packed([invoice()], { partBytes, secret })
    expect(await outcomeOfPackage(api, earlier), 'the earlier package').toHaveSucceeded(
      'batchSession',
    )
    const batch = await packed([invoice()], { partBytes, secret })
    await refuses(api, { ...batch, ...drawSecret() }, 'the key of an earlier session', false)
  },
)

const names = [
  'a.xml',
  'folder/a.xml',
  'folder/b.xml',
  'folder/inner/c.xml',
  'two words.xml',
  'żółw.xml',
] as const

for (const [kind, make] of [
  ['Zip', makeZip],
  ['TarGz', makeTarGz],
] as const)
  test(
    ...familyRule('sessions.batch.close', 'package in parts', `names and folders, ${kind}`),
    async ({ login, invoice }) => {
      const { api } = await login()
      const files = Object.fromEntries(names.map((name) => [name, invoice()]))
      const archive = make({
        'empty.xml': new Uint8Array(),
        ...Object.fromEntries(Object.entries(files).map(([name, { bytes }]) => [name, bytes])),
      })
      const batch = await sealArchive(archive, { compressionType: kind })
      const { settled, referenceNumber } = await sendBatch(api, batch)
      expect(settled).toHaveSucceeded('batchSession')
      const rows = await listInvoices(api, referenceNumber)
      const failed = await listInvoices(api, referenceNumber, 'sessions.failed')
      expect(rows.length, 'rows').toBe(names.length + 1)
      expect(failed.map(({ invoiceFileName }) => invoiceFileName)).toEqual(['empty.xml'])
      for (const [name, { bytes, number }] of Object.entries(files)) {
        const row = rows.find(({ invoiceNumber }) => invoiceNumber === number)
        expect(row ?? { status: { code: 0 } }, name).toHaveSucceeded('invoice')
        expect(row?.['invoiceHash'], `the hash of ${name}`).toBe(
          api.codec.base64(await sha256(bytes)),
        )
        const shown = String(row?.invoiceFileName).split('/').at(-1)
        expect(shown, 'the name of the file').toBe(name.split('/').at(-1))
      }
    },
  )

test(
  ...familyRule('sessions.batch.close', 'package in parts', 'close before the last part'),
  async ({ login, invoice }) => {
    const { api } = await login()
    const documents = [invoice(), invoice()]
    // More than nine parts: sorted as text, their numbers would be in another order.
    const batch = await packed(documents, { partBytes: partBytes / 4 })
    const session = await openBatch(api, batch, { formCode: formCodes.fa3 })
    const path = { referenceNumber: session.referenceNumber }
    const upload = async (part: BatchPart) =>
      expectOk(await uploadPart(api, session, part), 'upload a part')
    for (const part of batch.parts.slice(0, -1)) await upload(part)
    const early = await api.call('sessions.closeBatch', { path })
    if (!(await expectIncomplete(api, session, early))) return
    const after = reported(await api.call('sessions.status', { path }))
    expect(after, 'the session after the refusal').toBeInState('batchSession', 100)
    await upload(batch.parts.at(-1)!)
    expect(await api.call('sessions.closeBatch', { path }), 'the close with all parts').toBeOk()
    const settled = await settleSession(api, session, 'batchSession')
    expect(settled).toHaveSucceeded('batchSession')
    const rows = await listInvoices(api, session.referenceNumber)
    expect(rows.length, 'invoices of the package').toBe(documents.length)
  },
)

test(
  ...familyRule('sessions.batch.close', 'package in parts', 'each part sent twice'),
  async ({ login, invoice }) => {
    const { api } = await login()
    const documents = [invoice(), invoice()]
    const batch = await packed(documents, { partBytes })
    const session = await openBatch(api, batch, { formCode: formCodes.fa3 })
    const send = (part: BatchPart) => uploadPart(api, session, part)
    for (const part of batch.parts) expectOk(await send(part), 'upload a part')
    // A client does so when it lost the answer. Whether the service takes it once more is not specified.
    for (const part of batch.parts) await send(part)
    const path = { referenceNumber: session.referenceNumber }
    expect(await api.call('sessions.closeBatch', { path }), 'the close').toBeOk()
    expect(await settleSession(api, session, 'batchSession')).toHaveSucceeded('batchSession')
    const rows = await listInvoices(api, session.referenceNumber)
    expect(rows.length, 'invoices of the package').toBe(documents.length)
  },
)

test(
  ...familyRule('sessions.batch.close', 'package in parts', 'a part after the close'),
  async ({ login, invoice }) => {
    const { api } = await login()
    const batch = await packed([invoice()], inOnePart)
    const session = await openBatch(api, batch, { formCode: formCodes.fa3 })
    const [part] = batch.parts
    const send = () => uploadPart(api, session, part!)
    expect(await send(), 'a part before the close').toBeOk()
    const path = { referenceNumber: session.referenceNumber }
    expect(await api.call('sessions.closeBatch', { path })).toBeOk()
    expect(await send(), 'the part once more, after the close').toBeClientError()
    expect(await settleSession(api, session, 'batchSession')).toHaveSucceeded('batchSession')
  },
)

const perPart = limits['batch.uploadSecondsPerPart'].value * 1000
const minute = 60_000

test(
  ...familyRule('sessions.batch.close', 'period of an upload', 'as long as its parts take'),
  async ({ login, invoice, clock }) => {
    const { api, context } = await login()
    const batch = await packed([invoice(), invoice()], { partBytes })
    const session = await openBatch(api, batch, { formCode: formCodes.fa3 })
    const [first, ...rest] = batch.parts
    const upload = async (part: BatchPart) => uploadPart(api, session, part)
    for (const part of rest) expectOk(await upload(part), 'upload a part')
    const end = clock.now() + batch.parts.length * perPart
    await clock.set(end - minute)
    expect(await upload(first!), 'a part in the last minute').toBeOk()
    const later = await login({ context })
    const path = { referenceNumber: session.referenceNumber }
    expect(await later.api.call('sessions.closeBatch', { path }), 'the close after it').toBeOk()
    expect(await settleSession(later.api, session, 'batchSession')).toHaveSucceeded('batchSession')
    await clock.advance(3 * minute)
    const after = reported(await later.api.call('sessions.status', { path }))
    expect(after, 'once the time is over').toHaveSucceeded('batchSession')
  },
)

test(
  ...familyRule('sessions.batch.close', 'period of an upload', 'over'),
  async ({ login, invoice, clock }) => {
    const { api, context } = await login()
    const batch = await packed([invoice(), invoice()], { partBytes })
    const session = await openBatch(api, batch, { formCode: formCodes.fa3 })
    await clock.advance(batch.parts.length * perPart + minute)
    const [part] = batch.parts
    const answer = await uploadPart(api, session, part!)
    expect(answer, 'a part after the end').toBeClientError()
    const later = await login({ context })
    const settled = await settleSession(later.api, session, 'batchSession')
    expect(settled).toBeRejected('upload-time-exceeded')
  },
)
