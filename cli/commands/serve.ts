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
import { shared } from '../command.ts'
import { couldNotRun, exits, usageError } from '../io.ts'
import type { Io } from '../io.ts'
import { limitsOf } from '../limits.ts'
import { dialectOf, seedOf } from '../options.ts'

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
  explain: boolean
  latency: boolean
  elsewhere: boolean
  threads: number
  json: boolean
}

const instantOf = (startAt: string | undefined): number | undefined => {
  if (startAt === undefined) return undefined
  const instant = parseInstant(startAt)
  if (instant === undefined)
    throw usageError(
      `--start-at: expected an instant between 2000 and 2199 such as 2026-06-15T08:00:00Z (with its offset), received ${JSON.stringify(startAt)}`,
    )
  return instant
}

const knownMutants = (asked: readonly string[]): string[] => {
  for (const id of asked)
    if (!(id in mutants))
      throw usageError(
        `--mutant: no mutant is called ${JSON.stringify(id)}; \`assay mutate\` lists them`,
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
    throw usageError(`--${name}: expected a whole number from 0 to 65535, received ${port}`)
  return port
}

/** What the operating system says of an address that cannot be listened on. */
const listening = new Set(['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'])

/** Scheme, host and port under which callers reach the service, where something stands before it. */
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
    throw usageError(`--seed-file ${file}: ${(error as Error).message}`)
  }
}

const threadsOf = (threads: number): number => {
  if (!Number.isInteger(threads) || threads < 0 || threads > 64)
    throw usageError(`--threads: expected a whole number from 0 to 64, received ${threads}`)
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
  summary: 'Run the reference service, for your client or another assay',
  options: {
    port: { type: 'number', default: 8080, describe: 'port of the service; 0 for any' },
    host: { type: 'string', default: '127.0.0.1', describe: 'address to listen on' },
    'management-port': {
      type: 'number',
      default: 0,
      describe: 'port of the management calls (loopback); 0 for any',
    },
    dialect: shared.dialect,
    environment: shared.environment,
    limits: { ...shared.limits, default: 'production' },
    seed: shared.seed,
    mutant: {
      type: 'string',
      array: true,
      default: [] as string[],
      describe: 'install a defect on purpose',
    },
    clock: {
      choices: ['real', 'manual'] as const,
      default: 'real' as const,
      describe: 'manual: time moves only by the management port',
    },
    'start-at': { type: 'string', describe: 'instant at which the clock starts' },
    data: { type: 'string', describe: 'folder that keeps everything; in memory when absent' },
    tls: { type: 'boolean', default: false, describe: 'speak TLS, with a certificate of its own' },
    'base-path': {
      type: 'string',
      describe: "path in place of the dialect's version prefix, for example /clearing/v2",
    },
    'public-url': {
      type: 'string',
      describe: 'origin in links, where a proxy stands before the service',
    },
    'seed-file': {
      type: 'string',
      describe: 'JSON file of contexts, permissions and tokens to begin with',
    },
    explain: {
      type: 'boolean',
      default: false,
      describe: 'tell in details what was wrong with what could not be decrypted or read',
    },
    latency: {
      type: 'boolean',
      default: false,
      describe: 'asynchronous work takes a realistic time, the same for the same seed',
    },
    threads: {
      type: 'number',
      default: usualThreads(),
      defaultDescription: 'as many as cores',
      describe: 'threads that verify documents; 0 for all on one',
    },
    elsewhere: {
      type: 'boolean',
      default: true,
      describe: 'open the other environments too, at ports of their own; --no-elsewhere: do not',
    },
    json: {
      ...shared.json,
      describe: 'first line of standard output: one JSON object that is a target profile',
    },
  },
  examples: {
    'serve --json | head -1 > target.json': 'a profile for `assay check --target`',
    'serve --data ./clearing': 'remembers everything over restarts',
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
      explain: args.explain,
      latency: args.latency,
      // Who reaches the service by another address reaches neither these ports nor that of the management.
      elsewhere: args.elsewhere && publicUrl === undefined,
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
          `cannot listen on ${address}${port === undefined ? '' : `:${port}`}: ${error.code}; choose another --port, --management-port or --host`,
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
