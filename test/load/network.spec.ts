import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { expect, test as base } from '@playwright/test'
import { networkOf } from '../../cli/load/network.ts'
import type { LoadResult } from '../../cli/load/result.ts'
import { findK6 } from '../../load/engine.ts'
import type { CallLine } from '../../load/trace/line.ts'
import { startServer } from '../../reference/server/server.ts'
import type { ServerOptions, Server } from '../../reference/server/server.ts'
import { runInProcess } from '../cli/in-process.ts'
import type { Said } from '../cli/in-process.ts'
import { startProxy } from './lossy-proxy.ts'
import type { Call, Spoiler } from './lossy-proxy.ts'

/** What a target profile says about the way to the service holds for k6 too. */

interface Fixtures {
  /** Writes a profile and runs the command at it; files are in the folder. */
  readonly assay: (profile: object, ...args: readonly string[]) => Promise<Said>
  readonly folder: string
  readonly requireK6: () => Promise<void>
}

const test = base.extend<Fixtures>({
  folder: async ({}, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'assay-network-'))
    await use(folder)
    rmSync(folder, { recursive: true, force: true })
  },
  assay: async ({ folder }, use) => {
    await use((profile, ...args) => {
      writeFileSync(path.join(folder, 'target.json'), JSON.stringify(profile))
      const line = [...args, '--target', 'target.json', '--seed', '7', '--json']
      return runInProcess(line, { env: process.env, cwd: folder })
    })
  },
  requireK6: async ({}, use) => {
    await use(async () => {
      const k6 = await findK6({ build: false })
      test.skip('missing' in k6, 'k6 is not installed')
    })
  },
})

test.describe.configure({ timeout: 120_000 })

const withServer = async (
  options: Partial<ServerOptions>,
  spoiler: Spoiler,
  work: (server: Server, url: string, proxy: string) => Promise<void>,
): Promise<void> => {
  const server = await startServer({
    port: 0,
    managementPort: 0,
    seed: 3,
    limits: 'off',
    ...options,
  })
  const proxy = await startProxy(server.origin, spoiler)
  try {
    await work(server, server.url.replace(server.origin, proxy.origin), proxy.origin)
  } finally {
    await proxy.close()
    await server.close()
  }
}

const load = (...more: readonly string[]): readonly string[] => [
  'load',
  ...more,
  '--count',
  '10',
  '--rate',
  '10',
  '--limits',
  'off',
  '--out',
  'out',
]

/** A gateway that lets only calls with its key through. */
const gateway: Spoiler = {
  instead: ({ headers }: Call) =>
    headers['x-gateway-key'] === 'open sesame' ? undefined : { status: 401, body: '{}' },
}
const headers = { 'X-Gateway-Key': { env: 'GATEWAY_KEY' } }

test.beforeAll(() => {
  process.env['GATEWAY_KEY'] = 'open sesame'
})
test.afterAll(() => {
  delete process.env['GATEWAY_KEY']
})

const passes = ({ exit, out, err }: Said): void => {
  expect(exit, `${out}${err}`).toBe(0)
  expect(JSON.parse(out) as LoadResult).toMatchObject({ verdict: 'pass', reasons: [] })
}

for (const scenario of ['session-throughput', 'batch-upload', 'poll-status'])
  test(`${scenario} passes a gateway that requires a header`, async ({ assay, requireK6 }) => {
    await requireK6()
    await withServer({}, gateway, async ({ profile: { contexts } }, url) => {
      passes(await assay({ url, contexts, headers }, ...load(scenario)))
    })
  })

test('limit-edge passes a gateway that requires a header', async ({ assay, requireK6 }) => {
  await requireK6()
  // Behind the gateway all calls come from one address.
  await withServer({ limits: 'production' }, gateway, async ({ profile }, url) => {
    const edge = ['load', 'limit-edge', '--rules', 'queryMetadata']
    const { exit, out, err } = await assay({ ...profile, url, headers, addresses: [] }, ...edge)
    expect(exit, `${out}${err}`).toBe(0)
  })
})

test('a load trusts the certificate authority of the profile', async ({ assay, requireK6 }) => {
  await requireK6()
  await withServer({ tls: true }, {}, async ({ url, profile: { contexts, ca } }) => {
    passes(await assay({ url, contexts, ca }, ...load('session-throughput')))
  })
})

test('a load goes through the proxy of the profile', async ({ assay, folder, requireK6 }) => {
  await requireK6()
  const url = 'http://service.example/api/v2'
  const consent = {
    address: url,
    contexts: ['*'],
    operations: ['*', 'load'],
    until: '2999-12-31',
    by: 'Operations',
  }
  writeFileSync(path.join(folder, 'consent.json'), JSON.stringify(consent))
  await withServer({}, {}, async ({ profile: { contexts } }, _, proxy) => {
    const context = { kind: 'Nip', value: contexts[0]?.value, seal: 'self-signed' }
    const own = { environment: 'test', contexts: [context], consent: 'consent.json' }
    passes(await assay({ url, proxy, ...own }, ...load('session-throughput')))
  })
})

test('a call of a load takes at most the timeout of the profile', async ({
  assay,
  folder,
  requireK6,
}) => {
  await requireK6()
  let held = 0
  const holds = ({ method, path: at }: Call): boolean =>
    method === 'POST' && /\/online\/[^/]+\/invoices$/.test(at) && (held += 1) === 1
  await withServer({}, { holds }, async ({ profile: { contexts } }, url) => {
    await assay({ url, contexts, timeoutMs: 2000 }, ...load('session-throughput'))
  })
  const unanswered = readFileSync(path.join(folder, 'out/trace.ndjson'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as CallLine)
    .filter(({ t, status }) => t === 'call' && status === 0)
  expect(unanswered).toHaveLength(1)
  const [{ begun, ended }] = unanswered as [CallLine]
  expect(ended - begun).toBeGreaterThanOrEqual(1900)
  expect(ended - begun).toBeLessThan(20_000)
})

test('a load for a cluster keeps its headers secret, and its share of the limits', async ({
  assay,
  folder,
}) => {
  await withServer({ tls: true, limits: 'production' }, {}, async ({ url, profile }) => {
    const { contexts, ca } = profile
    const given = { url, environment: 'test', contexts, ca, headers, timeoutMs: 9000 }
    const emit = ['load', '--count', '24', '--emit', 'k8s', '--out', 'out']
    const whole = await assay(given, ...emit)
    const half = await assay({ ...given, pacingShare: 0.5 }, ...emit)
    // 30 a minute are allowed: with half of it the last of 24 invoices have to wait for the next minute.
    expect(whole.err).toContain('to send them takes 5 s')
    expect(half.err).toContain('to send them takes 1 min')
    const more = ['load', '--count', '100', '--emit', 'k8s', '--out', 'long']
    const long = await assay({ ...given, pacingShare: 0.5 }, ...more)
    expect(long.err).toContain('--count 15 takes a minute')
    expect(half.err).not.toContain('takes a minute')
  })
  const read = (file: string): string => readFileSync(path.join(folder, 'out', file), 'utf8')
  expect(JSON.parse(read('secrets.json'))).toMatchObject({
    headers: { 'x-gateway-key': 'open sesame' },
  })
  expect(statSync(path.join(folder, 'out/secrets.json')).mode & 0o777).toBe(0o600)
  for (const file of readdirSync(path.join(folder, 'out/files'), { recursive: true }))
    if (String(file).endsWith('.json'))
      expect(read(`files/${String(file)}`)).not.toContain('sesame')
  expect(JSON.parse(read('files/corpus/assignment.json'))).toMatchObject({ timeoutMs: 9000 })
  expect(read('files/corpus/authorities.pem')).toContain('BEGIN CERTIFICATE')
  expect(read('testrun.json')).toContain('"value": "/test/corpus/authorities.pem"')
})

test('k6 trusts the usual authorities besides, and its proxy spares the management port', async ({
  folder,
}) => {
  const bundle = path.join(folder, 'bundle.pem')
  writeFileSync(bundle, 'of the environment')
  const network = await networkOf(
    {
      url: 'https://service.example/api/v2',
      ca: 'of the profile',
      proxy: 'http://proxy.example:3128',
      management: 'http://control.example:9090',
    },
    folder,
    { SSL_CERT_FILE: bundle },
  )
  const { SSL_CERT_FILE: file = '', ...proxied } = network
  expect(proxied).toEqual({
    HTTPS_PROXY: 'http://proxy.example:3128',
    HTTP_PROXY: 'http://proxy.example:3128',
    NO_PROXY: 'control.example:9090',
    no_proxy: '',
  })
  const trusted = readFileSync(file, 'utf8')
  expect(trusted.match(/BEGIN CERTIFICATE/g)?.length).toBeGreaterThan(50)
  expect(trusted).toContain('of the environment')
  expect(trusted).toContain('of the profile')
  expect(await networkOf({ url: 'http://127.0.0.1' }, folder, {})).toEqual({})
})
