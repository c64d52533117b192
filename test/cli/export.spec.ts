import { spawnSync } from 'node:child_process'
import { X509Certificate, createPrivateKey } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test as base, expect } from '@playwright/test'
import { exportFiles } from '../../cli/serve/export.ts'
import { invoiceSchemas } from '../../contract/environments.ts'
import { ksef } from '../../contract/dialects/ksef.ts'
import { createClient } from '../../lib/client.ts'
import { loginWithDocument, loginWithToken } from '../../lib/flows/login.ts'
import { openOnline, settleInvoice, submit } from '../../lib/flows/session.ts'
import { toCredentials } from '../../lib/node/credentials.ts'
import { nodeCodec } from '../../lib/node/codec.ts'
import { createSend } from '../../lib/node/fetch.ts'
import { pkcs12 } from '../../lib/node/pkcs12.ts'
import { makeCertificate, sealSubject } from '../../lib/node/pki.ts'
import { documentSigner } from '../../lib/node/signer.ts'
import { readTarget } from '../../lib/node/target.ts'
import { startServer } from '../../reference/server/server.ts'

/** A client can use what `assay serve --export` writes at once. */

const test = base.extend<{ folder: string }>({
  folder: async ({}, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'assay-'))
    await use(folder)
    rmSync(folder, { recursive: true, force: true })
  },
})

test('the exported files log in, by certificate and by token, and both invoices are accepted', async ({
  folder,
}) => {
  const server = await startServer({ dialect: 'ksef', tls: true, limits: 'off', host: 'localhost' })
  const { ca = '' } = exportFiles(server, folder)
  const sender = createSend({ ca: readFileSync(ca, 'utf8') })
  try {
    expect(server.url).toMatch(/^https:\/\/localhost:/)
    const profile = readTarget(path.join(folder, 'target.json'), { env: {}, cwd: folder })
    expect(profile).toMatchObject({ url: server.url, ca: readFileSync(ca, 'utf8') })
    const [own] = profile.contexts ?? []
    const { credentials: pair, token = '', value } = own!
    const context = { type: 'Nip', value } as const
    const open = createClient({
      send: sender.send,
      baseUrl: profile.url,
      dialect: ksef,
      codec: nodeCodec,
      polling: { everyMs: 20, times: 200 },
    })
    const credentials = toCredentials(pair!)
    expect(
      (await loginWithDocument(open, documentSigner({ credentials, context }))).accessToken,
    ).toMatch(/\S/)
    const { accessToken } = await loginWithToken(open, { token, context })
    const client = open.with({ bearer: accessToken })
    const session = await openOnline(client, { formCode: invoiceSchemas.fa3.formCode })
    for (const name of ['invoice-1.xml', 'invoice-2.xml']) {
      const submitted = await submit(client, session, readFileSync(path.join(folder, name)))
      expect(await settleInvoice(client, session, submitted.referenceNumber), name).toMatchObject({
        status: { code: 200 },
      })
    }
  } finally {
    sender.close()
    await server.close()
  }
})

test('certificates are there as PEM and DER, those of the service by their usage; .env names all', async ({
  folder,
}) => {
  const server = await startServer({ dialect: 'ksef', limits: 'off' })
  try {
    exportFiles(server, folder)
    const files = readdirSync(folder)
    for (const usage of ['KsefTokenEncryption', 'SymmetricKeyEncryption']) {
      const der = readFileSync(path.join(folder, `service-${usage}.crt.der`))
      const pem = readFileSync(path.join(folder, `service-${usage}.crt.pem`))
      expect(new X509Certificate(pem).raw.equals(der)).toBe(true)
    }
    expect(files).not.toContain('ca.crt.pem')
    const environment = readFileSync(path.join(folder, '.env'), 'utf8')
    const said = spawnSync('sh', ['-c', `. "${folder}/.env"; printf %s "$ASSAY_TOKEN"`], {
      encoding: 'utf8',
    })
    expect(said.stdout).toBe(server.profile.contexts[0]?.token)
    for (const [, file = ''] of environment.matchAll(/='(\/[^']*)'/g))
      expect(files).toContain(path.basename(file))
  } finally {
    await server.close()
  }
})

for (const keys of ['rsa', 'p256'] as const) {
  test(`openssl reads PKCS#12 with a key of kind ${keys}, and no other password opens it`, () => {
    test.skip(spawnSync('openssl', ['version']).error !== undefined, 'openssl is not installed')
    const now = Date.now()
    const made = makeCertificate({ subject: sealSubject('5265877635'), now, keys })
    const input = pkcs12(made.privateKey, made.certificate, { password: 'żółw', name: 'test' })
    const read = (password: string) =>
      spawnSync('openssl', ['pkcs12', '-nodes', '-passin', `pass:${password}`], { input })
    const text = read('żółw').stdout.toString()
    expect(new X509Certificate(text).raw.equals(made.certificate)).toBe(true)
    const key = createPrivateKey(text)
    expect(new X509Certificate(text).checkPrivateKey(key)).toBe(true)
    expect(read('other').status).not.toBe(0)
  })
}
