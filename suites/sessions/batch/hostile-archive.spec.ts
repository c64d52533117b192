import type { VariantText } from '../../../contract/rules.ts'
import type { Client } from '../../../lib/client.ts'
import { closeBatch, openBatch, uploadParts } from '../../../lib/flows/batch.ts'
import { settleSession } from '../../../lib/flows/session.ts'
import { makeTarGz, makeZip, sealArchive } from '../../../lib/node/archive.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { listInvoices, packed } from '../../support/steps/packages.ts'
import { expectReason } from '../../support/steps/reasons.ts'
import { rule } from '../../support/checks/rule.ts'
import { outcomeOfInvoice, reported } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Sends an archive as a package of one part and returns the outcome of the session. */
const outcomeOf = async (
  api: Client,
  archive: Uint8Array,
  options: Parameters<typeof sealArchive>[1] = {},
) => {
  const batch = await sealArchive(archive, options)
  const session = await openBatch(api, batch, { formCode: formCodes.fa3 })
  await uploadParts(api, session, batch.parts)
  const path = { referenceNumber: session.referenceNumber }
  const before = reported(await api.call('sessions.status', { path }))
  await closeBatch(api, session)
  return { session, before, settled: await settleSession(api, session, 'batchSession') }
}

type Make = (bytes: Uint8Array) => Uint8Array
type Kind = 'Zip' | 'TarGz'

/** Archives that make the whole session fail. */
const hostile: readonly (readonly [
  VariantText<'sessions.batch.hostile-archive'>,
  Make,
  kind?: Kind,
])[] = [
  [
    'corrupt',
    (bytes) => makeZip({ 'a.xml': bytes }).map((byte, at) => (at % 7 === 3 ? byte ^ 255 : byte)),
  ],
  ['not an archive', (bytes) => bytes],
  ['truncated', (bytes) => makeZip({ 'a.xml': bytes }).slice(0, -40)],
  ['traversal', (bytes) => makeZip({ '../../../../tmp/a.xml': bytes })],
  ['traversal, absolute path', (bytes) => makeZip({ '/tmp/a.xml': bytes })],
  ['traversal, tar.gz', (bytes) => makeTarGz({ '../../../../tmp/a.xml': bytes }), 'TarGz'],
  ['nested', (bytes) => makeZip({ 'inner.zip': makeZip({ 'a.xml': bytes }) })],
  [
    'nested, named as an invoice',
    (bytes) => makeZip({ 'a.xml': bytes, 'b.xml': makeZip({ 'c.xml': bytes }) }),
  ],
  ['nested, tar.gz', (bytes) => makeTarGz({ 'b.gz': makeTarGz({ 'a.xml': bytes }) }), 'TarGz'],
  ['bomb', () => makeZip({ 'a.xml': new Uint8Array(60_000_000) })],
  ['empty', () => makeZip({})],
  ['empty, a folder alone', () => makeZip({ 'folder/': new Uint8Array() })],
]

for (const [what, make, compressionType = 'Zip'] of hostile) {
  test(...rule('sessions.batch.hostile-archive', what), async ({ open, invoice }) => {
    const desk = await open()
    const beside = await packed([invoice()])
    const pending = await openBatch(desk.api, beside, { formCode: formCodes.fa3 })
    await uploadParts(desk.api, pending, beside.parts)
    const archive = make(invoice().bytes)
    const { settled, session, before } = await outcomeOf(desk.api, archive, { compressionType })
    // A service may skip or reject the hostile entry; it must not accept it.
    const rows = settled.succeeded ? await listInvoices(desk.api, session.referenceNumber) : []
    expect(
      rows.filter(({ svcNumber }) => svcNumber !== undefined),
      'accepted invoices',
    ).toEqual([])
    expect(settled).toBeRejected('archive-refused')
    expectReason(settled, before, ...settled.exchanges.slice(0, -1).map(reported))
    expect(
      await outcomeOfInvoice(desk, invoice().bytes),
      'the service still responds',
    ).toHaveSucceeded('invoice')
    const path = { referenceNumber: pending.referenceNumber }
    const closed = await desk.api.call('sessions.closeBatch', { path })
    expect(closed, 'the close of the package beside it').toBeOk()
    expect(
      await settleSession(desk.api, pending, 'batchSession'),
      'the package beside it',
    ).toHaveSucceeded('batchSession')
  })
}
