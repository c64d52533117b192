import { mutants } from '../../reference/mutants.ts'
import { startServer } from '../../reference/server.ts'
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
  json: boolean
}

const instantOf = (startAt: string | undefined): number | undefined => {
  if (startAt === undefined) return undefined
  const instant = Date.parse(startAt)
  if (Number.isNaN(instant))
    throw usageError(
      `--start-at: expected an instant such as 2026-06-15T08:00:00Z, received ${JSON.stringify(startAt)}`,
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

const untilStopped = (io: Io): Promise<void> =>
  new Promise((resolve) => {
    if (io.signal.aborted) resolve()
    else io.signal.addEventListener('abort', () => resolve(), { once: true })
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
    json: {
      ...shared.json,
      describe: 'first line of standard output: one JSON object that is a target profile',
    },
  },
  examples: { 'serve --json | head -1 > target.json': 'a profile for `assay check --target`' },
  run: async (args, io) => {
    const seed = seedOf(args.seed)
    const startAt = instantOf(args.startAt)
    const limits = limitsOf(args.limits)
    const dialect = dialectOf(args.dialect)
    const server = await startServer({
      port: args.port,
      host: args.host,
      managementPort: args.managementPort,
      seed,
      mutants: knownMutants(args.mutant),
      clock: args.clock,
      ...(dialect === undefined ? {} : { dialect }),
      ...(args.environment === undefined ? {} : { environment: args.environment }),
      ...(limits === undefined ? {} : { limits }),
      ...(startAt === undefined ? {} : { startAt }),
    }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES' || error.code === 'EADDRNOTAVAIL')
        throw couldNotRun(
          `cannot listen on ${args.host}:${args.port}: ${error.code}; choose another --port or --host`,
        )
      throw error
    })
    const { profile } = server
    if (args.json) io.out(`${JSON.stringify(profile)}\n`)
    else {
      const context = profile.contexts[0]
      io.out(`reference service   ${profile.url}\n`)
      io.out(`management          ${profile.management}\n`)
      io.out(
        `dialect             ${profile.dialect}, environment ${profile.environment}, seed ${seed}\n`,
      )
      if (context) {
        io.out(`context             ${context.kind} ${context.value}\n`)
        io.out(`service token       ${context.token}\n`)
        io.out(`certificate         ${context.certificate}\n`)
        io.out(`key                 ${context.key}\n`)
      }
      io.out(`try                 curl -X POST ${profile.url}/auth/challenge\n`)
      io.out('stop                Ctrl+C\n')
    }
    await untilStopped(io)
    await server.close()
    return exits.conformant
  },
}
