import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gapChanges, gapOutcomes } from '../reports/gap-outcomes.ts'
import type { GapChange, GapOutcome } from '../reports/gap-outcomes.ts'
import type { Run } from '../reports/run.ts'

/** What the gaps turned out to be, kept in the directory of each run. */
export interface GapRecord {
  readonly target: string
  readonly started: string
  readonly gaps: readonly GapOutcome[]
  /** Since the last run against the same target; absent where there is none. */
  readonly changes?: readonly GapChange[]
}

const fileName = 'gaps.json'

const read = (directory: string): GapRecord | undefined => {
  const file = path.join(directory, fileName)
  if (!existsSync(file)) return undefined
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as GapRecord
  } catch {
    // An interrupted run left half a file: there is nothing to compare with.
    return undefined
  }
}

/** The last record of the same target in the directories beside that of a run. */
const previous = (out: string, target: string, started: string): GapRecord | undefined =>
  readdirSync(path.dirname(out), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== path.basename(out))
    .flatMap(({ name }) => read(path.join(path.dirname(out), name)) ?? [])
    .filter((record) => record.target === target && record.started < started)
    .toSorted((a, b) => (a.started < b.started ? 1 : -1))[0]

/** Keeps what the gaps turned out to be in a run, beside its findings. */
export const keepGaps = (out: string, { facts, findings }: Run): GapRecord => {
  const { target, started } = facts
  const gaps = gapOutcomes(findings)
  const before = previous(out, target, started)
  const record = {
    target,
    started,
    gaps,
    ...(before === undefined ? {} : { changes: gapChanges(gaps, before.gaps) }),
  }
  writeFileSync(path.join(out, fileName), `${JSON.stringify(record, undefined, 2)}\n`)
  return record
}
