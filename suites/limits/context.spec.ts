import { limits } from '../../contract/limits.ts'
import type { LimitId } from '../../contract/limits.ts'
import type { Client } from '../../lib/client.ts'
import { submissionBody } from '../../lib/flows/session.ts'
import { packBatch } from '../../lib/node/archive.ts'
import type { Files } from '../../lib/node/archive.ts'
import { expectObject, expectOk } from '../../lib/outcome.ts'
import { delay } from '../support/scenes/delayed.ts'
import {
  allowAttachments,
  filesOf,
  inFolders,
  listInvoices,
  sendAlone,
  sendBatch,
} from '../support/steps/packages.ts'
import { grantInTest } from '../support/callers/grants.ts'
import { kin } from '../support/callers/kin.ts'
import { knownFields } from '../support/answers/known-fields.ts'
import { personAt } from '../support/callers/people.ts'
import { rule } from '../support/checks/rule.ts'
import { mintToken } from '../support/callers/service-token.ts'
import { outcomeOfInvoice, outcomeOfSending } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

interface SessionLimits {
  readonly maxInvoiceSizeInMB: number
  readonly maxInvoiceWithAttachmentSizeInMB: number
  readonly maxInvoices: number
}

const megabyte = 1_000_000

const lowered: SessionLimits = {
  maxInvoiceSizeInMB: 2,
  maxInvoiceWithAttachmentSizeInMB: 3,
  maxInvoices: 2,
}

const reportedLimits = async (api: Client) =>
  knownFields(
    expectObject(await api.call('limits.context'), 'read the limits of the context'),
    'ContextLimits',
  )

const lower = async (api: Client): Promise<void> => {
  const packages = { ...lowered, maxInvoiceSizeInMB: 1, maxInvoices: 3 }
  const body = { onlineSession: lowered, batchSession: packages }
  expectOk(await api.call('testdata.setSessionLimits', { body }), 'set limits of the context')
}

test(...rule('limits.context', 'reported'), async ({ login, target }) => {
  const { api } = await login()
  expect(await api.call('limits.context')).toBeOk()
  const value = (id: LimitId) => target.dialect.limits[id] ?? limits[id].value
  const expected: SessionLimits = {
    maxInvoiceSizeInMB: value('invoice.bytes') / megabyte,
    maxInvoiceWithAttachmentSizeInMB: value('invoice.bytesWithAttachment') / megabyte,
    maxInvoices: value('session.invoices'),
  }
  const { onlineSession, batchSession } = await reportedLimits(api)
  expect(onlineSession, 'limits of interactive sessions').toMatchObject({ ...expected })
  expect(batchSession, 'limits of batch sessions').toMatchObject({ ...expected })
})

test(...rule('limits.context', 'number of invoices'), async ({ open, login, invoice }) => {
  const me = await login()
  await lower(me.api)
  const { maxInvoices } = (await reportedLimits(me.api)).onlineSession
  expect(maxInvoices, 'the reported number').toBe(lowered.maxInvoices)
  const byToken = await login({ token: (await mintToken(me)).token })
  expect(await reportedLimits(byToken.api), 'reported to a login by service token').toEqual(
    await reportedLimits(me.api),
  )
  for (const which of ['first', 'second']) {
    const desk = await open({ me })
    for (let sent = 0; sent < maxInvoices; sent += 1)
      expect(
        await outcomeOfInvoice(desk, invoice().bytes),
        `in the ${which} session`,
      ).toHaveSucceeded('invoice')
    expect(await outcomeOfInvoice(desk, invoice().bytes)).toBeRejected('session-full')
  }
})

test(...rule('limits.context', 'invoices at once'), async ({ open, login, invoice, target }) => {
  const me = await login()
  await lower(me.api)
  const { maxInvoices } = (await reportedLimits(me.api)).onlineSession
  const { api, session } = await open({ me })
  const path = { referenceNumber: session.referenceNumber }
  const bodies = await Promise.all(
    Array.from({ length: 2 * maxInvoices }, () => submissionBody(api, session, invoice().bytes)),
  )
  // Where the target allows it, no invoice is processed before the last one has arrived.
  await target.management?.delay('invoice', delay)
  const answers = await Promise.all(
    bodies.map((body) => api.call('invoices.submit', { path, body })),
  )
  const taken = answers.filter(({ status }) => status < 300)
  expect(taken.length, `invoices that are accepted of ${bodies.length}`).toBe(maxInvoices)
  for (const answer of answers)
    if (!taken.includes(answer)) expect(answer).toBeRefused('session-full')
})

for (const [where, kind] of [
  ['in a unit', 'InternalId'],
  ['in an EU entity', 'NipVatUe'],
] as const)
  test(
    ...rule('limits.context', `number of invoices, ${where}`),
    async ({ open, login, invoice, rng, target }) => {
      const owner = await login()
      const me = await kin[kind]({ me: owner, login, rng, target })
      await lower(me.api)
      const { maxInvoices } = (await reportedLimits(me.api)).onlineSession
      expect(maxInvoices, 'the reported number').toBe(lowered.maxInvoices)
      const desk = await open({ me })
      const atOwner = await open({ me: owner })
      for (let sent = 0; sent < lowered.maxInvoices; sent += 1)
        expect(
          await outcomeOfInvoice(desk, invoice().bytes),
          `within its own limit, ${where}`,
        ).toHaveSucceeded('invoice')
      expect(await outcomeOfInvoice(desk, invoice().bytes)).toBeRejected('session-full')
      for (let sent = 0; sent <= lowered.maxInvoices; sent += 1)
        expect(
          await outcomeOfInvoice(atOwner, invoice().bytes),
          'of the taxpayer, who has no such limit',
        ).toHaveSucceeded('invoice')
    },
  )

test(...rule('limits.context', 'size of invoices'), async ({ open, login, invoice }) => {
  const me = await login()
  await lower(me.api)
  const { maxInvoiceSizeInMB } = (await reportedLimits(me.api)).onlineSession
  expect(maxInvoiceSizeInMB, 'the reported size').toBe(lowered.maxInvoiceSizeInMB)
  const bytes = maxInvoiceSizeInMB * megabyte
  const desk = await open({ me })
  expect(await outcomeOfInvoice(desk, invoice({ bytes }).bytes)).toHaveSucceeded('invoice')
  const above = invoice({ bytes: bytes + 1 })
  expect(await outcomeOfInvoice(desk, above.bytes)).toBeRejected('invoice-too-large')
  const packaged = await sendAlone(me.api, invoice({ bytes: megabyte + 1 }).bytes)
  expect(packaged, 'above the limit of packages').toBeRejected('invoice-too-large')
})

test(
  ...rule('limits.context', 'size of invoices, without a session'),
  async ({ login, invoice }) => {
    const { api } = await login()
    // Equal for both kinds of session: which of them it counts as is not specified.
    const body = { onlineSession: lowered, batchSession: lowered }
    expectOk(await api.call('testdata.setSessionLimits', { body }), 'set limits of the context')
    const bytes = lowered.maxInvoiceSizeInMB * megabyte
    const send = (size: number) => outcomeOfSending(api, invoice({ bytes: size }).bytes)
    expect(await send(bytes), 'at the limit').toHaveSucceeded('invoice')
    expect(await send(bytes + 1)).toBeRejected('invoice-too-large')
  },
)

for (const [what, name, refusal] of [
  ['number of invoices', 'maxInvoices', 'session-full'],
  ['size of invoices', 'maxInvoiceSizeInMB', 'invoice-too-large'],
] as const)
  test(...rule('limits.context', `${what}, zero`), async ({ open, login, invoice }) => {
    const me = await login()
    const { onlineSession, batchSession } = await reportedLimits(me.api)
    const body = { onlineSession: { ...onlineSession, [name]: 0 }, batchSession }
    expectOk(await me.api.call('testdata.setSessionLimits', { body }), 'set limits of the context')
    expect((await reportedLimits(me.api)).onlineSession[name], 'the reported limit').toBe(0)
    const desk = await open({ me })
    expect(await outcomeOfInvoice(desk, invoice().bytes)).toBeRejected(refusal)
  })

/** Sets one limit of interactive sessions, and expects it to be reported. */
const setOnline = async (api: Client, name: keyof SessionLimits, value: number): Promise<void> => {
  const { onlineSession, batchSession } = await reportedLimits(api)
  const body = { onlineSession: { ...onlineSession, [name]: value }, batchSession }
  expectOk(await api.call('testdata.setSessionLimits', { body }), 'set limits of the context')
  expect((await reportedLimits(api)).onlineSession[name], 'the reported limit').toBe(value)
}

test(
  ...rule('limits.context', 'number of invoices, in an open session'),
  async ({ open, invoice }) => {
    const desk = await open()
    for (const maxInvoices of [1, 2]) {
      await setOnline(desk.api, 'maxInvoices', maxInvoices)
      const within = await outcomeOfInvoice(desk, invoice().bytes)
      expect(within, `invoice ${maxInvoices} of ${maxInvoices}`).toHaveSucceeded('invoice')
      expect(await outcomeOfInvoice(desk, invoice().bytes)).toBeRejected('session-full')
    }
  },
)

test(
  ...rule('limits.context', 'size of invoices, in an open session'),
  async ({ open, invoice }) => {
    const desk = await open()
    const large = () => outcomeOfInvoice(desk, invoice({ bytes: megabyte + 1 }).bytes)
    await setOnline(desk.api, 'maxInvoiceSizeInMB', 2)
    expect(await large(), 'within the raised limit').toHaveSucceeded('invoice')
    await setOnline(desk.api, 'maxInvoiceSizeInMB', 1)
    expect(await large(), 'above the lowered limit').toBeRejected('invoice-too-large')
  },
)

test(
  ...rule('limits.context', 'number of invoices, for a colleague'),
  async ({ api, open, login, own, invoice, rng, target }) => {
    const me = await login()
    const person = personAt(own, rng, target)
    await grantInTest(api, own, person.subject, ['InvoiceRead', 'InvoiceWrite'])
    await lower(me.api)
    const colleague = await login({ context: person.context })
    const { maxInvoices } = (await reportedLimits(colleague.api)).onlineSession
    expect(maxInvoices, 'the number that another subject of the context reads').toBe(
      lowered.maxInvoices,
    )
    const desk = await open({ me: colleague })
    for (let sent = 0; sent < maxInvoices; sent += 1)
      expect(await outcomeOfInvoice(desk, invoice().bytes)).toHaveSucceeded('invoice')
    expect(await outcomeOfInvoice(desk, invoice().bytes)).toBeRejected('session-full')
  },
)

for (const [what, more] of [
  ['at the limit', 0],
  ['above the limit', 1],
] as const)
  for (const [form, packageOf] of [
    ['', (files: Files) => packBatch(files)],
    [', tar.gz', (files: Files) => packBatch(files, { compressionType: 'TarGz' })],
    // Archivers add an entry for each folder, which is no invoice.
    [', in folders', (files: Files) => packBatch(inFolders(files))],
  ] as const)
    test(...rule('limits.context', `package, ${what}${form}`), async ({ login, invoice }) => {
      const { api } = await login()
      await lower(api)
      const { maxInvoices } = (await reportedLimits(api)).batchSession
      const documents = Array.from({ length: maxInvoices + more }, () => invoice())
      const { settled, referenceNumber } = await sendBatch(api, await packageOf(filesOf(documents)))
      if (more > 0) return expect(settled).toBeRejected('session-full')
      expect(settled).toHaveSucceeded('batchSession')
      const listed = await listInvoices(api, referenceNumber)
      expect(listed.length, 'invoices of the session').toBe(maxInvoices)
    })

test(...rule('limits.context', 'own context only'), async ({ login, another, target }) => {
  const { api } = await login()
  await lower(api)
  const other = await login({ context: await another() })
  const { onlineSession } = await reportedLimits(other.api)
  expect(onlineSession.maxInvoices, 'the number of another context').toBe(
    target.dialect.limits['session.invoices'] ?? limits['session.invoices'].value,
  )
})

test(
  ...rule('limits.context', 'size of invoices, with an attachment'),
  async ({ login, invoice }) => {
    const { api, context } = await login()
    await allowAttachments(api, context.nip)
    const batchSession = { ...lowered, maxInvoiceSizeInMB: 1, maxInvoiceWithAttachmentSizeInMB: 2 }
    // The limit for interactive sessions is lower or higher than that for packages, and must not apply.
    for (const maxInvoiceWithAttachmentSizeInMB of [1, 3]) {
      const onlineSession = { ...batchSession, maxInvoiceWithAttachmentSizeInMB }
      const body = { onlineSession, batchSession }
      expectOk(await api.call('testdata.setSessionLimits', { body }), 'set limits of the context')
      const of = (bytes: number) => sendAlone(api, invoice({ attachment: true, bytes }).bytes)
      expect(await of(2 * megabyte), 'at the limit').toHaveSucceeded('invoice')
      expect(await of(2 * megabyte + 1)).toBeRejected('invoice-too-large')
    }
  },
)
