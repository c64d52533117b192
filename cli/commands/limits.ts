import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { spans } from '../../load/probes/job.ts'
import type { WindowName } from '../../load/probes/job.ts'
import type { Command } from '../command.ts'
import { groups, shared } from '../command.ts'
import { exits, printJson, usageError } from '../io.ts'
import { limitsOf } from '../limits.ts'
import { identifyLimiters, identifyText } from '../limits/identify.ts'
import { paceText, tunePace } from '../limits/tune.ts'
import { seedOf } from '../options.ts'

interface Args {
  action: 'identify' | 'tune'
  rules: readonly string[]
  windows: readonly string[]
  seconds: number | undefined
  target: string | undefined
  dialect: string | undefined
  limits: string | undefined
  seed: number | undefined
  out: string | undefined
  json: boolean
}

const known = Object.keys(spans) as WindowName[]

const windowsOf = (asked: readonly string[]): readonly WindowName[] => {
  for (const window of asked)
    if (!known.some((one) => one === window))
      throw usageError(
        `--windows: expected some of ${known.join(', ')}, received ${JSON.stringify(window)}`,
      )
  return known.filter((window) => asked.includes(window))
}

export const limits: Command<Args> = {
  usage: 'limits <action>',
  summary: 'Name the rate limiter of a service, or find the highest pace that it never refuses',
  positionals: {
    action: {
      choices: ['identify', 'tune'],
      describe: 'identify: which limiter it is; tune: the fastest legal pace, as a configuration',
    },
  },
  options: {
    rules: {
      type: 'string',
      array: true,
      default: [] as string[],
      defaultDescription: 'default for identify, all for tune',
      group: groups.scope,
      describe: 'Rate rules, for example invoiceSubmit; tune calls them concurrently',
    },
    windows: {
      type: 'string',
      array: true,
      default: [] as string[],
      defaultDescription: 'all of them in virtual time, second in real time',
      group: groups.scope,
      describe: 'Windows to experiment with: second, minute, hour (identify)',
    },
    seconds: {
      type: 'number',
      defaultDescription: '7200 in virtual time, 75 in real time',
      group: groups.scope,
      describe: 'Length of the run that proves the pace (tune)',
    },
    target: shared.target,
    dialect: shared.dialect,
    limits: shared.limits,
    seed: shared.seed,
    out: {
      type: 'string',
      group: groups.output,
      describe: 'File of the client configuration (tune)',
    },
    json: shared.json,
  },
  examples: {
    'limits identify --target target.json': 'which limiter the service has',
    'limits tune --target target.json --out pace.json':
      'the fastest legal pace; `assay load --limits pace.json` keeps to it',
  },
  run: async (args, io) => {
    const { action, rules, windows, seconds, target, dialect, json } = args
    if (seconds !== undefined && (!Number.isInteger(seconds) || seconds < 1))
      throw usageError(`--seconds: expected an integer from 1, received ${seconds}`)
    const table = limitsOf(args.limits)
    const wanted = {
      target,
      seed: seedOf(args.seed),
      ...(dialect === undefined ? {} : { dialect }),
      ...(table === undefined ? {} : { limits: table }),
    }
    if (action === 'identify') {
      const result = await identifyLimiters(wanted, { rules, windows: windowsOf(windows) }, io)
      if (json) printJson(io, result)
      else io.out(identifyText(result))
    } else {
      const pace = await tunePace(wanted, { rules, seconds }, io)
      if (args.out !== undefined) {
        const file = path.resolve(io.cwd, args.out)
        writeFileSync(file, `${JSON.stringify(pace, undefined, 2)}\n`)
        io.err(`client configuration: ${file}\n`)
      }
      if (json) printJson(io, pace)
      else io.out(paceText(pace))
    }
    return io.signal.aborted ? exits.interrupted : exits.conformant
  },
}
