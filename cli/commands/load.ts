import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findK6 } from '../../load/engine.ts'
import type { Latency, Plan } from '../../load/plan.ts'
import { profiles as sizes } from '../../load/profiles.ts'
import type { ProfileId } from '../../load/profiles.ts'
import { codesApart, countingThresholds } from '../../load/thresholds.ts'
import { fetchChallenge } from '../../lib/flows/login.ts'
import type { Finding } from '../../reports/finding.ts'
import type { Command } from '../command.ts'
import { shared } from '../command.ts'
import { couldNotRun, exits, printJson, usageError } from '../io.ts'
import type { Io } from '../io.ts'
import { limitsOf } from '../limits.ts'
import { judgeLoad } from '../load/judge.ts'
import { runK6 } from '../load/k6.ts'
import { freePace, legalPace } from '../load/pace.ts'
import { prepareCorpus } from '../load/prepare.ts'
import { loadTarget } from '../load/target.ts'
import { dialectOf, namespaceOf, seedOf } from '../options.ts'

export interface LoadArgs {
  scenario: string
  profile: ProfileId
  invoices: number | undefined
  perSecond: number | undefined
  maxP95: number | undefined
  target: string | undefined
  dialect: string | undefined
  limits: string | undefined
  seed: number | undefined
  namespace: string | undefined
  json: boolean
}

export interface LoadResult {
  readonly scenario: string
  readonly profile: string
  readonly seed: number
  readonly limits: string
  readonly started: string
  readonly finished: string
  readonly requests: number
  readonly accepted: number
  readonly refused: Readonly<Record<string, number>>
  readonly lost: number
  readonly doubled: number
  readonly latencyMs: Latency
  readonly fromIntendedStart: Latency
  /** Invoices a second, from the opening of the session to the end of its processing. */
  readonly throughput: number
  readonly verdict: 'pass' | 'fail' | 'inconclusive'
  readonly reasons: readonly string[]
}

const scenarios = ['session-throughput'] as const

/** Runs one scenario and judges it. */
export const runLoad = async (args: LoadArgs, io: Io): Promise<LoadResult> => {
  const k6 = await findK6({
    build: true,
    onProgress: (line) => io.err(`${line}\n`),
  })
  if ('missing' in k6) throw couldNotRun(`load was not run: ${k6.missing} ${k6.advice}`)
  const size = sizes[args.profile]
  const seed = seedOf(args.seed)
  const namespace = namespaceOf(args.namespace)
  const dialect = dialectOf(args.dialect)
  const limits = limitsOf(args.limits ?? (args.target === undefined ? 'off' : undefined))
  const directory = await mkdtemp(path.join(tmpdir(), 'assay-load-'))
  const target = await loadTarget(
    {
      target: args.target,
      seed,
      ...(dialect === undefined ? {} : { dialect }),
      ...(limits === undefined ? {} : { limits }),
    },
    io,
  )
  try {
    const count = args.invoices ?? size.invoices
    if (!Number.isInteger(count) || count < 1)
      throw usageError(`--invoices: expected a whole number from 1, received ${args.invoices}`)
    const window = target.window('invoiceSubmit')
    const pace =
      window === undefined
        ? freePace(count, args.perSecond ?? size.perSecond)
        : legalPace(count, window)
    io.err(`seed ${seed}; ${count} invoices at ${pace.rate} in ${pace.per}, preparing\n`)
    const { timestamp } = await fetchChallenge(target.client)
    const bodies = path.join(directory, 'bodies')
    const { open, offsets } = await prepareCorpus({
      client: target.client,
      seller: target.seller,
      issueDate: new Date(timestamp).toISOString().slice(0, 10),
      count,
      seed,
      namespace,
      profile: 'services',
      file: bodies,
      progress: (done) => io.err(`prepared ${done} of ${count}\n`),
    })
    const result = path.join(directory, 'result.json')
    const plan: Plan = {
      scenario: args.scenario,
      profile: args.profile,
      baseUrl: target.client.baseUrl,
      dialect: target.client.dialect.id,
      refreshToken: target.refreshToken,
      open,
      bodies,
      offsets,
      rate: pace.rate,
      per: pace.per,
      // One interval more, so that the last arrival falls inside.
      seconds: pace.seconds + 1,
      users: size.users,
      pollEveryMs: window === undefined ? 250 : 2000,
      polls: 2400,
      thresholds: {
        ...countingThresholds,
        ...codesApart(),
        ...(args.maxP95 === undefined ? {} : { latency: [`p(95)<${args.maxP95}`] }),
      },
      result,
    }
    await writeFile(path.join(directory, 'plan.json'), JSON.stringify(plan))
    const started = new Date().toISOString()
    io.err(`k6 ${k6.version} (${k6.source}), about ${pace.seconds} s\n`)
    const measured = await runK6(k6, path.join(directory, 'plan.json'), result, io)
    const judged = judgeLoad(measured, count)
    return {
      scenario: args.scenario,
      profile: args.profile,
      seed,
      limits: typeof limits === 'object' ? 'own table' : (limits ?? "the target's"),
      started,
      finished: new Date().toISOString(),
      requests: measured.requests,
      accepted: measured.accepted,
      refused: measured.refused,
      lost: judged.lost,
      doubled: judged.doubled,
      latencyMs: measured.latencyMs,
      fromIntendedStart: measured.fromIntendedStart,
      throughput: measured.seconds > 0 ? measured.session.succeeded / measured.seconds : 0,
      verdict: judged.verdict,
      reasons: judged.reasons,
    }
  } finally {
    await target.close()
    await rm(directory, { recursive: true, force: true })
  }
}

/** A load run as a finding: it rests on the rule that a session takes that many invoices. */
export const loadFinding = (result: LoadResult): Finding => ({
  rule: 'sessions.online.ten-thousand',
  check: `load ${result.scenario} (${result.profile})`,
  variant: `load ${result.profile}`,
  verdict: result.verdict,
  ms: Date.parse(result.finished) - Date.parse(result.started),
  expected: 'every accepted invoice is in the session once, succeeded, and on the receipt',
  actual: `${result.accepted} of ${result.requests} accepted, ${result.lost} lost, ${result.doubled} doubled; ${result.throughput.toFixed(1)} a second, p95 ${Math.round(result.latencyMs.p95)} ms`,
  ...(result.reasons.length > 0 ? { reason: result.reasons.join('; ') } : {}),
  replay: `assay load ${result.scenario} --profile ${result.profile} --seed ${result.seed}`,
})

export const load: Command<LoadArgs> = {
  usage: 'load [scenario]',
  summary: 'Load a service with k6 and account for every invoice',
  positionals: {
    scenario: { choices: scenarios, default: 'session-throughput', describe: 'Load scenario' },
  },
  options: {
    profile: {
      choices: Object.keys(sizes),
      default: 'smoke',
      describe: 'Size of the load: smoke (300 invoices) or full (10,000)',
    },
    invoices: { type: 'number', describe: 'Number of invoices; that of the profile when absent' },
    'per-second': { type: 'number', describe: 'Arrivals per second, where limits are off' },
    'max-p95': {
      type: 'number',
      describe: 'Threshold: 95th percentile of the latency, in milliseconds',
    },
    target: shared.target,
    dialect: shared.dialect,
    limits: {
      ...shared.limits,
      describe:
        'Rate limits of the embedded reference; off when absent. A target is paced by its own',
    },
    seed: shared.seed,
    namespace: shared.namespace,
    json: shared.json,
  },
  run: async (args, io) => {
    const result = await runLoad(args, io)
    const exit =
      result.verdict === 'pass'
        ? exits.conformant
        : result.verdict === 'fail'
          ? exits.thresholdsCrossed
          : exits.couldNotRun
    if (args.json) printJson(io, result)
    else {
      const { latencyMs, fromIntendedStart } = result
      io.out(`${result.verdict} ${result.scenario} (${result.profile}), limits ${result.limits}\n`)
      io.out(
        `  ${result.accepted} of ${result.requests} accepted, ${result.lost} lost, ${result.doubled} doubled\n`,
      )
      io.out(`  ${result.throughput.toFixed(1)} invoices a second, to the end of the processing\n`)
      for (const [name, { p50, p95, p99, max }] of [
        ['latency', latencyMs],
        ['from intended start', fromIntendedStart],
      ] as const)
        io.out(
          `  ${name}: p50 ${p50.toFixed(1)}, p95 ${p95.toFixed(1)}, p99 ${p99.toFixed(1)}, max ${max.toFixed(1)} ms\n`,
        )
      for (const [code, times] of Object.entries(result.refused))
        io.out(`  refused ${times} times with ${code}\n`)
      for (const reason of result.reasons) io.out(`  ${reason}\n`)
    }
    return exit
  },
}
