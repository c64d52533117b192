import type { VariantText } from '../../../contract/rules.ts'
import { callUpload, openBatch } from '../../../lib/flows/batch.ts'
import { settleSession } from '../../../lib/flows/session.ts'
import { Inconclusive } from '../../../lib/outcome.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { only, inOnePart, packed } from '../../support/steps/packages.ts'
import { rule } from '../../support/checks/rule.ts'
import { expect, test } from '../../support/harness/test.ts'

const tampering: readonly (readonly [
  VariantText<'sessions.batch.part-checked'>,
  (bytes: Uint8Array) => Uint8Array,
])[] = [
  ['size', (bytes) => new Uint8Array([...bytes, ...new Uint8Array(16)])],
  ['hash', (bytes) => bytes.map((byte, place) => (place === 0 ? byte ^ 1 : byte))],
  ['empty', () => new Uint8Array()],
]

for (const [what, change] of tampering) {
  test(...rule('sessions.batch.part-checked', what), async ({ login, invoice }) => {
    const { api } = await login()
    const batch = await packed([invoice()], inOnePart)
    const session = await openBatch(api, batch, { formCode: formCodes.fa3 })
    const [upload, part] = [only(session.uploads), only(batch.parts)]
    expect(await callUpload(api, upload, change(part.bytes))).toBeRefused('part-refused')
    expect(await callUpload(api, upload, part.bytes), 'the part as declared').toBeOk()
    expect(await callUpload(api, upload, change(part.bytes))).toBeRefused('part-refused')
    const path = { referenceNumber: session.referenceNumber }
    expect(await api.call('sessions.closeBatch', { path }), 'the close').toBeOk()
    const settled = await settleSession(api, session, 'batchSession')
    expect(settled, 'the package of the part as declared').toHaveSucceeded('batchSession')
  })
}

test(...rule('sessions.batch.part-checked', 'headers'), async ({ login, invoice }) => {
  const { api } = await login()
  const batch = await packed([invoice()], inOnePart)
  const session = await openBatch(api, batch, { formCode: formCodes.fa3 })
  const [upload, part] = [only(session.uploads), only(batch.parts)]
  test.skip(Object.keys(upload.headers).length === 0, 'the service requires no headers')
  expect(await callUpload(api, { ...upload, headers: {} }, part.bytes)).toBeClientError()
  for (const [name, value] of Object.entries(upload.headers)) {
    const headers = { ...upload.headers, [name]: `${value}X` }
    const answer = await callUpload(api, { ...upload, headers }, part.bytes)
    expect(answer, `with another ${name}`).toBeClientError()
  }
})

test(...rule('sessions.batch.part-checked', 'method'), async ({ login, invoice }) => {
  const { api } = await login()
  const batch = await packed([invoice()], inOnePart)
  const session = await openBatch(api, batch, { formCode: formCodes.fa3 })
  const [upload, part] = [only(session.uploads), only(batch.parts)]
  const answer = await callUpload(api, { ...upload, method: 'POST' }, part.bytes)
  expect(answer).toBeClientError()
})

test(...rule('sessions.batch.part-checked', 'address'), async ({ login, invoice }) => {
  const { api } = await login()
  const batch = await packed([invoice()], inOnePart)
  const session = await openBatch(api, batch, { formCode: formCodes.fa3 })
  const [upload, part] = [only(session.uploads), only(batch.parts)]
  const bent = upload.url.replace(/.(?=.{3}$)/, (sign) => (sign === 'A' ? 'B' : 'A'))
  expect(bent, 'an unknown upload URL').not.toBe(upload.url)
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
    throw new Inconclusive('open a session of two parts', 'an upload URL for each part')
  test.skip(first.url.search === '', 'the links have no signature')
  second.url.search = first.url.search
  const answer = await callUpload(api, { ...second.upload, url: second.url.href }, part.bytes)
  expect(answer, 'the URL of one part with the signature of another').toBeClientError()
})
