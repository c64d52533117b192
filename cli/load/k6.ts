import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { k6Environment } from '../../load/engine.ts'
import type { K6 } from '../../load/engine.ts'
import type { Measured } from '../../load/plan.ts'
import type { Io } from '../io.ts'
import { couldNotRun } from '../io.ts'
import { built } from '../root.ts'

/** k6's own exit code when a threshold was crossed: the run itself went well. */
const thresholdsCrossed = 99

/** Runs k6 on a plan and reads what it measured. */
export const runK6 = async (k6: K6, plan: string, result: string, io: Io): Promise<Measured> => {
  const said: string[] = []
  const code = await new Promise<number | null>((resolve, reject) => {
    const child = spawn(
      k6.path,
      ['run', '--quiet', '--no-color', path.join(built, 'load/main.js')],
      {
        env: { ...k6Environment(), ...io.env, ASSAY_PLAN: plan },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        said.push(chunk.toString())
        if (io.env['ASSAY_VERBOSE']) io.err(chunk.toString())
      })
    const stop = () => child.kill('SIGINT')
    io.signal.addEventListener('abort', stop)
    child.on('error', reject)
    child.on('exit', (exit) => {
      io.signal.removeEventListener('abort', stop)
      resolve(exit)
    })
  })
  const text = await readFile(result, 'utf8').catch(() => undefined)
  if ((code !== 0 && code !== thresholdsCrossed) || text === undefined)
    throw couldNotRun(
      `k6 ended with ${code ?? 'a signal'}${text === undefined ? ' and left no result' : ''}:\n${said.join('').trim().split('\n').slice(-12).join('\n')}`,
    )
  return JSON.parse(text) as Measured
}
