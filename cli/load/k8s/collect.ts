import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { parseLine } from '../../../load/trace/line.ts'
import type { TraceLine } from '../../../load/trace/line.ts'
import type { Io } from '../../io.ts'
import { usageError } from '../../io.ts'
import { limitsOf } from '../../limits.ts'
import { conclude } from '../conclude.ts'
import type { LoadResult } from '../result.ts'
import { placesOf } from '../setup.ts'
import type { LoadArgs } from '../setup.ts'
import { loadTarget } from '../target.ts'
import type { EmittedRun } from './emit.ts'

/** The verdict of a load that a cluster carried out, from what its pods logged. */

const readRun = async (folder: string): Promise<EmittedRun> => {
  const file = path.join(folder, 'run.json')
  try {
    return JSON.parse(await readFile(file, 'utf8')) as EmittedRun
  } catch (error) {
    throw usageError(
      `load collect: expected a directory that \`assay load --emit k8s\` wrote, with run.json, received ${folder} (${(error as Error).message})`,
    )
  }
}

const readTrace = async (file: string): Promise<readonly TraceLine[]> => {
  const trace: TraceLine[] = []
  try {
    for await (const text of createInterface(createReadStream(file))) {
      const line = parseLine(text)
      if (line !== undefined) trace.push(line)
    }
  } catch (error) {
    throw usageError(
      `load collect: expected a file with the log of pods, received ${file} (${(error as Error).message})`,
    )
  }
  if (trace.length === 0)
    throw usageError(
      `load collect: expected the log of runner pods, ${file} has no line of a trace. Try: kubectl logs -l k6_cr=NAME,runner=true --tail=-1`,
    )
  return trace
}

/** When the first call of a trace left. */
const begunAt = (trace: readonly TraceLine[]): string | undefined => {
  const calls = trace.flatMap((line) => (line.t === 'call' ? [line.begun] : []))
  return calls.length === 0
    ? undefined
    : new Date(calls.reduce((a, b) => Math.min(a, b))).toISOString()
}

/**
 * Accounts for every invoice of a load that was emitted before.
 * @param names its directory, then the logs of its pods
 */
export const collectRun = async (
  names: readonly string[],
  args: LoadArgs,
  io: Io,
): Promise<LoadResult> => {
  const [directory, ...logs] = names.map((name) => path.resolve(io.cwd, name))
  if (directory === undefined || logs.length === 0)
    throw usageError(
      `load collect: expected a directory and logs, received ${names.length === 0 ? 'nothing' : names.join(' ')}. Try: assay load collect DIR DIR/pods.log --target target.json`,
    )
  if (args.target === undefined)
    throw usageError('load collect: expected --target, the profile of the run, received none')
  const emitted = await readRun(directory)
  const { identity, segments, sellers } = emitted
  const traces: (readonly TraceLine[])[] = []
  for (const log of logs) traces.push(await readTrace(log))
  const trace = traces.flat()
  const limits = limitsOf(args.limits)
  const target = await loadTarget(
    {
      target: args.target,
      seed: identity.seed,
      contexts: segments,
      ...(emitted.dialect === null ? {} : { dialect: emitted.dialect }),
      ...(limits === undefined ? {} : { limits }),
    },
    io,
  )
  try {
    const here = target.contexts.map(({ seller }) => seller)
    if (here.join() !== sellers.join())
      throw usageError(
        `load collect: expected the contexts of the run, ${sellers.join(', ')}; --target has ${here.join(', ')}`,
      )
    return await conclude(
      {
        ...emitted,
        target,
        identity: { ...identity, started: begunAt(trace) ?? identity.started },
        maximumP95: emitted.maximumP95 ?? undefined,
        run: { trace, endedBy: undefined },
        places: placesOf(identity.id, { ...args, out: args.out ?? directory }, io),
      },
      io,
    )
  } finally {
    await target.close()
  }
}
