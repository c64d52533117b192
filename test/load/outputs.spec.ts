import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { main } from '../../cli/main.ts'
import { findK6 } from '../../load/engine.ts'
import { projectRoot } from '../sources.ts'

/** What a load sends to Prometheus and OpenTelemetry, and what the dashboard asks for. */

const root = projectRoot() ?? ''
test.skip(root === '', 'the published package carries no sources')

interface Panel {
  readonly title: string
  readonly targets: readonly { readonly expr: string }[]
}

const dashboard = () =>
  JSON.parse(readFileSync(path.join(root, 'examples/grafana/assay-load.json'), 'utf8')) as {
    readonly panels: readonly Panel[]
    readonly templating: {
      readonly list: readonly { readonly name: string; readonly definition?: string }[]
    }
  }

test('every metric of the dashboard is one that a load has', () => {
  const source = readFileSync(path.join(root, 'load/report.ts'), 'utf8')
  const own = new Map(
    [...source.matchAll(/new (Counter|Trend)\('(\w+)'/g)].map(([, kind = '', name = '']) => [
      name,
      kind,
    ]),
  )
  expect(own.size).toBeGreaterThan(5)
  const builtIn = ['k6_vus', 'k6_data_sent_total', 'k6_data_received_total']
  const known = [...own].flatMap(([name, kind]) =>
    kind === 'Counter'
      ? [`k6_${name}_total`]
      : ['p50', 'p95', 'p99'].map((stat) => `k6_${name}_${stat}`),
  )
  const { panels, templating } = dashboard()
  const asked = [
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...templating.list.flatMap(({ definition }) => definition ?? []),
  ].flatMap((expr) => expr.match(/k6_\w+/g) ?? [])
  expect(asked.filter((name) => ![...known, ...builtIn].includes(name))).toEqual([])
  // And every metric of a load is on it.
  expect(known.filter((name) => !asked.includes(name))).toEqual([])
})

let folder = ''
test.beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'assay-outputs-'))
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

const load = async (env: Readonly<Record<string, string>>, ...args: string[]): Promise<void> => {
  let err = ''
  const exit = await main(['load', '--out', path.join(folder, 'run'), ...args], {
    out: () => undefined,
    err: (text) => void (err += text),
    env: { ...process.env, ...env },
    cwd: folder,
    interactive: false,
    signal: new AbortController().signal,
  })
  expect(exit, err).toBe(0)
}

test('metrics go to Prometheus remote write and OpenTelemetry receivers', async () => {
  test.setTimeout(90_000)
  const k6 = await findK6({ build: false })
  test.skip('missing' in k6, 'k6 is not installed')
  const received = new Map<string, string>()
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => void chunks.push(chunk))
    incoming.on('end', () => {
      const at = incoming.url ?? ''
      received.set(at, (received.get(at) ?? '') + Buffer.concat(chunks).toString('latin1'))
      outgoing.writeHead(at === '/write' ? 204 : 200, { 'content-type': 'application/x-protobuf' })
      outgoing.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    await load(
      {
        K6_PROMETHEUS_RW_SERVER_URL: `http://${host}/write`,
        K6_PROMETHEUS_RW_TREND_STATS: 'p(50),p(95),p(99)',
        K6_OTEL_EXPORTER_PROTOCOL: 'http/protobuf',
        K6_OTEL_HTTP_EXPORTER_ENDPOINT: host,
        K6_OTEL_HTTP_EXPORTER_INSECURE: 'true',
      },
      '--count',
      '20',
      '--rate',
      '20',
      '--k6-out',
      'experimental-prometheus-rw',
      'opentelemetry',
    )
    expect([...received.keys()].toSorted()).toEqual(['/v1/metrics', '/write'])
    for (const name of ['from_intended_start', 'accepted'])
      expect(received.get('/v1/metrics')?.includes(name), `OpenTelemetry: ${name}`).toBe(true)
    // The body is compressed; what comes first in it is still readable.
    expect(/k6_[a-z]{3}/.test(received.get('/write') ?? ''), 'Prometheus').toBe(true)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

/** A port that is free now. */
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Panels about what does not happen in a sound run. */
const quiet = new Set(['Refused', 'Without an answer', 'Dropped'])

test('Prometheus answers the queries of the dashboard', async () => {
  const binary = process.env['PROMETHEUS_BINARY']
  test.skip(binary === undefined, 'PROMETHEUS_BINARY names no Prometheus to try')
  test.setTimeout(120_000)
  const port = await freePort()
  const config = path.join(folder, 'prometheus.yml')
  writeFileSync(config, 'global: { scrape_interval: 15s }\n')
  const child = spawn(
    binary ?? '',
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${path.join(folder, 'tsdb')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--web.enable-remote-write-receiver',
    ],
    { stdio: 'ignore' },
  )
  const origin = `http://127.0.0.1:${port}`
  try {
    const isReady = () =>
      fetch(`${origin}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    while (!(await isReady())) await sleep(200)
    await load(
      {
        K6_PROMETHEUS_RW_SERVER_URL: `${origin}/api/v1/write`,
        K6_PROMETHEUS_RW_TREND_STATS: 'p(50),p(95),p(99)',
        K6_PROMETHEUS_RW_PUSH_INTERVAL: '1s',
      },
      '--count',
      '200',
      '--rate',
      '20',
      '--segments',
      '2',
      '--k6-out',
      'experimental-prometheus-rw',
    )
    for (const { title, targets } of dashboard().panels) {
      if (quiet.has(title)) continue
      const answers = await Promise.all(
        targets.map(async ({ expr }) => {
          // The series ended when k6 did: a minute back it was there.
          const query = expr
            .replaceAll(/\$(?:scenario|instance)/g, '.*')
            .replaceAll('$__rate_interval', '1m')
          const end = Math.floor(Date.now() / 1000)
          const parameters = new URLSearchParams({
            query,
            start: `${end - 60}`,
            end: `${end}`,
            step: '1',
          })
          const response = await fetch(`${origin}/api/v1/query_range?${parameters}`)
          const { data } = (await response.json()) as { data: { result: readonly unknown[] } }
          return data.result.length
        }),
      )
      expect(answers[0], title).toBeGreaterThan(0)
      if (title.startsWith('La')) expect(Math.min(...answers), title).toBeGreaterThan(0)
    }
  } finally {
    child.kill()
    await once(child, 'exit')
  }
})
