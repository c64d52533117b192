import { verdicts } from '../lib/verdict.ts'
import type { Finding } from './finding.ts'
import { grouped } from './finding.ts'
import type { SuiteRecord } from './plan.ts'
import type { Run, RunFacts } from './run.ts'

/** One part of a run that was split with `--shard`. */
export interface RunPart {
  /** Its directory, as the user named it. */
  readonly name: string
  readonly facts: RunFacts
  readonly record: SuiteRecord
}

/** The parts do not make up one run; the message says why. */
export class MergeError extends Error {
  override readonly name = 'MergeError'
}

const sameOf = (parts: readonly RunPart[], what: 'seed' | 'target' | 'version'): void => {
  const values = grouped(parts, ({ facts }) => String(facts[what]))
  if (values.size < 2) return
  const each = [...values].map(
    ([value, of]) => `${value} in ${of.map(({ name }) => name).join(', ')}`,
  )
  throw new MergeError(`the parts have different values of ${what}: ${each.join('; ')}`)
}

/** Every shard once, and none missing: a part that is left out must not read as passed. */
const complete = (parts: readonly RunPart[]): void => {
  const byShard = grouped(parts, ({ facts }) => facts.shard ?? '')
  const [whole] = byShard.get('') ?? []
  if (whole !== undefined)
    throw new MergeError(`${whole.name} is no part of a run: it was not run with --shard`)
  const [first = ''] = byShard.keys()
  const of = Number(first.split('/')[1])
  const expected = Array.from({ length: of }, (_, index) => `${index + 1}/${of}`)
  const foreign = [...byShard.keys()].filter((shard) => !expected.includes(shard))
  if (foreign.length > 0)
    throw new MergeError(`expected shards of ${of}, received ${foreign.join(', ')}`)
  for (const shard of expected) {
    const found = byShard.get(shard) ?? []
    if (found.length === 0) throw new MergeError(`the shard ${shard} is missing`)
    if (found.length > 1)
      throw new MergeError(
        `the shard ${shard} is there twice: ${found.map(({ name }) => name).join(', ')}`,
      )
  }
}

/** Faults of answers are found in every part that met them: the worst finding stands for all. */
const joined = (findings: readonly Finding[]): Finding[] =>
  [...grouped(findings, ({ rule, check }) => `${rule} ${check}`).values()].map(
    (same) =>
      same.toSorted(
        (a, b) => severity.indexOf(a.verdict) - severity.indexOf(b.verdict),
      )[0] as Finding,
  )

const severity = [
  'fail',
  ...verdicts.filter((verdict) => verdict !== 'fail' && verdict !== 'pass'),
  'pass',
]

/**
 * One run of all its parts.
 * @throws {MergeError} when they do not make up one
 */
export const mergeRuns = (parts: readonly RunPart[]): Run => {
  complete(parts)
  for (const what of ['seed', 'target', 'version'] as const) sameOf(parts, what)
  const facts = parts.map((part) => part.facts)
  const broken = parts.flatMap(({ name, record }) =>
    [...record.errors, ...(record.ended ? [] : ['it was killed before it came to its end'])].map(
      (reason): Finding => ({
        rule: 'suite',
        check: `the part ${name} ends`,
        verdict: 'broken',
        ms: 0,
        reason,
      }),
    ),
  )
  const common = Object.fromEntries(
    Object.entries(facts[0] ?? {}).filter(([name]) => name !== 'shard'),
  ) as unknown as RunFacts
  return {
    facts: {
      ...common,
      started: facts.map(({ started }) => started).toSorted()[0] ?? common.started,
      finished:
        facts
          .map(({ finished }) => finished)
          .toSorted()
          .at(-1) ?? common.finished,
      interrupted: facts.some(({ interrupted }) => interrupted === true),
    },
    findings: [...joined(parts.flatMap(({ record }) => record.findings)), ...broken],
    planned: parts.reduce((sum, { record }) => sum + record.planned, 0),
    notRun: parts.flatMap(({ record }) => record.notRun),
  }
}
