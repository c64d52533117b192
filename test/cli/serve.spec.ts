import { X509Certificate, createPrivateKey } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { svc } from '../../contract/dialects/svc.ts'
import { createClient } from '../../lib/client.ts'
import type { Client } from '../../lib/client.ts'
import { loginWithDocument, loginWithToken } from '../../lib/flows/login.ts'
import { nodeCodec } from '../../lib/node/codec.ts'
import { createSend } from '../../lib/node/fetch.ts'
import type { Credentials } from '../../lib/node/pki.ts'
import { makeCertificate, sealSubject } from '../../lib/node/pki.ts'
import { documentSigner } from '../../lib/node/signer.ts'
import { readSeedFile } from '../../reference/service/seed-file.ts'
import type { Server, ServerOptions } from '../../reference/server/server.ts'
import { startServer } from '../../reference/server/server.ts'
import { serve } from '../served.ts'
import { projectRoot } from '../sources.ts'

/** How the reference service is served: TLS, addresses, seed files, environments. */

const startAt = Date.parse('2026-06-15T08:00:00Z')

const withServer = async (
  options: ServerOptions,
  use: (server: Server, client: Client) => Promise<void>,
): Promise<void> => {
  const server = await startServer({ limits: 'off', startAt, ...options })
  const sender = createSend()
  try {
    const client = createClient({
      send: sender.send,
      baseUrl: server.url,
      dialect: svc,
      codec: nodeCodec,
      polling: { everyMs: 20, times: 200 },
      now: () => server.reference.clock.now(),
    })
    await use(server, client)
  } finally {
    sender.close()
    await server.close()
  }
}

const profileCredentials = ({ profile }: Server): Credentials => ({
  certificate: new X509Certificate(readFileSync(profile.contexts[0]!.certificate)).raw,
  privateKey: createPrivateKey(readFileSync(profile.contexts[0]!.key)),
})

test('TLS: serves only clients that trust the printed certificate', async () => {
  await withServer({ tls: true }, async (server) => {
    expect(server.url).toMatch(/^https:/)
    const ask = async (ca: Buffer | undefined): Promise<number | undefined> => {
      const request = https.request(`${server.url}/auth/challenge`, {
        method: 'POST',
        agent: false,
        ...(ca === undefined ? {} : { ca }),
      })
      request.end()
      const [answer] = (await once(request, 'response')) as [
        { statusCode?: number; resume(): void },
      ]
      answer.resume()
      return answer.statusCode
    }
    expect(await ask(readFileSync(server.trust!))).toBe(200)
    await expect(ask(undefined)).rejects.toThrow(/self-signed certificate/)
  })
})

test('a base path replaces the prefix, and links name the public address', async () => {
  const options = { basePath: '/clearing/v2', publicUrl: 'https://invoices.example' }
  await withServer(options, async (server, client) => {
    expect(server.profile.url).toBe('https://invoices.example/clearing/v2')
    const { port } = new URL(server.profile.management)
    expect(port).not.toBe('')
    const here = await fetch(`${server.origin}/clearing/v2/auth/challenge`, { method: 'POST' })
    expect(here.status, `${server.origin} is where it listens`).toBe(200)
    const description = await server.reference.fetch(
      new Request('http://service/clearing/v2/openapi.json'),
      { address: '127.0.0.1' },
    )
    const { servers } = (await description.json()) as { servers: { url: string }[] }
    expect(servers[0]!.url).toBe('https://invoices.example/clearing/v2')
    const gone = await server.reference.fetch(
      new Request('http://service/api/v2/auth/challenge', { method: 'POST' }),
      { address: '127.0.0.1' },
    )
    expect(gone.status).toBe(404)
    expect(client.baseUrl).toBe(server.url)
  })
})

test.describe('seed files', () => {
  const root = projectRoot()
  const guide = path.join(root ?? '.', 'docs/guides/connect-a-client.md')
  const example = (): string =>
    /```json\n([\s\S]*?)```/.exec(readFileSync(guide, 'utf8'))?.[1] ?? 'none'

  test('the file of the guide creates a context, a permission and a token that log in', async () => {
    const seedFile = readSeedFile(example())
    await withServer({ seedFile }, async (server, client) => {
      const context = { type: 'Nip', value: '5265877635' } as const
      expect(server.profile.contexts.map(({ value }) => value)).toEqual([context.value])
      for (const token of [server.profile.contexts[0]!.token, 'for-this-ci-only-0123456789'])
        await loginWithToken(client, { context, token })
      // A reset goes back to what the file says.
      await fetch(`${server.managementUrl}/reset`, { method: 'POST' })
      await loginWithToken(client, { context, token: 'for-this-ci-only-0123456789' })
      const owner = await loginWithDocument(
        client,
        documentSigner({ context, credentials: profileCredentials(server) }),
      )
      expect(owner.accessToken).not.toBe('')
    })
  })

  const wrong: Readonly<Record<string, readonly [file: string, says: RegExp]>> = {
    'no JSON': ['{', /not JSON/],
    'an unknown part': ['{"token":[]}', /'token' is not known; known are contexts/],
    'an unknown field': [
      '{"contexts":[{"nip":"5265877635"}]}',
      /'contexts\[0\]\.nip' is not known/,
    ],
    'a permission that does not exist': [
      '{"tokens":[{"context":{"type":"Nip","value":"5265877635"},"permissions":["Read"]}]}',
      /'tokens\[0\]\.permissions\[0\]' must be one of InvoiceWrite/,
    ],
    'a token for nobody': ['{"tokens":[{"permissions":["InvoiceRead"]}]}', /context' is required/],
    'an identifier of another kind': [
      '{"permissions":[{"context":{"type":"InternalId","value":"5265877635"},"subject":{"type":"Nip","value":"5265877635"},"permissions":["InvoiceRead"]}]}',
      /'permissions\[0\]\.context\.value' is no InternalId/,
    ],
  }
  for (const [what, [file, says]] of Object.entries(wrong)) {
    test(`${what} is reported with its place`, () => {
      expect(() => readSeedFile(file)).toThrow(says)
    })
  }

  test('the command line reports it without a stack trace', async () => {
    const file = test.info().outputPath('seed.json')
    writeFileSync(file, '{"contexts":[{"value":"1"}]}')
    await expect(serve('--seed-file', file)).rejects.toThrow(
      /^serve ended: assay: --seed-file: .*contexts\[0\]\.value[^\n]*\n$/,
    )
  })
})

for (const environment of ['test', 'demo', 'production'] as const) {
  test(`environment ${environment}: the printed certificate logs in, a self-signed one only in test`, async () => {
    await withServer({ environment }, async (server, client) => {
      const value = server.profile.contexts[0]!.value
      const context = { type: 'Nip', value } as const
      const login = (credentials: Credentials) =>
        loginWithDocument(client, documentSigner({ context, credentials }))
      expect((await login(profileCredentials(server))).accessToken).not.toBe('')
      const selfMade = login(
        makeCertificate({ subject: sealSubject(value), now: server.reference.clock.now() }),
      )
      if (environment === 'test') expect((await selfMade).accessToken).not.toBe('')
      else await expect(selfMade).rejects.toThrow(/not trusted here/)
      const testdata = await fetch(`${server.url}/testdata/subject`, { method: 'POST' })
      expect(testdata.status === 404).toBe(environment !== 'test')
      expect(server.profile.capabilities.includes('testdata')).toBe(environment === 'test')
    })
  })
}
