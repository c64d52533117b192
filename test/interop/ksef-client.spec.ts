import { ksef } from '../../contract/dialects/ksef.ts'
import { withoutAdditions } from '../../contract/dialects.ts'
import { createHash, randomInt } from 'node:crypto'
import { test as base, expect } from '@playwright/test'
import {
  CertificateService,
  KSeFBadRequestError,
  KSeFClient,
  KSeFForbiddenError,
  KSeFUnauthorizedError,
  createZip,
  exportAndDownload,
  openOnlineSession,
  parseUpoXml,
  pollUntil,
  uploadBatchParsed,
} from 'ksef-client-ts'
import { makeInvoice } from '../../generators/invoice/invoice.ts'
import { rngFor } from '../../lib/random.ts'
import { startServer } from '../../reference/server/server.ts'
import type { SeededContext } from '../../reference/service/seed.ts'
import { published, publishedFile, publishedJudge } from './published.ts'
import { openTap } from './tap.ts'
import type { Tap } from './tap.ts'

/**
 * A third-party client of the public interface, unmodified, against the reference in the dialect `ksef`. If the
 * published description is available, it judges all exchanges between the two.
 */

interface Stage {
  readonly tap: Tap
  readonly contexts: readonly SeededContext[]
}
interface Made {
  readonly bytes: Uint8Array
  readonly number: string
}
interface Tools {
  readonly owner: SeededContext
  /** Logged in by token. */
  readonly client: KSeFClient
  readonly invoice: () => Made
}

const today = (): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Warsaw' }).format(Date.now())
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64')
const patience = { intervalMs: 50, maxAttempts: 200 }
const seed = randomInt(2 ** 31)
console.log(`seed ${seed}`)

const newClient = ({ tap }: Stage): KSeFClient =>
  new KSeFClient({ baseUrl: tap.origin, rateLimit: null })

const test = base.extend<Tools, { stage: Stage }>({
  stage: [
    async ({}, use) => {
      const tap = await openTap()
      const server = await startServer({ dialect: withoutAdditions(ksef), limits: 'off', seed })
      tap.connect(new URL(server.url).origin)
      server.reference.control.publish(tap.origin)
      await use({ tap, contexts: server.profile.contexts })
      await tap.close()
      await server.close()
    },
    { scope: 'worker' },
  ],
  owner: async ({ stage }, use) => {
    const [first] = stage.contexts
    if (first === undefined) throw new Error('the service made no context')
    await use(first)
  },
  client: async ({ stage, owner }, use) => {
    const client = newClient(stage)
    await client.loginWithToken(owner.token, owner.value)
    await client.crypto.init()
    await use(client)
  },
  invoice: async ({ owner }, use, { title }) => {
    const rng = rngFor({ seed, rule: 'interop', variant: title, namespace: '' })
    let count = 0
    await use(() => {
      const number = `${title.slice(0, 40)}/${seed}/${++count}`
      const options = { seller: owner.value, number, issueDate: today() }
      return { bytes: makeInvoice({ ...options, profile: 'services' }, rng.int32()), number }
    })
  },
})

/** Sends an invoice in a session of its own, awaits its acceptance and closes the session. */
const sendOne = async (client: KSeFClient, { bytes }: Made) => {
  const session = await openOnlineSession(client)
  const reference = await session.sendInvoice(bytes)
  const status = await pollUntil(
    () => client.sessionStatus.getSessionInvoice(session.sessionRef, reference),
    ({ status: { code } }) => code >= 200,
    patience,
  )
  expect(status.status, 'the invoice').toMatchObject({ code: 200 })
  await session.close()
  return { session, reference, ksefNumber: status.ksefNumber ?? '', status }
}

test('logs in by token, refreshes, lists and ends its login', async ({ client }) => {
  const refreshToken = client.authManager.getRefreshToken() ?? ''
  const { accessToken } = await client.auth.refreshAccessToken(refreshToken)
  client.authManager.setAccessToken(accessToken.token)
  const { items } = await client.activeSessions.getActiveSessions()
  expect(items.filter(({ isCurrent }) => isCurrent)).toHaveLength(1)
  await client.activeSessions.revokeCurrentSession()
  client.authManager.setRefreshToken(undefined)
  await expect(client.auth.refreshAccessToken(refreshToken)).rejects.toThrow(/./)
})

for (const [what, method] of [
  ['an RSA', 'RSA'],
  ['an elliptic', 'ECDSA'],
] as const) {
  test(`logs in by a document that it signs with ${what} key`, async ({ stage, owner }) => {
    const { certificatePem, privateKeyPem } = await CertificateService.generateCompanySeal(
      'Interop',
      `VATPL-${owner.value}`,
      'Interop seal',
      method,
    )
    const client = newClient(stage)
    await client.loginWithCertificate(certificatePem, privateKeyPem, owner.value)
    expect(client.authManager.getAccessToken()).toMatch(/^ey/)
    expect((await client.limits.getContextLimits()).onlineSession.maxInvoices).toBe(10_000)
  })
}

test('sends an invoice, reads its status, its receipts and the invoice', async ({
  client,
  invoice,
}) => {
  const made = invoice()
  const { session, reference, ksefNumber, status } = await sendOne(client, made)
  expect(status).toMatchObject({ invoiceNumber: made.number, invoiceHash: sha256(made.bytes) })

  const { parsed, successfulInvoiceCount } = await session.waitForUpoParsed(patience)
  expect(successfulInvoiceCount).toBe(1)
  expect(parsed).toHaveLength(1)
  expect(parsed[0]).toMatchObject({ numerReferencyjnySesji: session.sessionRef })
  expect(parsed[0]?.dokumenty).toMatchObject([
    {
      numerKSeFDokumentu: ksefNumber,
      numerFaktury: made.number,
      skrotDokumentu: sha256(made.bytes),
    },
  ])

  const { sessionStatus } = client
  const byNumber = await sessionStatus.getInvoiceUpoByKsefNumber(session.sessionRef, ksefNumber)
  const byReference = await sessionStatus.getInvoiceUpoByReference(session.sessionRef, reference)
  expect(byReference).toEqual(byNumber)
  expect(byNumber.hash).toBe(sha256(Buffer.from(byNumber.upo)))
  expect(parseUpoXml(byNumber.upo).dokumenty).toHaveLength(1)
  const again = await sessionStatus.getSessionInvoice(session.sessionRef, reference)
  const linked = await fetch(again.upoDownloadUrl ?? '')
  expect(await linked.text(), 'the receipt behind the signed link').toBe(byNumber.upo)

  const { xml, hash } = await client.invoices.getInvoice(ksefNumber)
  expect(Buffer.from(xml).equals(made.bytes), 'the invoice byte for byte').toBe(true)
  expect(hash).toBe(sha256(made.bytes))

  const { sessions } = await sessionStatus.getSessions('Online')
  expect(sessions.map(({ referenceNumber }) => referenceNumber)).toContain(session.sessionRef)
  const listed = await sessionStatus.getSessionInvoices(session.sessionRef)
  expect(listed.invoices.map((one) => one.ksefNumber)).toEqual([ksefNumber])
})

test('finds and exports what it sent', async ({ client, invoice }) => {
  const made = [invoice(), invoice()]
  const numbers: string[] = []
  for (const one of made) numbers.push((await sendOne(client, one)).ksefNumber)
  const filters = {
    subjectType: 'Subject1',
    dateRange: {
      dateType: 'PermanentStorage',
      from: new Date(Date.now() - 3_600_000).toISOString(),
      to: new Date(Date.now() + 60_000).toISOString(),
    },
  } as const
  const query = () => client.invoices.queryInvoiceMetadata(filters, 0, 100)
  const found = await pollUntil(
    query,
    ({ invoices }) => numbers.every((one) => invoices.some(({ ksefNumber }) => ksefNumber === one)),
    patience,
  )
  for (const [at, ksefNumber] of numbers.entries())
    expect(found.invoices.find((one) => one.ksefNumber === ksefNumber)).toMatchObject({
      invoiceNumber: made[at]?.number,
      invoiceHash: sha256(made[at]?.bytes ?? new Uint8Array()),
    })

  for (const compressionType of ['Zip', 'TarGz'] as const) {
    const { files } = await exportAndDownload(client, filters, {
      extract: true,
      compressionType,
      pollOptions: patience,
    })
    for (const [at, ksefNumber] of numbers.entries()) {
      const file = files.get(`${ksefNumber}.xml`)
      expect(file?.equals(made[at]?.bytes ?? new Uint8Array()), `${ksefNumber} byte for byte`).toBe(
        true,
      )
    }
    const described = JSON.parse(files.get('_metadata.json')?.toString('utf8') ?? '{}') as unknown
    expect(described, 'the records in the package, as the query has them').toEqual({
      invoices: found.invoices,
    })
  }
})

test('uploads a batch in parts and reads its receipt', async ({ client, invoice }) => {
  const made = [invoice(), invoice(), invoice()]
  const entries = made.map(({ bytes }, at) => ({
    fileName: `invoice-${at}.xml`,
    content: Buffer.from(bytes),
  }))
  const zip = await createZip(entries)
  const { upo } = await uploadBatchParsed(client, zip, {
    maxPartSize: Math.ceil(zip.length / 3),
    pollOptions: patience,
  })
  expect(upo).toMatchObject({ successfulInvoiceCount: 3, failedInvoiceCount: 0 })
  const documents = upo.parsed.flatMap(({ dokumenty }) => dokumenty)
  expect(documents.map(({ numerFaktury }) => numerFaktury).toSorted()).toEqual(
    made.map(({ number }) => number).toSorted(),
  )
})

test('creates, lists and revokes a token', async ({ client, stage, owner }) => {
  const { referenceNumber, token } = await client.tokens.generateToken({
    permissions: ['InvoiceRead'],
    description: 'interop token',
  })
  const state = () => client.tokens.getToken(referenceNumber)
  await pollUntil(state, ({ status }) => status === 'Active', patience)
  const reader = newClient(stage)
  await reader.loginWithToken(token, owner.value)
  await expect(openOnlineSession(reader)).rejects.toThrow(KSeFForbiddenError)
  await client.tokens.revokeToken(referenceNumber)
  await pollUntil(state, ({ status }) => status === 'Revoked', patience)
})

test('understands refusals', async ({ client, stage, invoice }) => {
  const unknown = '20260615-SO-0000000000-0000000000-00'
  await expect(client.sessionStatus.getSessionStatus(unknown)).rejects.toMatchObject({
    name: 'KSeFBadRequestError',
    errors: [{ code: 21173 }],
  })
  await expect(client.invoices.getInvoice('not a number')).rejects.toThrow(KSeFBadRequestError)
  const nobody = newClient(stage)
  nobody.authManager.setAccessToken('rubbish')
  await expect(nobody.limits.getContextLimits()).rejects.toThrow(KSeFUnauthorizedError)

  const made = invoice()
  const first = await sendOne(client, made)
  const session = await openOnlineSession(client)
  const reference = await session.sendInvoice(made.bytes)
  const { status } = await pollUntil(
    () => client.sessionStatus.getSessionInvoice(session.sessionRef, reference),
    ({ status: { code } }) => code >= 200,
    patience,
  )
  expect(status).toMatchObject({
    code: 440,
    extensions: {
      originalKsefNumber: first.ksefNumber,
      originalSessionReferenceNumber: first.session.sessionRef,
    },
  })
  await session.close()
  const failed = await client.sessionStatus.getSessionFailedInvoices(session.sessionRef)
  expect(failed.invoices).toHaveLength(1)
})

const handedOut = new Set(['downloads', 'receipts', 'uploads'])

test.afterAll('all exchanges conform to the published description', ({ stage }) => {
  const { passed } = stage.tap
  expect(passed.length, 'exchanges that passed').toBeGreaterThan(0)
  if (!published) {
    console.log(`not judged by the published description: ${publishedFile} is not there`)
    return
  }
  const judge = publishedJudge()
  const described = passed.filter((one) => judge.describes(one))
  const apart = passed.filter((one) => !judge.describes(one))
  console.log(`${described.length} exchanges judged, ${apart.length} to addresses handed out`)
  expect(described.flatMap((one) => judge.violations(one))).toEqual([])
  expect(
    apart.map(({ url }) => url).filter((url) => !handedOut.has(url.split('/')[2] ?? '')),
    'paths that are neither published nor handed out',
  ).toEqual([])
})
