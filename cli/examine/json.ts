import type { Examination } from '../../suites/client/examination.ts'
import { harmedDocuments } from '../../suites/client/exactly-once.ts'
import { toolVersion } from '../version.ts'

/** An examination as the one JSON document of `--json`. */
export const examinationJson = (
  found: Examination,
  command: readonly string[],
  exit: number,
): unknown => ({
  tool: { name: 'assay', version: toolVersion() },
  command,
  seed: found.seed,
  started: found.started,
  finished: found.finished,
  rules: found.verdicts,
  ordeals: found.results.map(
    ({
      id,
      title,
      seed,
      conditions,
      opinions,
      manners,
      ms,
      stallMs,
      inconclusive,
      ends,
      history,
    }) => ({
      id,
      title,
      seed,
      conditions,
      opinions: opinions.filter(({ verdict }) => verdict !== 'not-exercised'),
      documents: harmedDocuments(history),
      manners,
      ms,
      stallMs,
      ...(inconclusive !== undefined && { inconclusive }),
      ends,
      steps: history.steps.length,
    }),
  ),
  missing: found.missing,
  exit,
})
