import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Step } from '../../suites/client/history.ts'
import { openProxy } from '../../suites/client/proxy.ts'
import type { Command } from '../command.ts'
import { groups, shared } from '../command.ts'
import { stepLine } from '../examine/console.ts'
import { dialectNamed, report } from '../examine/recorded.ts'
import { exits, usageError } from '../io.ts'
import type { Io } from '../io.ts'
import { dialectOf } from '../options.ts'
import type { EnvironmentId } from '../../contract/environments.ts'
import { needsConsent } from '../../lib/node/target-send.ts'
import { counted } from '../../lib/words.ts'
import { requireEnvironment, resolveTarget } from '../target.ts'
import { typedPath } from '../paths.ts'

interface Args {
  target: string | undefined
  port: number
  dialect: string | undefined
  environment: string | undefined
  history: string
  strict: boolean
  json: boolean
}

const stopped = ({ signal }: Io): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

export const record: Command<Args> = {
  usage: 'record',
  summary: 'Record what a client does with a service, as a proxy between them, and assess it',
  runsUntilStopped: true,
  options: {
    target: {
      ...shared.target,
      describe: 'URL of the service, with the version prefix, or a profile file',
    },
    port: {
      type: 'number',
      default: 0,
      group: groups.service,
      describe: 'Port of the proxy on 127.0.0.1; 0 for any that is free',
    },
    history: {
      type: 'string',
      default: 'history.json',
      group: groups.output,
      describe: 'File of the recorded history; tokens and documents are redacted',
    },
    environment: {
      ...shared.environment,
      describe: 'Environment of the service: some rules bind in production only',
    },
    dialect: shared.dialect,
    strict: shared.strict,
    json: shared.json,
  },
  examples: {
    'record --target https://api-test.example/v2 --port 8081 --dialect ksef':
      'records a client until Ctrl-C, then assesses it',
  },
  run: async (args, io) => {
    const { target } = args
    if (target === undefined)
      throw usageError(
        '--target: expected the service that the client calls. Try `--target http://127.0.0.1:8080/api/v2`',
      )
    const environment = args.environment as EnvironmentId | undefined
    const dialect = dialectOf(args.dialect)
    const found = await resolveTarget({ target, ...(dialect === undefined ? {} : { dialect }) }, io)
    const profile = environment === undefined ? found : { ...found, environment }
    await requireEnvironment(profile)
    let withheld = 0
    const proxy = await openProxy({
      profile,
      port: args.port,
      dialect: dialectNamed(profile.dialect),
      environment,
      onStep: (step: Step) => io.err(`${stepLine(step)}\n`),
      onWithheld: (reason) => {
        withheld += 1
        io.err(`withheld: ${reason}\n`)
      },
    })
    if (needsConsent(profile) && profile.consent === undefined)
      io.err(`${profile.url} counts as production: writing calls are withheld\n`)
    io.err(`point the client at ${proxy.url}; Ctrl-C ends the recording\n`)
    await stopped(io)
    const history = proxy.history()
    await proxy.close()
    const file = path.resolve(io.cwd, args.history)
    writeFileSync(file, `${JSON.stringify(history)}\n`)
    io.err(`history ${typedPath(file, io.cwd)}\n`)
    const exit = report(history, args, io)
    if (withheld === 0) return exit
    io.err(
      `${counted(withheld, 'writing call')} withheld for want of consent: no verdict over the whole client\n`,
    )
    return exit === exits.conformant ? exits.couldNotRun : exit
  },
}
