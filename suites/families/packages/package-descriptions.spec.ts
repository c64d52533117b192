import { limits } from '../../../contract/limits.ts'
import type { Client } from '../../../lib/client.ts'
import { encryptedSize } from '../../../lib/crypto.ts'
import { batchBody, callUpload, readBatchOpened } from '../../../lib/flows/batch.ts'
import type { BatchPackage } from '../../../lib/flows/batch.ts'
import { settleSession } from '../../../lib/flows/session.ts'
import { makeZip, sealArchive } from '../../../lib/node/archive.ts'
import { Inconclusive } from '../../../lib/outcome.ts'
import { shuffled } from '../../../lib/random.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { nameOf, packed } from '../../support/steps/packages.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Packages may be described in many ways: parts in any order, equal parts, more bytes than 32 bits can count. */

/** Uploads each part to the place that was returned for it, closes the session, and expects success. */
const expectProcessed = async (api: Client, batch: BatchPackage, what: string): Promise<void> => {
  const body = await batchBody(api, batch, formCodes.fa3)
  const opened = await api.call('sessions.openBatch', { body })
  expect(opened, `the opening, ${what}`).toBeOk()
  const session = readBatchOpened(opened)
  for (const { ordinalNumber, bytes } of batch.parts) {
    const place = session.uploads.find((one) => one.ordinalNumber === ordinalNumber)
    expect(place, `the place of part ${ordinalNumber}, ${what}`).toBeDefined()
    if (place !== undefined)
      expect(await callUpload(api, place, bytes), `part ${ordinalNumber}, ${what}`).toBeOk()
  }
  const path = { referenceNumber: session.referenceNumber }
  expect(await api.call('sessions.closeBatch', { path }), `the close, ${what}`).toBeOk()
  const settled = await settleSession(api, session, 'batchSession')
  expect(settled, what).toHaveSucceeded('batchSession')
}

type Parts = BatchPackage['parts']

test(
  ...familyRule('sessions.batch.opens', 'description of a package', 'order of the parts'),
  async ({ login, invoice, rng }) => {
    const { api } = await login()
    const orders: Readonly<Record<string, (parts: Parts) => Parts>> = {
      'the last part first': (parts) => [...parts.slice(-1), ...parts.slice(0, -1)],
      'in descending order': (parts) => parts.toReversed(),
      'in any order': (parts) => shuffled(rng, parts),
    }
    for (const compressionType of ['Zip', 'TarGz'] as const)
      for (const [order, inOrder] of Object.entries(orders)) {
        const documents = [invoice(), invoice()]
        const { fileSize } = await packed(documents, { compressionType })
        const partBytes = Math.ceil(fileSize / 6)
        const batch = await packed(documents, { compressionType, partBytes })
        const parts = inOrder(batch.parts)
        await expectProcessed(api, { ...batch, parts }, `${compressionType}, ${order}`)
      }
  },
)

test(
  ...familyRule('sessions.batch.opens', 'description of a package', 'equal parts'),
  async ({ login, invoice }) => {
    const { api } = await login()
    // Not compressed: an entry of one repeated byte fills several parts with it.
    const blank = new Uint8Array(2_000).fill(0x20)
    const archive = makeZip({ [nameOf(0)]: invoice().bytes, [nameOf(1)]: blank }, 0)
    const batch = await sealArchive(archive, { partBytes: 400 })
    const hashes = new Set(batch.parts.map(({ fileHash }) => fileHash))
    if (hashes.size === batch.parts.length) throw new Inconclusive('cut a package', 'equal parts')
    await expectProcessed(api, batch, 'of which some are equal')
  },
)

test(
  ...familyRule('sessions.batch.opens', 'description of a package', 'sizes'),
  async ({ login, invoice }) => {
    const { api } = await login()
    const body = await batchBody(api, await packed([invoice()]), formCodes.fa3)
    const { batchFile } = body as { batchFile: { fileParts: object[] } }
    const [part] = batchFile.fileParts
    const largest = limits['batch.partBytes'].value
    const most = limits['batch.packageBytes'].value
    for (const bytes of [2 ** 31 - 1, 2 ** 31, 3e9, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, most - 1]) {
      // Nothing is uploaded: the description alone states the size.
      const fileParts = Array.from({ length: Math.ceil(bytes / largest) }, (_, place) => ({
        ...part,
        ordinalNumber: place + 1,
        fileSize: encryptedSize(Math.min(largest, bytes - place * largest)),
      }))
      const answer = await api.call('sessions.openBatch', {
        body: { ...body, batchFile: { ...batchFile, fileSize: bytes, fileParts } },
      })
      expect(answer, `a package of ${bytes} bytes`).toBeOk()
      const places = readBatchOpened(answer).uploads.map(({ ordinalNumber }) => ordinalNumber)
      expect(new Set(places).size, `upload URLs for ${bytes} bytes`).toBe(fileParts.length)
    }
  },
)
