import { createHash } from 'node:crypto'

/** An in-toto Statement with the test-result predicate: what was tested, and how it ended. */

export const payloadType = 'application/vnd.in-toto+json'
export const statementType = 'https://in-toto.io/Statement/v1'
const predicateType = 'https://in-toto.io/attestation/test-result/v0.1'

export interface Described {
  readonly name: string
  readonly digest: { readonly sha256: string }
}

export interface Statement {
  readonly _type: string
  /** Every file of the pack, and what was tested where it is a file. */
  readonly subject: readonly Described[]
  readonly predicateType: string
  readonly predicate: {
    readonly result: 'PASSED' | 'WARNED' | 'FAILED'
    readonly configuration: readonly Described[]
    readonly passedTests: readonly string[]
    readonly warnedTests: readonly string[]
    readonly failedTests: readonly string[]
  }
}

export interface TestedRule {
  readonly rule: string
  readonly verdict: string
}

const failing = new Set(['fail', 'broken', 'inconclusive'])
const warning = new Set(['warn', 'known'])

export const sha256 = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex')

const namesWith = (rules: readonly TestedRule[], isIn: (verdict: string) => boolean): string[] =>
  [...new Set(rules.filter(({ verdict }) => isIn(verdict)).map(({ rule }) => rule))].toSorted()

export function statementOf(
  rules: readonly TestedRule[],
  subject: readonly Described[],
  configuration: readonly Described[],
  isComplete: boolean,
): Statement {
  const failedTests = namesWith(rules, (verdict) => failing.has(verdict))
  const failed = new Set(failedTests)
  const without = (names: readonly string[], others: ReadonlySet<string>) =>
    names.filter((name) => !others.has(name))
  const warnedTests = without(
    namesWith(rules, (verdict) => warning.has(verdict)),
    failed,
  )
  const passedTests = without(
    namesWith(rules, (verdict) => verdict === 'pass' || verdict === 'observed'),
    new Set([...failed, ...warnedTests]),
  )
  const isPassed = isComplete && failedTests.length === 0 && passedTests.length > 0
  return {
    _type: statementType,
    subject,
    predicateType,
    predicate: {
      result: isPassed ? (warnedTests.length > 0 ? 'WARNED' : 'PASSED') : 'FAILED',
      configuration,
      passedTests,
      warnedTests,
      failedTests,
    },
  }
}
