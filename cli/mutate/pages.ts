import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gaps } from '../../contract/gaps.ts'
import { rules } from '../../contract/rules.ts'
import { killMatrixPage } from '../../reports/kill-matrix.ts'
import { reportPage } from '../../reports/page/page.ts'
import { titleOf } from '../../suites/support/checks/rule.ts'
import { outcomesOf } from '../gap-record.ts'
import { listedChecks } from '../registered.ts'
import { toolVersion } from '../version.ts'
import type { MutationResult } from './run.ts'

/** Writes the kill matrix: as data, as text, and on the report page beside what the checks said of the sound reference. */
export const writeMatrix = async (
  { matrix, sound }: MutationResult,
  { out, seed, started }: { readonly out: string; readonly seed: number; readonly started: string },
): Promise<void> => {
  const facts = {
    started,
    finished: new Date().toISOString(),
    seed,
    namespace: 'mutate',
    target: 'the embedded reference, sound and with each known defect',
    version: toolVersion(),
  }
  const run = { facts, findings: sound, planned: sound.length, notRun: [] }
  const page = {
    run,
    rules,
    gaps,
    outcomes: outcomesOf(sound),
    kills: matrix,
    language: 'en' as const,
  }
  const suite = (await listedChecks()).map(({ rule, variant }) => titleOf(rule, variant))
  await writeFile(path.join(out, 'mutants.json'), `${JSON.stringify(matrix, undefined, 2)}\n`)
  await writeFile(path.join(out, 'kill-matrix.md'), killMatrixPage(matrix, suite))
  await writeFile(path.join(out, 'index.html'), reportPage(page))
}
