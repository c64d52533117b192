import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import type { Finding } from '../../../reports/finding.ts'
import { readCommandLine } from '../command-line.ts'
import { runPlain, runResponseFuzzing } from './run.ts'

const keyOf = ({ rule, check }: Pick<Finding, 'rule' | 'check'>): string => `${rule} ${check}`

/** Differences between two runs of the same checks, one a line or more. */
function* differences(
  plain: readonly Finding[],
  rewritten: readonly Finding[],
): Generator<string, void> {
  const before = new Map(plain.map((finding) => [keyOf(finding), finding.verdict]))
  for (const finding of rewritten) {
    const { verdict, rule, variant = '', expected = '', actual = '', reason = '' } = finding
    const was = before.get(keyOf(finding))
    before.delete(keyOf(finding))
    // A finding about answers exists only if an answer was wrong.
    if (was === verdict || (was === undefined && verdict === 'pass')) continue
    yield `${was ?? 'nothing'} -> ${verdict} ${rule} (${variant})\n  expected ${expected}\n  actual ${actual}\n  ${reason}`
  }
  for (const [key, verdict] of before) yield `${verdict} -> nothing ${key}`
}

const fuzz = async (seed: number, selectors: readonly string[]): Promise<number> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-response-fuzzing-'))
  const below = (name: string) => {
    const inner = path.join(folder, name)
    mkdirSync(inner)
    return { seed, selectors, folder: inner }
  }
  try {
    const [plain, { findings, notRun, answers, faults }] = await Promise.all([
      runPlain(below('plain')),
      runResponseFuzzing(below('rewritten')),
    ])
    const different = [
      ...differences(plain.findings, findings),
      ...[...plain.notRun, ...notRun].map(({ check }) => `not run: ${check}`),
      ...faults.map((fault) => `not answered by the proxy: ${fault}`),
    ]
    for (const line of different) process.stdout.write(`${line}\n`)
    process.stdout.write(
      `seed ${seed}: ${findings.length} findings, ${answers} responses, ${different.length} differences\n`,
    )
    return findings.length > 0 && different.length === 0 ? 0 : 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const asked = await readCommandLine({
  command: 'npm run response-fuzzing --',
  shows:
    'Shows that no check depends on an accident of the reference: runs the suite directly, and through a proxy that rewrites every response within the contract. The verdicts must be the same.',
  takes: { name: 'selectors', describe: 'areas, prefixes or rule ids; every rule when absent' },
  options: { seed: { type: 'number', default: 1, describe: 'Seed of the rewriting' } },
})
if (asked !== undefined) process.exitCode = await fuzz(asked.seed, asked.arguments)
