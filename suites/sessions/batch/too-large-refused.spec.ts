import { limits as maximum } from '../../../contract/limits.ts'
import { encryptedSize } from '../../../lib/crypto.ts'
import { batchBody } from '../../../lib/flows/batch.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { packed } from '../../support/steps/packages.ts'
import { opensNothing } from '../../support/scenes/remembered.ts'
import { rule } from '../../support/checks/rule.ts'
import { expect, test } from '../../support/harness/test.ts'

test(...rule('sessions.batch.too-large-refused', 'parts'), async ({ login, invoice }) => {
  const { api } = await login()
  const body = await batchBody(api, await packed([invoice()]), formCodes.fa3)
  const { batchFile } = body as { batchFile: { fileParts: object[] } }
  const [part] = batchFile.fileParts
  const fileParts = Array.from({ length: maximum['batch.parts'].value + 1 }, (_, place) => ({
    ...part,
    ordinalNumber: place + 1,
  }))
  await opensNothing(api, 'Batch', async () => {
    const answer = await api.call('sessions.openBatch', {
      body: { ...body, batchFile: { ...batchFile, fileParts } },
    })
    expect(answer).toBeRefused('too-many-parts')
  })
})

test(...rule('sessions.batch.too-large-refused', 'at the limits'), async ({ login, invoice }) => {
  const { api } = await login()
  const body = await batchBody(api, await packed([invoice()]), formCodes.fa3)
  const { batchFile } = body as { batchFile: { fileParts: object[] } }
  const [part] = batchFile.fileParts
  const fileParts = Array.from({ length: maximum['batch.parts'].value }, (_, place) => ({
    ...part,
    fileSize: encryptedSize(maximum['batch.partBytes'].value),
    ordinalNumber: place + 1,
  }))
  const fileSize = maximum['batch.packageBytes'].value
  const answer = await api.call('sessions.openBatch', {
    body: { ...body, batchFile: { ...batchFile, fileSize, fileParts } },
  })
  expect(answer, 'as many parts as allowed, each as large as allowed').toBeOk()
})

test(...rule('sessions.batch.too-large-refused', 'part'), async ({ login, invoice }) => {
  const { api } = await login()
  const body = await batchBody(api, await packed([invoice()]), formCodes.fa3)
  const { batchFile } = body as { batchFile: { fileParts: object[] } }
  const [part] = batchFile.fileParts
  const largest = encryptedSize(maximum['batch.partBytes'].value)
  await opensNothing(api, 'Batch', async () => {
    for (const fileSize of [largest + 1, largest + 16]) {
      const answer = await api.call('sessions.openBatch', {
        body: {
          ...body,
          batchFile: { ...batchFile, fileSize, fileParts: [{ ...part, fileSize }] },
        },
      })
      expect(answer, `a part of ${fileSize} bytes`).toBeRefused('part-size-wrong')
    }
  })
})

test(
  ...rule('sessions.batch.too-large-refused', 'part, one of several'),
  async ({ login, invoice }) => {
    const { api } = await login()
    const body = await batchBody(api, await packed([invoice()]), formCodes.fa3)
    const { batchFile } = body as { batchFile: { fileParts: object[] } }
    const [part] = batchFile.fileParts
    const tooLarge = encryptedSize(maximum['batch.partBytes'].value) + 1
    await opensNothing(api, 'Batch', async () => {
      for (const large of [1, 2, 3]) {
        const fileParts = [1, 2, 3].map((ordinalNumber) => ({
          ...part,
          ordinalNumber,
          ...(ordinalNumber === large && { fileSize: tooLarge }),
        }))
        const fileSize = tooLarge
        const answer = await api.call('sessions.openBatch', {
          body: { ...body, batchFile: { ...batchFile, fileSize, fileParts } },
        })
        expect(answer, `part ${large} of 3 too large`).toBeRefused('part-size-wrong')
      }
    })
  },
)

test(...rule('sessions.batch.too-large-refused', 'package'), async ({ login, invoice }) => {
  const { api } = await login()
  const body = await batchBody(api, await packed([invoice()]), formCodes.fa3)
  const { batchFile } = body as { batchFile: object }
  const fileSize = maximum['batch.packageBytes'].value + 1
  await opensNothing(api, 'Batch', async () => {
    const answer = await api.call('sessions.openBatch', {
      body: { ...body, batchFile: { ...batchFile, fileSize } },
    })
    expect(answer).toBeRefused('package-too-large')
  })
})
