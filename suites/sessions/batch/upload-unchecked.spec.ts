import type { RefusalId } from '../../../contract/errors.ts'
import type { VariantText } from '../../../contract/rules.ts'
import type { Client } from '../../../lib/client.ts'
import { encryptAes, randomBytes, sha256 } from '../../../lib/crypto.ts'
import type { BatchPackage } from '../../../lib/flows/batch.ts'
import {
  batchBody,
  callUpload,
  closeBatch,
  openBatch,
  readBatchOpened,
} from '../../../lib/flows/batch.ts'
import { encryptFor } from '../../../lib/flows/keys.ts'
import { settleSession } from '../../../lib/flows/session.ts'
import { filesOf, only, inOnePart, packed } from '../../support/steps/packages.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { makeZip } from '../../../lib/node/archive.ts'
import { rule } from '../../support/checks/rule.ts'
import { expect, test } from '../../support/harness/test.ts'

type Variant = VariantText<'sessions.batch.upload-unchecked'>

const longer = (bytes: Uint8Array) => new Uint8Array([...bytes, ...new Uint8Array(16)])
const flipped = (bytes: Uint8Array) => bytes.map((byte, at) => (at === 0 ? byte ^ 1 : byte))

/** Opens a session for a package, and uploads these bytes as its parts. */
const uploaded = async (api: Client, batch: BatchPackage, contents: readonly Uint8Array[]) => {
  const session = await openBatch(api, batch, { formCode: formCodes.fa3 })
  for (const [place, bytes] of contents.entries())
    expect(await callUpload(api, session.uploads[place]!, bytes), 'the upload').toBeOk()
  return session
}

for (const [what, change] of [
  ['size', longer],
  ['size, empty', () => new Uint8Array()],
] as const satisfies readonly (readonly [Variant, unknown])[]) {
  test(...rule('sessions.batch.upload-unchecked', what), async ({ login, invoice }) => {
    const { api } = await login()
    const batch = await packed([invoice()], inOnePart)
    const { referenceNumber } = await uploaded(api, batch, [change(only(batch.parts).bytes)])
    const path = { referenceNumber }
    expect(await api.call('sessions.closeBatch', { path })).toBeRefused('part-size-wrong')
  })
}

test(
  ...rule('sessions.batch.upload-unchecked', 'size, of parts that are right in all'),
  async ({ login, invoice }) => {
    const { api } = await login()
    const batch = await packed([invoice()], { parts: 2 })
    const [first, second] = batch.parts.map(({ bytes }) => bytes)
    const contents = [longer(first!), second!.slice(0, -16)]
    const { referenceNumber } = await uploaded(api, batch, contents)
    const path = { referenceNumber }
    expect(await api.call('sessions.closeBatch', { path })).toBeRefused('part-size-wrong')
  },
)

test(...rule('sessions.batch.upload-unchecked', 'hash'), async ({ login, invoice }) => {
  const { api } = await login()
  for (const [wrong, of] of [
    [0, 1],
    [0, 2],
    [1, 2],
  ] as const) {
    const batch = await packed([invoice()], { parts: of })
    const contents = batch.parts.map(({ bytes }, place) =>
      place === wrong ? flipped(bytes) : bytes,
    )
    const session = await uploaded(api, batch, contents)
    await closeBatch(api, session)
    const settled = await settleSession(api, session, 'batchSession')
    expect(settled, `part ${wrong + 1} of ${of}`).toBeRejected('package-hash-mismatch')
  }
})

test(...rule('sessions.batch.upload-unchecked', 'replaced'), async ({ login, invoice }) => {
  const { api } = await login()
  const batch = await packed([invoice()], inOnePart)
  const session = await openBatch(api, batch, { formCode: formCodes.fa3 })
  const [upload, part] = [only(session.uploads), only(batch.parts)]
  expect(await callUpload(api, upload, flipped(part.bytes)), 'the first upload').toBeOk()
  expect(await callUpload(api, upload, part.bytes), 'the second upload').toBeOk()
  await closeBatch(api, session)
  const settled = await settleSession(api, session, 'batchSession')
  expect(settled).toHaveSucceeded('batchSession')
})

/** Archive encrypted as a whole and cut afterwards. */
const cutAfterEncryption = async (api: Client, batch: BatchPackage, archive: Uint8Array) => {
  const whole = await encryptAes(archive, batch.key, batch.iv)
  const middle = 16 * Math.floor(whole.length / 32)
  const pieces = [whole.slice(0, middle), whole.slice(middle)]
  const parts = await Promise.all(
    pieces.map(async (bytes, place) => ({
      ordinalNumber: place + 1,
      fileSize: bytes.length,
      fileHash: api.codec.base64(await sha256(bytes)),
      bytes,
    })),
  )
  const fileHash = api.codec.base64(await sha256(archive))
  return { ...batch, fileSize: archive.length, fileHash, parts }
}

interface Spoilt {
  readonly batch: BatchPackage
  /** Fields of the opening that replace those of the package. */
  readonly opening?: Readonly<Record<string, unknown>>
}

const spoilt: readonly (readonly [
  Variant,
  RefusalId,
  (api: Client, bytes: Uint8Array) => Promise<Spoilt>,
])[] = [
  [
    'iv',
    'archive-refused',
    async (api, bytes) => ({
      batch: await packed([{ bytes }]),
      opening: { initVector: api.codec.base64(randomBytes(16)) },
    }),
  ],
  [
    'key',
    'session-key-refused',
    async (api, bytes) => {
      const { encrypted } = await encryptFor(api, 'SvcTokenEncryption', randomBytes(32))
      return {
        batch: await packed([{ bytes }]),
        opening: { encryptedSymmetricKey: encrypted },
      }
    },
  ],
  [
    'cut after encryption',
    'archive-refused',
    async (api, bytes) => ({
      batch: await cutAfterEncryption(
        api,
        await packed([{ bytes }]),
        makeZip(filesOf([{ bytes }])),
      ),
    }),
  ],
]

for (const [what, refusal, spoil] of spoilt) {
  test(...rule('sessions.batch.upload-unchecked', what), async ({ login, invoice }) => {
    const { api } = await login()
    const { batch, opening } = await spoil(api, invoice().bytes)
    const body = { ...(await batchBody(api, batch, formCodes.fa3)), ...opening }
    const session = readBatchOpened(await api.call('sessions.openBatch', { body }))
    for (const [place, part] of batch.parts.entries())
      expect(await callUpload(api, session.uploads[place]!, part.bytes), 'the upload').toBeOk()
    await closeBatch(api, session)
    expect(await settleSession(api, session, 'batchSession')).toBeRejected(refusal)
  })
}
