import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { readCommandLine } from '../command-line.ts'
import { runResponseFuzzing } from './run.ts'

const unchanged = new Set(['pass', 'observed', 'not-verifiable', 'not-applicable'])

const fuzz = async (seed: number, selectors: readonly string[]): Promise<number> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-response-fuzzing-'))
  try {
    const { findings, answers } = await runResponseFuzzing(seed, selectors, folder)
    for (const { rule, variant = '', verdict, expected = '', actual = '', reason = '' } of findings)
      if (!unchanged.has(verdict))
        process.stdout.write(
          `${verdict} ${rule} (${variant})\n  expected ${expected}\n  actual ${actual}\n  ${reason}\n`,
        )
    process.stdout.write(`seed ${seed}: ${findings.length} findings, ${answers} responses\n`)
    return findings.length > 0 && findings.every(({ verdict }) => unchanged.has(verdict)) ? 0 : 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const asked = await readCommandLine({
  command: 'npm run response-fuzzing --',
  shows:
    'Shows that no check depends on an accident of the reference: runs the suite through a proxy that rewrites every response within the contract. The verdicts must not change.',
  takes: { name: 'selectors', describe: 'areas, prefixes or rule ids; every rule when absent' },
  options: { seed: { type: 'number', default: 1, describe: 'Seed of the rewriting' } },
})
if (asked !== undefined) process.exitCode = await fuzz(asked.seed, asked.arguments)
