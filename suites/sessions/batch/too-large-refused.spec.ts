import { limits as maximum } from '../../../contract/limits.ts'
import { encryptedSize } from '../../../lib/crypto.ts'
import { batchBody } from '../../../lib/flows/batch.ts'
import { formCodes } from '../../support/forms.ts'
import { packed } from '../../support/packages.ts'
import { rule } from '../../support/rule.ts'
import { expect, test } from '../../support/test.ts'

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
