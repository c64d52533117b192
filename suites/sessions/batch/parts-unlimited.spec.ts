import { limits as maximum } from '../../../contract/limits.ts'
import { batchBody, callUpload, openBatch } from '../../../lib/flows/batch.ts'
import type { BatchSession } from '../../../lib/flows/batch.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { packed } from '../../support/steps/packages.ts'
import { block, simulateProduction } from '../../support/service/rated.ts'
import { rule } from '../../support/checks/rule.ts'
import { expect, test } from '../../support/harness/test.ts'

test(...rule('sessions.batch.parts-unlimited'), async ({ login, invoice, clock, target }) => {
  const me = await login()
  const { api } = me
  // The narrowest limits: whichever row of the rate table a service confuses these calls with, it is exceeded.
  await simulateProduction(target, me)
  const batch = await packed([invoice(), invoice(), invoice()], { partBytes: 120 })
  const parts = batch.parts.slice(0, maximum['batch.parts'].value)
  test.skip(parts.length < 20, `a package of ${parts.length} parts is too small for this check`)
  const session = await openBatch(api, { ...batch, parts }, { formCode: formCodes.fa3 })
  await clock.still()
  const [first] = parts
  const bad = first && { ...first, bytes: first.bytes.map((byte) => byte ^ 0xff) }
  // More than any row of the rate table permits within a minute, several times over.
  for (const [what, sent] of [
    ['of every part', parts],
    ['of one part', parts.slice(0, 1)],
    ['of one part, with other bytes', bad === undefined ? [] : [bad]],
  ] as const) {
    const answers = await Promise.all(
      sent.flatMap((part) => {
        const upload = session.uploads.find(
          ({ ordinalNumber }) => ordinalNumber === part.ordinalNumber,
        )
        const times = Math.ceil(150 / sent.length)
        return upload === undefined
          ? []
          : Array.from({ length: times }, () => callUpload(api, upload, part.bytes))
      }),
    )
    const limited = answers.filter(({ status }) => status === 429)
    expect(answers.length, `concurrent uploads ${what}`).toBeGreaterThanOrEqual(150)
    expect(limited.length, `rate limited uploads ${what}`).toBe(0)
    await clock.pass(61_000)
  }
  // Nor do they count against the operations around them, in the last minute or the last hour.
  const path = { referenceNumber: session.referenceNumber }
  expect(await api.call('sessions.closeBatch', { path }), 'the close afterwards').toBeOk()
  expect(await api.call('sessions.status', { path }), 'the status afterwards').toBeOk()
})

test(
  ...rule('sessions.batch.parts-unlimited', 'while openings are blocked'),
  async ({ login, invoice, rated }) => {
    const me = await login()
    const batch = await packed([invoice()])
    const opened: BatchSession[] = []
    const calls = await rated(
      {
        operation: 'sessions.openBatch',
        async prepare({ api }) {
          opened.push(await openBatch(api, batch, { formCode: formCodes.fa3 }))
          return { body: await batchBody(api, batch, formCodes.fa3) }
        },
      },
      me,
    )
    await block(calls)
    const uploads = opened.flatMap(({ uploads: [upload] }) => upload ?? [])
    expect(uploads, 'the address of a part').toHaveLength(1)
    for (const upload of uploads)
      expect(await callUpload(me.api, upload, batch.parts[0]!.bytes), 'its upload').toBeOk()
  },
)
