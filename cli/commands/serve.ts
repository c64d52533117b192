import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseInstant } from '../../reference/base/instants.ts'
import { mutants } from '../../reference/mutants/mutants.ts'
import type { SeedFile } from '../../reference/service/seed-file.ts'
import { readSeedFile } from '../../reference/service/seed-file.ts'
import { StoreProblem } from '../../reference/model/store-problem.ts'
import type { RunningServer } from '../../reference/server/server.ts'
import { startServer } from '../../reference/server/server.ts'
import { usualThreads } from '../../reference/invoices/verifier.ts'
import type { Command } from '../command.ts'
import { groups, shared } from '../command.ts'
import { couldNotRun, exits, usageError } from '../io.ts'
import type { Io } from '../io.ts'
import { limitsOf } from '../limits.ts'
import { didYouMean } from '../nearest.ts'
import { dialectOf, seedOf } from '../options.ts'
import { systemError } from '../system-error.ts'

interface Args {
  port: number
  host: string
  managementPort: number
  dialect: string | undefined
  environment: 'test' | 'demo' | 'production' | undefined
  limits: string | undefined
  seed: number | undefined
  mutant: string[]
  clock: 'real' | 'manual'
  startAt: string | undefined
  data: string | undefined
  tls: boolean
  basePath: string | undefined
  publicUrl: string | undefined
  seedFile: string | undefined
  diagnostics: boolean
  latency: boolean
  allEnvironments: boolean
  threads: number
  json: boolean
}

const instantOf = (startAt: string | undefined): number | undefined => {
  if (startAt === undefined) return undefined
  const instant = parseInstant(startAt)
  if (instant === undefined)
    throw usageError(
      `--start-at: expected a time from 2000 to 2199 with its offset, such as 2026-06-15T08:00:00Z, received ${JSON.stringify(startAt)}`,
    )
  return instant
}

const knownMutants = (asked: readonly string[]): string[] => {
  for (const id of asked)
    if (!(id in mutants))
      throw usageError(
        `--mutant: there is no mutant ${JSON.stringify(id)}.${didYouMean(id, Object.keys(mutants))} \`assay list --json\` names the mutants of each rule.`,
      )
  return [...asked]
}

/** `/v2`: one slash before each part, none at the end. */
const basePathOf = (basePath: string | undefined): string | undefined => {
  if (basePath !== undefined && !/^(\/[\w.~-]+)+$/.test(basePath))
    throw usageError(
      `--base-path: expected a path such as /clearing/v2, received ${JSON.stringify(basePath)}`,
    )
  return basePath
}

const portOf = (name: string, port: number): number => {
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw usageError(`--${name}: expected an integer from 0 to 65535, received ${port}`)
  return port
}

/** Error codes of an address on which the service cannot listen. */
const listening = new Set(['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'])

/** Scheme, host and port under which clients reach the service behind a proxy. */
const publicUrlOf = (publicUrl: string | undefined): string | undefined => {
  if (
    publicUrl !== undefined &&
    !(/^https?:\/\/[^/?#\s]+\/?$/.test(publicUrl) && URL.canParse(publicUrl))
  )
    throw usageError(
      `--public-url: expected an origin such as https://invoices.example, without the path, received ${JSON.stringify(publicUrl)}`,
    )
  return publicUrl?.replace(/\/$/, '')
}

const seedFileOf = (file: string | undefined, io: Io): SeedFile | undefined => {
  if (file === undefined) return undefined
  try {
    return readSeedFile(readFileSync(path.resolve(io.cwd, file), 'utf8'))
  } catch (error) {
    throw usageError(
      `--seed-file: ${systemError(error)?.message ?? `${file}: ${(error as Error).message}`}`,
    )
  }
}

const threadsOf = (threads: number): number => {
  if (!Number.isInteger(threads) || threads < 0 || threads > 64)
    throw usageError(`--threads: expected an integer from 0 to 64, received ${threads}`)
  return threads
}

const describe = (server: RunningServer, seed: number): string => {
  const { profile, origin, trust, tokens } = server
  const rows: [string, string][] = [
    ['reference service', profile.url],
    ...(profile.url.startsWith(`${origin}/`) ? [] : [['listens on', origin] as [string, string]]),
    ['management', profile.management],
    ['dialect', `${profile.dialect}, environment ${profile.environment}, seed ${seed}`],
  ]
  for (const sibling of Object.values(profile.elsewhere ?? {}))
    rows.push([`in ${sibling.environment}`, `${sibling.url}, management ${sibling.management}`])
  if (trust !== undefined) rows.push(['trust', `${trust} (its certificate; curl --cacert)`])
  for (const context of profile.contexts) {
    rows.push(
      ['context', `${context.kind} ${context.value}`],
      ['service token', context.token],
      ['certificate', context.certificate],
      ['key', context.key],
    )
  }
  for (const { context, token } of tokens)
    rows.push(['service token', `${token} (${context.type} ${context.value})`])
  const trusting = trust === undefined ? '' : `--cacert ${trust} `
  rows.push(['try', `curl ${trusting}-X POST ${profile.url}/auth/challenge`], ['stop', 'Ctrl+C'])
  return rows.map(([name, value]) => `${name.padEnd(20)}${value}\n`).join('')
}

const untilStopped = (io: Io): Promise<undefined> =>
  new Promise((resolve) => {
    if (io.signal.aborted) resolve(undefined)
    else io.signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })

export const serve: Command<Args> = {
  usage: 'serve',
  summary: 'Run the reference service',
  runsUntilStopped: true,
  options: {
    port: {
      type: 'number',
      default: 8080,
      group: groups.service,
      describe: 'Port of the service; 0 picks a free one',
    },
    host: {
      type: 'string',
      default: '127.0.0.1',
      group: groups.service,
      describe: 'Address to listen on',
    },
    'management-port': {
      type: 'number',
      default: 0,
      group: groups.service,
      describe: 'Port of the management API, on loopback; 0 picks a free one',
    },
    tls: {
      type: 'boolean',
      default: false,
      group: groups.service,
      describe: 'Serve over TLS with a self-signed certificate',
    },
    'base-path': {
      type: 'string',
      group: groups.service,
      describe: "Path that replaces the dialect's version prefix, for example /clearing/v2",
    },
    'public-url': {
      type: 'string',
      group: groups.service,
      describe: 'Origin to use in links when the service runs behind a proxy',
    },
    threads: {
      type: 'number',
      default: usualThreads(),
      defaultDescription: 'one per core',
      group: groups.service,
      describe: 'Worker threads that verify documents; 0 verifies on the main thread',
    },
    dialect: { ...shared.dialect, group: groups.behaviour },
    environment: { ...shared.environment, group: groups.behaviour },
    'all-environments': {
      type: 'boolean',
      default: true,
      group: groups.behaviour,
      describe: 'Also serve the other environments, each on its own ports',
    },
    limits: { ...shared.limits, default: 'production', group: groups.behaviour },
    mutant: {
      type: 'string',
      array: true,
      default: [] as string[],
      group: groups.behaviour,
      describe: 'Install a known defect; repeatable',
    },
    diagnostics: {
      type: 'boolean',
      default: false,
      group: groups.behaviour,
      describe: 'Explain in error details why content could not be decrypted or read',
    },
    clock: {
      choices: ['real', 'manual'] as const,
      default: 'real' as const,
      group: groups.time,
      describe: 'manual: time moves only through the management API',
    },
    'start-at': {
      type: 'string',
      group: groups.time,
      describe: 'Time at which the clock starts, for example 2026-06-15T08:00:00Z',
    },
    latency: {
      type: 'boolean',
      default: false,
      group: groups.time,
      describe: 'Give asynchronous work realistic durations, the same for the same seed',
    },
    data: {
      type: 'string',
      group: groups.data,
      describe: 'Directory that keeps all data across restarts; in memory when absent',
    },
    'seed-file': {
      type: 'string',
      group: groups.data,
      describe: 'JSON file of contexts, permissions and tokens that exist from the start',
    },
    seed: shared.seed,
    json: {
      ...shared.json,
      describe: 'Print one line of JSON on standard output, which is a target profile',
    },
  },
  examples: {
    'serve --json | head -1 > target.json': 'a profile for `assay check --target`',
    'serve --data ./clearing': 'keeps all data across restarts',
  },
  run: async (args, io) => {
    const seed = seedOf(args.seed)
    const startAt = instantOf(args.startAt)
    const limits = limitsOf(args.limits)
    const dialect = dialectOf(args.dialect)
    const basePath = basePathOf(args.basePath)
    const publicUrl = publicUrlOf(args.publicUrl)
    const seedFile = seedFileOf(args.seedFile, io)
    const server = await startServer({
      port: portOf('port', args.port),
      host: args.host,
      managementPort: portOf('management-port', args.managementPort),
      seed,
      mutants: knownMutants(args.mutant),
      clock: args.clock,
      dedicated: true,
      tls: args.tls,
      explain: args.diagnostics,
      latency: args.latency,
      // Clients behind a proxy reach neither the ports of the other environments nor the management port.
      elsewhere: args.allEnvironments && publicUrl === undefined,
      threads: threadsOf(args.threads),
      ...(args.data === undefined ? {} : { data: path.resolve(io.cwd, args.data) }),
      ...(basePath === undefined ? {} : { basePath }),
      ...(publicUrl === undefined ? {} : { publicUrl }),
      ...(seedFile === undefined ? {} : { seedFile }),
      ...(dialect === undefined ? {} : { dialect }),
      ...(args.environment === undefined ? {} : { environment: args.environment }),
      ...(limits === undefined ? {} : { limits }),
      ...(startAt === undefined ? {} : { startAt }),
    }).catch((error: NodeJS.ErrnoException) => {
      if (listening.has(error.code ?? '')) {
        const { address = args.host, port } = error as { address?: string; port?: number }
        throw couldNotRun(
          `cannot listen on ${address}${port === undefined ? '' : `:${port}`} (${error.code}): choose another --port, --management-port or --host`,
        )
      }
      if (error instanceof StoreProblem)
        throw (error.about === 'content' ? usageError : couldNotRun)(`--data: ${error.message}`)
      throw error
    })
    if (args.json) io.out(`${JSON.stringify(server.profile)}\n`)
    else io.out(describe(server, seed))
    const failure = await Promise.race([untilStopped(io), server.failed])
    await server.close()
    if (failure !== undefined) throw couldNotRun(`--data: ${failure.message}`)
    return exits.conformant
  },
}
