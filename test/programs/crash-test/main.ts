import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { createRng } from '../../../lib/random.ts'
import { killRepeatedly } from './run.ts'

/**
 * `node scripts/crash-test.mjs`: ends the reference by `kill -9` at random moments under a load of every kind, and compares
 * after each start what it had answered. Ends with 1 when anything is not as it was told.
 */

const usage =
  'usage: node scripts/crash-test.mjs [--rounds 25] [--seed 1] [--longest MILLISECONDS]\n'

function readOptions() {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '25' },
      seed: { type: 'string', default: '1' },
      longest: { type: 'string', default: '3000' },
    },
  })
  const number = (name: string, text: string): number => {
    const value = Number(text)
    if (!Number.isInteger(value) || value < 1)
      throw new Error(`--${name}: expected a whole number above 0, received ${text}`)
    return value
  }
  return {
    rounds: number('rounds', values.rounds),
    seed: number('seed', values.seed),
    longest: number('longest', values.longest),
  }
}

async function main({ rounds, seed, longest }: ReturnType<typeof readOptions>): Promise<number> {
  const rng = createRng(`kills ${seed}`)
  process.stderr.write(`seed ${seed}, ${rounds} kills, each within ${longest} ms of work\n`)

  const data = mkdtempSync(path.join(tmpdir(), 'assay-kills-'))
  try {
    const report = await killRepeatedly({
      data,
      rounds,
      moment: () => ({
        answered: () => undefined,
        reached: new Promise((resolve) => {
          setTimeout(() => resolve(), rng.int(1, longest))
        }),
      }),
      sample: (facts) => facts.filter(() => rng.int(1, 20) === 1),
      say: (line) => process.stderr.write(`${line}\n`),
    })
    for (const line of report.differences) process.stdout.write(`${line}\n`)
    process.stdout.write(
      `${report.kills} kills, ${report.facts} facts, ${report.checks} checks, ${report.differences.length} differences\n`,
    )
    return report.differences.length === 0 ? 0 : 1
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

let asked: ReturnType<typeof readOptions> | undefined
try {
  asked = readOptions()
} catch (error) {
  process.stderr.write(`kills: ${(error as Error).message}\n${usage}`)
  process.exitCode = 2
}
if (asked !== undefined) process.exitCode = await main(asked)
