import { variantName } from '../contract/rules.ts'
import type { OutcomeKind } from '../lib/outcome.ts'
import type { Finding } from './finding.ts'

export interface MutantRow {
  readonly id: string
  readonly breaks: readonly string[]
  readonly killed: boolean
  /** Rules whose checks killed it. */
  readonly by: readonly string[]
  /** Titles of the checks that killed it. */
  readonly checks: readonly string[]
  /** Why it is no defect in this dialect: the dialect has none of the rules that it breaks. */
  readonly notApplicable?: string
  /** Some of its checks did not report, and none that did killed it: nothing is known of it. */
  readonly notRun?: true
  readonly ms: number
}

/** What one check did against the mutants of its rule. */
export interface CheckRow {
  readonly check: string
  readonly rule: string
  /** Number of mutants that it ran against, and those that it killed. */
  readonly tried: number
  readonly kills: readonly string[]
}

export interface KillMatrix {
  readonly mutants: readonly MutantRow[]
  readonly checks: readonly CheckRow[]
  readonly killed: number
  readonly survived: number
  readonly notApplicable: number
  readonly notRun: number
  /** 4 when a mutant survived, 3 when a mutant was not run or no mutant was checked. */
  readonly exit: 0 | 3 | 4
}

/** One run of one check against one mutant. */
export interface Trial {
  readonly mutant: string
  readonly rule: string
  /** Title of the check, without the mutant; absent for faults of answers that a check only came across. */
  readonly check?: string
  /** Title of the check that met such a fault. */
  readonly during?: string
  readonly outcome: OutcomeKind
  readonly reason?: string | undefined
  readonly ms: number
}

/** Why no check of a mutant applies to the dialect. */
const lacking = (trials: readonly Trial[]): string | undefined =>
  trials.length > 0 && trials.every(({ outcome }) => outcome === 'not-applicable')
    ? [...new Set(trials.map(({ reason }) => reason ?? 'the dialect lacks it'))].join('; ')
    : undefined

const grouped = <T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> => {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

/**
 * Killed: a check of a rule that the mutant breaks saw it violated. Inconclusive kills nothing. Where the dialect has
 * none of those rules, the mutant is no defect there. Where a planned check of a mutant did not report, a mutant that
 * is not killed has not survived either.
 */
export const killMatrix = (
  mutants: readonly {
    readonly id: string
    readonly breaks: readonly string[]
    /** Why it is no defect in this dialect, whatever the checks say. */
    readonly absent?: string | undefined
  }[],
  trials: readonly Trial[],
  /** Mutants with planned checks that did not report. */
  unfinished: ReadonlySet<string> = new Set(),
): KillMatrix => {
  const trialsOf = grouped(trials, ({ mutant }) => mutant)
  const rows = mutants.map(({ id, breaks, absent }) => {
    const own = trialsOf.get(id) ?? []
    const kills = own.filter(({ outcome, rule }) => outcome === 'violated' && breaks.includes(rule))
    const by = [...new Set(kills.map(({ rule }) => rule))]
    const checks = [...new Set(kills.flatMap(({ check }) => check ?? []))]
    const notApplicable = absent ?? (unfinished.has(id) ? undefined : lacking(own))
    return {
      id,
      breaks,
      killed: by.length > 0,
      by,
      checks,
      ...(notApplicable === undefined ? {} : { notApplicable }),
      ...(unfinished.has(id) && by.length === 0 ? { notRun: true as const } : {}),
      ms: own.reduce((sum, { ms }) => sum + ms, 0),
    }
  })
  const killed = rows.filter((row) => row.killed).length
  const notApplicable = rows.filter((row) => row.notApplicable !== undefined).length
  const notRun = rows.filter((row) => row.notRun === true).length
  const survived = rows.length - killed - notApplicable - notRun
  const exit = survived > 0 ? 4 : notRun > 0 || killed === 0 ? 3 : 0
  const checks = [...grouped(trials, ({ check }) => check)].flatMap(([check, own]) => {
    const [first] = own
    if (check === undefined || first === undefined) return []
    const kills = own.filter(({ outcome }) => outcome === 'violated').map(({ mutant }) => mutant)
    return [{ check, rule: first.rule, tried: own.length, kills }]
  })
  return { mutants: rows, checks, killed, survived, notApplicable, notRun, exit }
}

/** Checks that need not notice any mutant, with the reason. */
export const observations: Readonly<Record<string, string>> = {
  'MAY auth.xades.certificate-check-delay':
    'A service may ask the issuer for the status of a certificate: how long that takes is observed.',
  'MAY receipts.independent':
    'A receipt may outlive the invoice: whether a target serves both is observed.',
}

/** Variants, or families of them, whose checks need not notice any mutant, with the reason. */
export const untriedVariants: Readonly<Record<string, string>> = {
  'any sequence':
    'The model compares whole histories, which takes seconds for each mutant: its rules have checks of their own, and test/generators/model.spec.ts breaks what the model compares.',
  'other form':
    'The check is the same in its first form, which notices mutants of its own; in another form it is put to those that forget that form.',
}

/** Why a check need not notice any mutant; undefined where it has to. */
const excuseOf = (check: string): string | undefined => {
  const [, variant = ''] = check.split(' / ')
  return observations[check] ?? untriedVariants[variantName(variant)]
}

/** Each check that need not notice any mutant, with the reason. */
const excused = (checks: readonly string[]): readonly (readonly [check: string, why: string])[] =>
  checks.flatMap((check) => {
    const why = excuseOf(check)
    return why === undefined ? [] : [[check, why] as const]
  })

/** The verdict of a check on the sound reference. */
type Judged = Pick<Finding, 'check' | 'rule' | 'verdict'>

/** A check that held and noticed no mutant. */
export type UnprovedCheck = Pick<Judged, 'check' | 'rule'>

/** The checks that held on the sound reference and noticed no mutant, beyond those with a reason. */
export const unprovedChecks = (
  { checks }: KillMatrix,
  sound: readonly Judged[],
): UnprovedCheck[] => {
  const proved = new Set(checks.flatMap(({ check, kills }) => (kills.length > 0 ? check : [])))
  return sound.filter(
    ({ check, verdict }) =>
      (verdict === 'pass' || verdict === 'observed') &&
      !proved.has(check) &&
      excuseOf(check) === undefined,
  )
}

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`)

/**
 * The kill matrix as a page: each check with the mutants that it ran against and those that it killed.
 * @param suite titles of all checks, including those that run against no mutant
 */
export const killMatrixPage = (
  { mutants, checks, killed, survived }: KillMatrix,
  suite: readonly string[] = [],
): string => {
  const alive = mutants.filter((row) => !row.killed && row.notApplicable === undefined)
  return [
    '# Which check catches which defect\n',
    `${killed} mutants killed, ${survived} survived, by ${checks.length} checks.\n`,
    ...(alive.length === 0
      ? []
      : [
          '## Survivors\n',
          ...alive.map(({ id, breaks }) => `- \`${id}\` breaks ${breaks.join(', ')}`),
          '',
        ]),
    '## Checks\n',
    '| rule | check | mutants | kills | for example |',
    '| --- | --- | --- | --- | --- |',
    ...checks.map(
      ({ rule, check, tried, kills }) =>
        `| ${rule} | ${cell(check)} | ${tried} | ${kills.length} | ${cell(kills.slice(0, 3).join(', '))} |`,
    ),
    '',
    '## Checks that need notice no mutant\n',
    ...excused(suite).map(([check, why]) => `- \`${check}\`: ${why}`),
    '',
  ].join('\n')
}
