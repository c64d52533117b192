import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { createRng } from '../../../lib/random.ts'
import { readCommandLine } from '../command-line.ts'
import { crashRepeatedly } from './run.ts'

interface Options {
  readonly rounds: number
  readonly seed: number
  readonly longest: number
}

const crashTest = async ({ rounds, seed, longest }: Options): Promise<number> => {
  const rng = createRng(`crash test ${seed}`)
  process.stderr.write(`seed ${seed}, ${rounds} crashes, each within ${longest} ms of work\n`)
  const data = mkdtempSync(path.join(tmpdir(), 'assay-crash-test-'))
  try {
    const report = await crashRepeatedly({
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
      `${report.crashes} crashes, ${report.facts} facts, ${report.checks} checks, ${report.differences.length} differences\n`,
    )
    return report.differences.length === 0 ? 0 : 1
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

const asked = await readCommandLine({
  command: 'npm run crash-test --',
  shows:
    'Shows that `assay serve --data` loses nothing that it has answered: kills the service at random moments under a load of every kind, starts it again, and compares what it returns with what it had answered.',
  options: {
    rounds: { type: 'number', default: 25, describe: 'Number of crashes' },
    seed: { type: 'number', default: 1, describe: 'Seed of the moments' },
    longest: { type: 'number', default: 3000, describe: 'Maximum milliseconds of work per round' },
  },
})
if (asked !== undefined) process.exitCode = await crashTest(asked)
