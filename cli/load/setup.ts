import path from 'node:path'
import { findK6 } from '../../load/engine.ts'
import type { K6 } from '../../load/engine.ts'
import type { ProfileId } from '../../load/profiles.ts'
import type { Io } from '../io.ts'
import { couldNotRun, usageError } from '../io.ts'
import { limitsOf } from '../limits.ts'
import { dialectOf, namespaceOf, seedOf } from '../options.ts'
import { temporaryDirectory } from '../temporary.ts'
import { runsFolder } from './stored.ts'
import type { Places } from './stored.ts'
import { loadTarget } from './target.ts'
import type { LoadTarget } from './target.ts'

/** What every load run needs before it begins: a target, a directory, a name, and k6. */

export interface LoadArgs {
  readonly profile: ProfileId
  readonly count: number | undefined
  readonly rate: number | undefined
  readonly maxP95: number | undefined
  readonly target: string | undefined
  readonly dialect: string | undefined
  readonly limits: string | undefined
  readonly seed: number | undefined
  readonly namespace: string | undefined
  /** k6 processes that share the load; 1 when absent. */
  readonly segments?: number
  /** Outputs of k6, as its `--out` takes them. */
  readonly k6Out?: readonly string[]
  /** Whether k6 exports its own dashboard beside the report. */
  readonly k6Dashboard?: boolean
  /** Directory of the stored run; `reports/out/load/<id>` when absent. */
  readonly out: string | undefined
  /** Directory for the pictures of the run; none when absent. */
  readonly svg?: string | undefined
}

/** Which run it is. */
export interface RunIdentity {
  readonly id: string
  readonly scenario: string
  readonly profile: string
  readonly seed: number
  readonly target: string
  readonly limits: string
  readonly started: string
}

export interface LoadSetup {
  readonly target: LoadTarget
  /** Finds k6, or builds it. */
  readonly findK6: () => Promise<K6>
  readonly count: number | undefined
  readonly rate: number | undefined
  readonly seed: number
  readonly namespace: string
  readonly segments: number
  /** For files of this run alone; it is removed afterwards. */
  readonly directory: string
  /** The run begins now: its identity, and where it is stored. */
  readonly begin: () => { readonly identity: RunIdentity; readonly places: Places }
}

/** An option that is a whole number from 1, or absent. */
export const whole = (option: string, value: number | undefined): number | undefined => {
  if (value !== undefined && (!Number.isInteger(value) || value < 1))
    throw usageError(`--${option}: expected an integer from 1, received ${value}`)
  return value
}

/** Where a run is stored, by its options. */
export const placesOf = (
  id: string,
  { out, svg }: Pick<LoadArgs, 'out' | 'svg'>,
  io: Io,
): Places => ({
  folder: path.resolve(io.cwd, out ?? path.join(runsFolder, id)),
  svg: svg === undefined ? undefined : path.resolve(io.cwd, svg),
})

const k6For = (io: Io) => async (): Promise<K6> => {
  const k6 = await findK6({ build: true, onProgress: (line) => io.err(`${line}\n`) })
  if ('missing' in k6) throw couldNotRun(`load was not run: ${k6.missing} ${k6.advice}`)
  return k6
}

/**
 * Opens the target of a load run, carries out the work, and closes what was opened.
 * @throws {Explained} when an option is wrong, or the target is not available
 */
export const withLoadSetup = async <T>(
  scenario: string,
  args: LoadArgs,
  io: Io,
  work: (setup: LoadSetup) => Promise<T>,
): Promise<T> => {
  const { rate, profile } = args
  if (rate !== undefined && !(rate > 0))
    throw usageError(`--rate: expected a number above 0, received ${rate}`)
  const count = whole('count', args.count)
  const seed = seedOf(args.seed)
  const namespace = namespaceOf(args.namespace)
  const segments = whole('segments', args.segments) ?? 1
  const dialect = dialectOf(args.dialect)
  const limits = limitsOf(args.limits ?? (args.target === undefined ? 'off' : undefined))
  const target = await loadTarget(
    {
      target: args.target,
      seed,
      contexts: segments,
      ...(dialect === undefined ? {} : { dialect }),
      ...(limits === undefined ? {} : { limits }),
    },
    io,
  )
  const { directory, dispose } = temporaryDirectory('load')
  try {
    const begin = () => {
      const started = new Date().toISOString()
      const identity: RunIdentity = {
        id: `${started.replace(/[-:]|\.\d+/g, '')}-${scenario}-${profile}-${namespace}`,
        scenario,
        profile,
        seed,
        target: args.target === undefined ? 'the embedded reference' : target.profile.url,
        limits: typeof limits === 'object' ? 'own table' : (limits ?? "the target's"),
        started,
      }
      return { identity, places: placesOf(identity.id, args, io) }
    }
    return await work({
      target,
      findK6: k6For(io),
      count,
      rate,
      seed,
      namespace,
      segments,
      directory,
      begin,
    })
  } finally {
    await target.close()
    await dispose()
  }
}
