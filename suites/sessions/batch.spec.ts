import {
  batchBody,
  callUpload,
  closeBatch,
  openBatch,
  readBatchOpened,
  uploadParts,
} from '../../lib/flows/batch.ts'
import { limits as maximum } from '../../contract/limits.ts'
import { encryptedSize } from '../../lib/crypto.ts'
import { settleSession } from '../../lib/flows/session.ts'
import { Inconclusive } from '../../lib/outcome.ts'
import { formCodes } from '../support/forms.ts'
import { listInvoices, nameOf, only, packed, sendBatch } from '../support/packages.ts'
import { rule } from '../support/rule.ts'
import { fateOfInvoice, reported } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

test(...rule('sessions.batch.opens'), async ({ login, invoice }) => {
  const { api } = await login()
  const batch = await packed([invoice(), invoice()], { partBytes: 600 })
  expect(batch.parts.length, 'parts of the package').toBeGreaterThan(1)
  const body = await batchBody(api, batch, formCodes.fa3)
  const answer = await api.call('sessions.openBatch', { body })
  expect(answer).toBeOk()
  const { uploads, referenceNumber } = readBatchOpened(answer)
  expect(referenceNumber, 'a reference').toMatch(/\S/)
  const places = uploads.map(({ ordinalNumber }) => ordinalNumber).toSorted((a, b) => a - b)
  expect(places, 'an address for every part').toEqual(
    batch.parts.map(({ ordinalNumber }) => ordinalNumber),
  )
})

for (const [what, options] of [
  ['processes', {}],
  ['processes several parts', { partBytes: 600 }],
  ['processes tar.gz', { compressionType: 'TarGz' }],
] as const) {
  test(...rule('sessions.batch.close', what), async ({ login, invoice }) => {
    const { api } = await login()
    const documents = [invoice(), invoice(), invoice()]
    const { settled, referenceNumber } = await sendBatch(api, await packed(documents, options))
    expect(settled).toHaveSucceeded('batchSession')
    const listed = await listInvoices(api, referenceNumber)
    expect(
      new Set(listed.map(({ invoiceNumber }) => invoiceNumber)),
      'the invoices of the package',
    ).toEqual(new Set(documents.map(({ number }) => number)))
    for (const { status } of listed) expect({ status }).toHaveSucceeded('invoice')
  })
}

test(
  ...rule('sessions.batch.close', 'the last part uploaded first'),
  async ({ login, invoice }) => {
    const { api } = await login()
    const batch = await packed([invoice(), invoice()], { partBytes: 600 })
    const session = await openBatch(api, batch, { formCode: formCodes.fa3 })
    expect(batch.parts.length, 'parts of the package').toBeGreaterThan(1)
    await uploadParts(api, session, batch.parts.toReversed())
    await closeBatch(api, session)
    expect(await settleSession(api, session, 'batchSession')).toHaveSucceeded('batchSession')
  },
)

test(...rule('sessions.batch.close', 'starts the processing'), async ({ login, invoice }) => {
  const { api } = await login()
  const batch = await packed([invoice()])
  const session = await openBatch(api, batch, { formCode: formCodes.fa3 })
  await uploadParts(api, session, batch.parts)
  const path = { referenceNumber: session.referenceNumber }
  const before = reported(await api.call('sessions.status', { path }))
  expect(before.status.code, 'a batch session that is open').toBe(100)
  expect(await api.call('sessions.closeBatch', { path })).toBeOk()
  const after = reported(await api.call('sessions.status', { path }))
  expect(after.status.code, 'the state after the close').toBeGreaterThanOrEqual(150)
})

test(...rule('sessions.batch.close', 'missing part'), async ({ login, invoice }) => {
  const { api } = await login()
  const batch = await packed([invoice(), invoice()], { partBytes: 600 })
  const session = await openBatch(api, batch, { formCode: formCodes.fa3 })
  await uploadParts(api, session, batch.parts.slice(1))
  const path = { referenceNumber: session.referenceNumber }
  const answer = await api.call('sessions.closeBatch', { path })
  const fate = answer.status < 300 ? await settleSession(api, session, 'batchSession') : answer
  expect(fate).toBeRejected('part-missing')
})

test(...rule('sessions.batch.close', 'second close'), async ({ login, invoice }) => {
  const { api } = await login()
  const { referenceNumber, settled } = await sendBatch(api, await packed([invoice()]))
  expect(settled).toHaveSucceeded('batchSession')
  const path = { referenceNumber }
  expect(await api.call('sessions.closeBatch', { path })).toBeRefused('session-state-forbids')
  const after = reported(await api.call('sessions.status', { path }))
  expect(after.status.code, 'the state after the attempt').toBe(settled.status.code)
})

test(...rule('sessions.batch.bad-form-code-refused', 'unknown'), async ({ login, invoice }) => {
  const { api } = await login()
  const formCode = { systemCode: 'FX (9)', schemaVersion: '1-0E', value: 'FX' }
  const body = await batchBody(api, await packed([invoice()]), formCode)
  expect(await api.call('sessions.openBatch', { body })).toBeRefused('form-code-refused')
})

for (const [what, instant, formCode, taken] of [
  ['calendar: fa2 last day', '2026-01-31T23:30:00+01:00', formCodes.fa2, true],
  ['calendar: fa2 after', '2026-02-01T00:30:00+01:00', formCodes.fa2, false],
  ['calendar: fa3 before', '2026-01-31T23:30:00+01:00', formCodes.fa3, false],
  ['calendar: fa3 first day', '2026-02-01T00:30:00+01:00', formCodes.fa3, true],
] as const) {
  test(...rule('sessions.batch.bad-form-code-refused', what), async ({ login, invoice, clock }) => {
    await clock.set(Date.parse(instant))
    const { api } = await login()
    const body = await batchBody(api, await packed([invoice()]), formCode)
    const answer = await api.call('sessions.openBatch', { body })
    if (taken) expect(answer).toBeOk()
    else expect(answer).toBeRefused('form-code-refused')
  })
}

const tampering: readonly (readonly [string, (bytes: Uint8Array) => Uint8Array])[] = [
  ['size', (bytes) => new Uint8Array([...bytes, ...new Uint8Array(16)])],
  ['hash', (bytes) => bytes.map((byte, place) => (place === 0 ? byte ^ 1 : byte))],
  ['empty', () => new Uint8Array()],
]

for (const [what, change] of tampering) {
  test(...rule('sessions.batch.part-checked', what), async ({ login, invoice }) => {
    const { api } = await login()
    const batch = await packed([invoice()])
    const session = await openBatch(api, batch, { formCode: formCodes.fa3 })
    const [upload, part] = [only(session.uploads), only(batch.parts)]
    expect(await callUpload(api, upload, change(part.bytes))).toBeRefused('part-refused')
    expect(await callUpload(api, upload, part.bytes), 'the part as it was announced').toBeOk()
  })
}

test(...rule('sessions.batch.part-checked', 'headers'), async ({ login, invoice }) => {
  const { api } = await login()
  const batch = await packed([invoice()])
  const session = await openBatch(api, batch, { formCode: formCodes.fa3 })
  const [upload, part] = [only(session.uploads), only(batch.parts)]
  test.skip(Object.keys(upload.headers).length === 0, 'the service asks for no headers')
  expect(await callUpload(api, { ...upload, headers: {} }, part.bytes)).toBeClientError()
})

test(...rule('sessions.batch.part-checked', 'method'), async ({ login, invoice }) => {
  const { api } = await login()
  const batch = await packed([invoice()])
  const session = await openBatch(api, batch, { formCode: formCodes.fa3 })
  const [upload, part] = [only(session.uploads), only(batch.parts)]
  const answer = await callUpload(api, { ...upload, method: 'POST' }, part.bytes)
  expect(answer).toBeClientError()
})

test(...rule('sessions.batch.part-checked', 'address'), async ({ login, invoice }) => {
  const { api } = await login()
  const batch = await packed([invoice()])
  const session = await openBatch(api, batch, { formCode: formCodes.fa3 })
  const [upload, part] = [only(session.uploads), only(batch.parts)]
  const bent = upload.url.replace(/.(?=.{3}$)/, (sign) => (sign === 'A' ? 'B' : 'A'))
  expect(bent, 'another address').not.toBe(upload.url)
  expect(await callUpload(api, { ...upload, url: bent }, part.bytes)).toBeClientError()
})

test(...rule('sessions.batch.part-checked', 'key of another part'), async ({ login, invoice }) => {
  const { api } = await login()
  const batch = await packed([invoice(), invoice()], { partBytes: 600 })
  const session = await openBatch(api, batch, { formCode: formCodes.fa3 })
  const [first, second] = session.uploads.map((upload) => ({ upload, url: new URL(upload.url) }))
  const part = batch.parts.find(
    ({ ordinalNumber }) => ordinalNumber === second?.upload.ordinalNumber,
  )
  if (first === undefined || second === undefined || part === undefined)
    throw new Inconclusive('open a session of two parts', 'an address for each')
  test.skip(first.url.search === '', 'the addresses carry no key')
  second.url.search = first.url.search
  const answer = await callUpload(api, { ...second.upload, url: second.url.href }, part.bytes)
  expect(answer, 'the address of one part with the key of another').toBeClientError()
})

test(...rule('sessions.batch.errors-isolated'), async ({ login, invoice }) => {
  const { api } = await login()
  const good = [invoice(), invoice()]
  const broken = { bytes: api.codec.utf8('<Faktura>no invoice</Faktura>') }
  const [first, second] = good
  const batch = await packed([first!, broken, second!])
  const { settled, referenceNumber } = await sendBatch(api, batch)
  expect(settled).toHaveSucceeded('batchSession')
  const listed = await listInvoices(api, referenceNumber)
  expect(listed.length, 'invoices of the session').toBe(3)
  for (const row of listed)
    if (row.invoiceFileName === nameOf(1)) expect(row).toBeRejected('invoice-invalid')
    else expect(row).toHaveSucceeded('invoice')
})

test(...rule('sessions.batch.failed-list'), async ({ login, invoice }) => {
  const { api } = await login()
  const broken = { bytes: api.codec.utf8('<Faktura>no invoice</Faktura>') }
  const { referenceNumber } = await sendBatch(api, await packed([invoice(), broken, broken]))
  const failed = await listInvoices(api, referenceNumber, 'sessions.failed')
  expect(failed.length, 'incorrectly processed invoices').toBe(2)
  for (const row of failed) {
    expect(row).toBeRejected('invoice-invalid')
    expect(row.status.description, 'a reason in words').toMatch(/\S/)
  }
  const names = new Set(failed.map(({ invoiceFileName }) => invoiceFileName))
  expect(names, 'the files that failed').toEqual(new Set([nameOf(1), nameOf(2)]))
})

test(...rule('sessions.batch.duplicates', 'within'), async ({ login, invoice }) => {
  const { api } = await login()
  const twice = invoice()
  const { referenceNumber } = await sendBatch(api, await packed([twice, invoice(), twice]))
  const listed = await listInvoices(api, referenceNumber)
  const codes = listed
    .filter(({ invoiceNumber }) => invoiceNumber === twice.number)
    .map(({ status }) => status.code)
    .toSorted((a, b) => a - b)
  expect(codes, 'one of the two is accepted, the other a duplicate').toEqual([200, 440])
})

test(...rule('sessions.batch.duplicates', 'earlier'), async ({ open, invoice }) => {
  const desk = await open()
  const known = invoice()
  expect(await fateOfInvoice(desk, known.bytes)).toHaveSucceeded('invoice')
  const { referenceNumber } = await sendBatch(desk.api, await packed([known, invoice()]))
  const listed = await listInvoices(desk.api, referenceNumber)
  const again = listed.find(({ invoiceNumber }) => invoiceNumber === known.number)
  expect(again ?? { status: { code: 0 } }).toBeRejected('duplicate-invoice')
})

test(...rule('sessions.batch.too-large-refused', 'parts'), async ({ login, invoice }) => {
  const { api } = await login()
  const body = await batchBody(api, await packed([invoice()]), formCodes.fa3)
  const { batchFile } = body as { batchFile: { fileParts: object[] } }
  const [part] = batchFile.fileParts
  const fileParts = Array.from({ length: maximum['batch.parts'].value + 1 }, (_, place) => ({
    ...part,
    ordinalNumber: place + 1,
  }))
  const answer = await api.call('sessions.openBatch', {
    body: { ...body, batchFile: { ...batchFile, fileParts } },
  })
  expect(answer).toBeRefused('too-many-parts')
})

test(...rule('sessions.batch.too-large-refused', 'part'), async ({ login, invoice }) => {
  const { api } = await login()
  const body = await batchBody(api, await packed([invoice()]), formCodes.fa3)
  const { batchFile } = body as { batchFile: { fileParts: object[] } }
  const [part] = batchFile.fileParts
  const fileSize = encryptedSize(maximum['batch.partBytes'].value + 16)
  const answer = await api.call('sessions.openBatch', {
    body: {
      ...body,
      batchFile: { ...batchFile, fileSize, fileParts: [{ ...part, fileSize }] },
    },
  })
  expect(answer).toBeRefused('part-size-wrong')
})

test(...rule('sessions.batch.too-large-refused', 'package'), async ({ login, invoice }) => {
  const { api } = await login()
  const body = await batchBody(api, await packed([invoice()]), formCodes.fa3)
  const { batchFile } = body as { batchFile: object }
  const fileSize = maximum['batch.packageBytes'].value + 1
  const answer = await api.call('sessions.openBatch', {
    body: { ...body, batchFile: { ...batchFile, fileSize } },
  })
  expect(answer).toBeRefused('package-too-large')
})

test(...rule('sessions.batch.parts-unlimited'), async ({ login, invoice, clock }) => {
  const { api } = await login()
  const batch = await packed([invoice(), invoice(), invoice()], { partBytes: 120 })
  const parts = batch.parts.slice(0, maximum['batch.parts'].value)
  test.skip(parts.length < 20, `a package of ${parts.length} parts is too small to say anything`)
  const session = await openBatch(api, { ...batch, parts }, { formCode: formCodes.fa3 })
  await clock.still()
  const answers = await Promise.all(
    parts.flatMap((part) => {
      const upload = session.uploads.find(
        ({ ordinalNumber }) => ordinalNumber === part.ordinalNumber,
      )
      const times = Math.ceil(150 / parts.length)
      return upload === undefined
        ? []
        : Array.from({ length: times }, () => callUpload(api, upload, part.bytes))
    }),
  )
  const limited = answers.filter(({ status }) => status === 429)
  expect(answers.length, 'uploads at the same moment').toBeGreaterThanOrEqual(150)
  expect(limited.length, 'uploads that met a rate limit').toBe(0)
})
