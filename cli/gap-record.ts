import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ruleIds } from '../contract/rules.ts'
import type { Finding } from '../reports/finding.ts'
import { gapChanges, gapOutcomes } from '../reports/gap-outcomes.ts'
import type { GapChange, GapOutcome } from '../reports/gap-outcomes.ts'
import type { Run } from '../reports/run.ts'
import { rowOf } from '../suites/support/checks/rule.ts'

/** What the gaps turned out to be, kept in the directory of each run. */
export interface GapRecord {
  readonly target: string
  /** The same target in another dialect is another one: the embedded reference has one address in all of them. */
  readonly dialect?: string
  readonly started: string
  readonly gaps: readonly GapOutcome[]
  /** Since the last run that saw each gap against the same target; absent where there was no run. */
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

/** The records of earlier runs against the same target, in the directories beside that of a run, the last one first. */
const earlier = (
  out: string,
  { target, dialect, started }: Pick<GapRecord, 'target' | 'dialect' | 'started'>,
): readonly GapRecord[] =>
  readdirSync(path.dirname(out), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== path.basename(out))
    .flatMap(({ name }) => read(path.join(path.dirname(out), name)) ?? [])
    .filter(
      (record) =>
        record.target === target && record.dialect === dialect && record.started < started,
    )
    .toSorted((a, b) => (a.started < b.started ? 1 : -1))

/** The outcomes of all gaps, by what each check rests on. */
export const outcomesOf = (findings: readonly Finding[]): readonly GapOutcome[] =>
  gapOutcomes(findings, ({ rule, variant }) => {
    const id = ruleIds.find((known) => known === rule)
    return id && rowOf(id, variant)
  })

/** Keeps what the gaps turned out to be in a run, beside its findings. */
export const keepGaps = (out: string, { facts, findings }: Run): GapRecord => {
  const { target, dialect, started } = facts
  const gaps = outcomesOf(findings)
  const key = { target, ...(dialect === undefined ? {} : { dialect }), started }
  const before = earlier(out, key).map((record) => record.gaps)
  const record = {
    ...key,
    gaps,
    ...(before.length === 0 ? {} : { changes: gapChanges(gaps, before) }),
  }
  writeFileSync(path.join(out, fileName), `${JSON.stringify(record, undefined, 2)}\n`)
  return record
}
