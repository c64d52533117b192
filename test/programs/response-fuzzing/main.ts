import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { runVaried } from './run.ts'

/**
 * `node scripts/response-fuzzing.mjs [--seed N] [selectors..]`: the suite against the reference behind a front that gives every
 * answer otherwise, as far as the contract leaves it free. Ends with 1 when a check minds.
 */
const { values, positionals } = parseArgs({
  options: { seed: { type: 'string', default: '1' } },
  allowPositionals: true,
})
const folder = mkdtempSync(path.join(tmpdir(), 'assay-varied-'))
const { findings, answers } = await runVaried(Number(values.seed), positionals, folder)
const fine = new Set(['pass', 'observed', 'not-verifiable', 'not-applicable'])
for (const { rule, variant = '', verdict, expected = '', actual = '', reason = '' } of findings)
  if (!fine.has(verdict))
    process.stdout.write(
      `${verdict} ${rule} (${variant})\n  expected ${expected}\n  actual ${actual}\n  ${reason}\n`,
    )
process.stdout.write(`seed ${values.seed}: ${findings.length} findings, ${answers} answers\n`)
process.exitCode = findings.length > 0 && findings.every(({ verdict }) => fine.has(verdict)) ? 0 : 1
rmSync(folder, { recursive: true, force: true })
