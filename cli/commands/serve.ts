import { rmSync } from 'node:fs'
import path from 'node:path'
import { makeDirectory } from '../../lib/node/make-directory.ts'
import { StoreProblem } from '../../reference/model/store-problem.ts'
import { startServer } from '../../reference/server/server.ts'
import { defaultThreads } from '../../reference/verification/verifier.ts'
import type { Command } from '../command.ts'
import { groups, shared } from '../command.ts'
import { couldNotRun, exits, usageError } from '../io.ts'
import type { Io } from '../io.ts'
import { limitsOf } from '../limits.ts'
import { dialectOf, seedOf } from '../options.ts'
import { inBackground } from '../serve/background.ts'
import { exportFiles } from '../serve/export.ts'
import { writeReady } from '../serve/ready.ts'
import { summaryOf } from '../serve/summary.ts'
import {
  instantOf,
  knownMutants,
  basePathOf,
  portOf,
  publicUrlOf,
  seedFileOf,
  threadsOf,
  versionOf,
  wordingOf,
} from '../serve/values.ts'

interface Args {
  port: number
  host: string
  managementPort: number
  dialect: string | undefined
  contractVersion: string | undefined
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
  export: string | undefined
  wording: string | undefined
  readyFile: string | undefined
  wait: number | undefined
  json: boolean
}

/** Error codes of an address on which the service cannot listen. */
const listening = new Set(['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'])

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
      default: defaultThreads(),
      defaultDescription: 'one per core',
      group: groups.service,
      describe: 'Worker threads that verify documents; 0 verifies on the main thread',
    },
    dialect: { ...shared.dialect, group: groups.behaviour },
    'contract-version': {
      type: 'string',
      group: groups.behaviour,
      describe: 'Serve exactly this version of the public contract (2.7), without later fields',
    },
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
    wording: {
      type: 'string',
      group: groups.behaviour,
      describe: 'Published OpenAPI description (JSON) whose words for statuses and errors to show',
    },
    export: {
      type: 'string',
      group: groups.data,
      describe: 'Directory for client files: PEM, PKCS#12, service keys, .env, two invoices',
    },
    'ready-file': {
      type: 'string',
      group: groups.output,
      describe: 'File that holds the profile, with the process id, while the service is ready',
    },
    wait: {
      type: 'number',
      group: groups.output,
      describe: 'Start in the background; return when ready, or fail after this many seconds',
    },
    json: {
      ...shared.json,
      describe: 'Print one line of JSON on standard output, which is a target profile',
    },
  },
  examples: {
    'serve --json | head -1 > target.json': 'a profile for `assay check --target`',
    'serve --data ./clearing': 'keeps all data across restarts',
    'serve --dialect ksef --export ./service':
      'writes certificates, keys, invoices and .env for a client',
    'serve --wait 30 --ready-file ready.json': 'in a script: returns when the service is ready',
  },
  run: async (args, io) => {
    if (args.wait !== undefined) return inBackground({ ...args, wait: args.wait }, io)
    const seed = seedOf(args.seed)
    const startAt = instantOf(args.startAt)
    const limits = limitsOf(args.limits)
    const dialect = versionOf(dialectOf(args.dialect), args.contractVersion)
    const basePath = basePathOf(args.basePath)
    const publicUrl = publicUrlOf(args.publicUrl)
    const seedFile = seedFileOf(args.seedFile, io)
    const wording = wordingOf(args.wording, io)
    const data = args.data === undefined ? undefined : path.resolve(io.cwd, args.data)
    if (data !== undefined) makeDirectory(data)
    const server = await startServer({
      port: portOf('port', args.port),
      host: args.host,
      managementPort: portOf('management-port', args.managementPort),
      seed,
      mutants: await knownMutants(args.mutant),
      clock: args.clock,
      dedicated: true,
      tls: args.tls,
      explain: args.diagnostics,
      latency: args.latency,
      // Clients behind a proxy reach neither the ports of the other environments nor the management port.
      elsewhere: args.allEnvironments && publicUrl === undefined,
      threads: threadsOf(args.threads),
      ...(data === undefined ? {} : { data }),
      ...(basePath === undefined ? {} : { basePath }),
      ...(publicUrl === undefined ? {} : { publicUrl }),
      ...(seedFile === undefined ? {} : { seedFile }),
      ...(wording === undefined ? {} : { wording }),
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
    const folder = args.export === undefined ? undefined : path.resolve(io.cwd, args.export)
    const readyFile =
      args.readyFile === undefined ? undefined : path.resolve(io.cwd, args.readyFile)
    let failure: Error | undefined
    let written: string | undefined
    try {
      const profile = folder === undefined ? server.profile : exportFiles(server, folder)
      if (readyFile !== undefined) writeReady(readyFile, profile)
      written = readyFile
      const { origin, tokens } = server
      if (args.json) io.out(`${JSON.stringify(profile)}\n`)
      else io.out(summaryOf({ profile, origin, tokens, exported: folder, stop: 'Ctrl+C' }))
      failure = await Promise.race([untilStopped(io), server.failed])
    } finally {
      if (written !== undefined) rmSync(written, { force: true })
      await server.close()
    }
    if (failure !== undefined) throw couldNotRun(`--data: ${failure.message}`)
    return exits.conformant
  },
}
