import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { prepareOnline } from '../../../cli/load/corpus.ts'
import { expectText } from '../../../lib/outcome.ts'
import { withoutMetrics } from '../../../load/assignment.ts'
import type { OnlineAssignment } from '../../../load/assignment.ts'
import { entryOf, findK6, k6Environment } from '../../../load/engine.ts'
import type { K6 } from '../../../load/engine.ts'
import { callsOf } from '../../../load/trace/latency.ts'
import { parseLine } from '../../../load/trace/line.ts'
import type { TraceLine } from '../../../load/trace/line.ts'
import type { Benchmark } from './benchmark.ts'
import { median } from './benchmark.ts'
import { cpuOf, enter, serveReference } from './served.ts'
import type { Listener, Session } from './served.ts'

/** What k6 costs with our scenario, against a script that does nothing but post. */

const rounds = 5
const users = 20

/** A module of k6, as the script names it; nothing here imports it. */
const ofK6 = (name: string): string => `'k6/${name}'`

/** Posts prepared bodies one after the other and says how long that took. */
const bareScript = `
import http from ${ofK6('http')}
import exec from ${ofK6('execution')}
const bodies = open(__ENV.BODIES, 'b')
const index = new Float64Array(open(__ENV.INDEX, 'b'))
const params = { headers: { authorization: 'Bearer ' + __ENV.TOKEN, 'content-type': 'application/json' } }
export const options = { scenarios: { bare: {
  executor: 'shared-iterations', vus: ${users}, iterations: index.length / 4, maxDuration: '10m' } } }
export const setup = () => Date.now()
export default () => {
  const at = exec.scenario.iterationInTest * 4
  const { status } = http.post(__ENV.URL, bodies.slice(index[at + 1], index[at + 1] + index[at + 2]), params)
  if (status !== 202) exec.test.abort('expected 202, got ' + status)
}
export const teardown = (begun) => console.log('@bare ' + (Date.now() - begun))
`

interface Ran {
  readonly lines: readonly string[]
  /** Processor time, seconds. */
  readonly cpu: number
  /** Peak of resident memory, bytes. */
  readonly peak: number
}

/** Highest resident memory of a process so far, from the proc file system. */
const peakOf = (pid: number): number => {
  try {
    const [, kilobytes] =
      /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes ?? 0) * 1024
  } catch {
    return 0
  }
}

const runK6 = async (
  k6: string,
  script: string,
  env: Readonly<Record<string, string>>,
): Promise<Ran> => {
  const args = [
    'run',
    '--quiet',
    '--summary-mode=disabled',
    '--no-thresholds',
    '--log-format=raw',
    '--address=',
    script,
  ]
  const child = spawn(k6, args, {
    env: { ...k6Environment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr])
    createInterface(stream).on('line', (line) => void lines.push(line))
  let cpu = 0
  let peak = 0
  const look = setInterval(() => {
    cpu = Math.max(cpu, cpuOf(child.pid ?? 0) ?? 0)
    peak = Math.max(peak, peakOf(child.pid ?? 0))
  }, 50)
  const [code] = (await once(child, 'close')) as [number | null]
  clearInterval(look)
  if (code !== 0) throw new Error(`k6 ended with ${code}: ${lines.slice(-3).join(' ')}`)
  return { lines, cpu, peak }
}

interface Round {
  /** Invoices a second. */
  readonly rate: number
  /** Processor time for an invoice, milliseconds: of k6 with its start, and of the service. */
  readonly cpu: number
  readonly service: number
  readonly peak: number
}

interface Bench {
  readonly served: Listener
  readonly k6: K6
  readonly directory: string
  readonly session: Session
  readonly refreshToken: string
}

/** A corpus that is due at a steady pace: `rate` invoices a second. */
const corpusOf = (
  { session, directory }: Bench,
  count: number,
  namespace: string,
  sessions: number,
  rate: number,
) =>
  prepareOnline(
    {
      client: session.api,
      sellerOf: () => session.seller,
      issueDate: '2026-03-02',
      count,
      sessions,
      seed: 1,
      namespace,
      directory,
      progress: () => undefined,
    },
    Array.from({ length: count }, (_, i) => (i * 1000) / rate),
  )

/** Pace of the schedule, over that of the bare script. */
const askedFor = 1.2

/** Arrivals a second of the runs that look at memory. */
const steadyRate = 300

const ours = async (
  bench: Bench,
  count: number,
  namespace: string,
  rate: number,
  sessions = 1,
): Promise<Round> => {
  const { files } = await corpusOf(bench, count, namespace, sessions, rate)
  const assignment: OnlineAssignment = {
    ...files,
    scenario: 'session-throughput',
    profile: 'bench',
    baseUrl: bench.session.url,
    dialect: 'svc',
    refreshTokens: [bench.refreshToken],
    contexts: [`Nip ${bench.session.seller}`],
    segments: 1,
    users,
    iterations: count,
    maximumSeconds: 3600,
    pollEveryMs: 250,
    polls: 2400,
    abortOn: {},
  }
  const file = path.join(bench.directory, 'assignment.json')
  await writeFile(file, JSON.stringify(assignment), { mode: 0o600 })
  const script = fileURLToPath(new URL(`../../../load/${entryOf(bench.k6)}`, import.meta.url))
  const before = bench.served.cpu() ?? 0
  const { lines, cpu, peak } = await runK6(bench.k6.path, script, {
    ASSAY_ASSIGNMENT: file,
    ...withoutMetrics,
  })
  const service = (1000 * ((bench.served.cpu() ?? 0) - before)) / count
  const trace = lines.map(parseLine).filter((line): line is TraceLine => line !== undefined)
  const calls = callsOf(trace).filter(({ status }) => status === 202)
  // What came too late was dropped, and counts as not sent.
  const begun = calls.reduce((min, call) => Math.min(min, call.due), Infinity)
  const ended = calls.reduce((max, call) => Math.max(max, call.ended), 0)
  return { rate: (1000 * calls.length) / (ended - begun), cpu: (1000 * cpu) / count, service, peak }
}

const bare = async (bench: Bench, count: number, namespace: string): Promise<Round> => {
  const { api, url, accessToken } = bench.session
  const { files } = await corpusOf(bench, count, namespace, 1, steadyRate)
  const opened = await api.call('sessions.openOnline', { body: files.opens[0] ?? '' })
  const referenceNumber = expectText(opened, 'open a session', 'referenceNumber')
  const script = path.join(bench.directory, 'bare.js')
  await writeFile(script, bareScript)
  const before = bench.served.cpu() ?? 0
  const { lines, cpu, peak } = await runK6(bench.k6.path, script, {
    BODIES: files.bodies,
    INDEX: files.index,
    TOKEN: accessToken,
    URL: `${url}/sessions/online/${referenceNumber}/invoices`,
  })
  const service = (1000 * ((bench.served.cpu() ?? 0) - before)) / count
  const took = Number(lines.map((line) => /@bare (\d+)/.exec(line)?.[1]).find(Boolean))
  return { rate: (1000 * count) / took, cpu: (1000 * cpu) / count, service, peak }
}

/** The generator of load: its speed against a bare script, its processor time, its memory. */
export const generator: Benchmark = {
  id: 'load',
  what: 'invoices a second of the load scenario, against a bare k6 script that posts the same bytes',
  async run(scale, say) {
    const k6 = await findK6({ build: true, onProgress: say })
    if ('missing' in k6) throw new Error(`${k6.missing} ${k6.advice}`)
    const served = await serveReference()
    const session = await enter(served.profile)
    const directory = await mkdtemp(path.join(tmpdir(), 'assay-bench-'))
    const bench = { served, k6, directory, session, refreshToken: session.refreshToken }
    const mine: Round[] = []
    const theirs: Round[] = []
    try {
      const count = Math.max(500, Math.ceil(5000 * scale))
      // The service is not warm for the first calls: they do not count.
      await bare(bench, count, 'W')
      for (let round = 0; round < rounds; round += 1) {
        theirs.push(await bare(bench, count, `B${round}`))
        // An open model cannot be faster than its schedule, so the schedule has to demand more.
        mine.push(await ours(bench, count, `O${round}`, askedFor * theirs.at(-1)!.rate))
        say(
          `ours ${Math.round(mine.at(-1)!.rate)} a second, bare ${Math.round(theirs.at(-1)!.rate)}`,
        )
      }
      const few = await ours(bench, Math.ceil(10_000 * scale), 'F', steadyRate, 2)
      say(`memory at ${Math.ceil(10_000 * scale)} invoices: ${Math.round(few.peak / 2 ** 20)} MiB`)
      const many = await ours(bench, Math.ceil(50_000 * scale), 'M', steadyRate, 6)
      const rate = (some: readonly Round[]) => median(some.map((one) => one.rate))
      const cpu = (some: readonly Round[]) => median(some.map((one) => one.cpu))
      const service = (some: readonly Round[]) => median(some.map((one) => one.service))
      return [
        { what: 'the scenario', value: rate(mine), unit: '/s' },
        { what: 'the bare script', value: rate(theirs), unit: '/s' },
        {
          what: 'the scenario over the bare script',
          value: median(mine.map((one, at) => one.rate / theirs[at]!.rate)),
          aim: { min: 0.9 },
        },
        { what: 'processor time of k6, the scenario', value: cpu(mine), unit: 'ms' },
        { what: 'processor time of k6, the bare script', value: cpu(theirs), unit: 'ms' },
        { what: 'that of the service, the scenario', value: service(mine), unit: 'ms' },
        { what: 'that of the service, the bare script', value: service(theirs), unit: 'ms' },
        {
          what: `memory of k6, ${Math.ceil(10_000 * scale)} invoices`,
          value: few.peak,
          unit: 'bytes',
        },
        {
          what: `memory of k6, ${Math.ceil(50_000 * scale)} invoices`,
          value: many.peak,
          unit: 'bytes',
        },
        { what: 'memory, five times as many', value: many.peak / few.peak, aim: { max: 1.2 } },
      ]
    } finally {
      session.close()
      await served.stop()
      await rm(directory, { recursive: true, force: true })
    }
  },
}
