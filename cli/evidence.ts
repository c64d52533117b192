import { createPrivateKey, createPublicKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { dialects } from '../contract/dialects.ts'
import { gaps } from '../contract/gaps.ts'
import type { RuleId } from '../contract/rules.ts'
import { ruleRow, rules } from '../contract/rules.ts'
import { endpoints } from '../contract/endpoints.ts'
import { limits, rateRules } from '../contract/limits.ts'
import { gravestFirst } from '../reports/evidence/certificate-page.ts'
import type { CertifiedRule } from '../reports/evidence/certificate-page.ts'
import { isFit } from '../reports/evidence/dsse.ts'
import type { Evidence } from '../reports/evidence/pack.ts'
import { writePack } from '../reports/evidence/pack.ts'
import { sha256 } from '../reports/evidence/statement.ts'
import type { Finding } from '../reports/finding.ts'
import { groups } from './command.ts'
import type { Io } from './io.ts'
import { usageError } from './io.ts'
import { typedPath } from './paths.ts'
import { toolVersion } from './version.ts'

/** Evidence packs of a run: the options that ask for one, and what goes into it. */

export interface EvidenceArgs {
  readonly evidence: string | undefined
  readonly sign: string | undefined
  readonly subject: string | undefined
}

export const evidenceOptions = {
  evidence: {
    type: 'string',
    group: groups.output,
    describe: 'Directory for an evidence pack: findings, certificate and a statement over both',
  },
  sign: {
    type: 'string',
    group: groups.output,
    describe: 'Private key (PEM, ECDSA P-256 or Ed25519) that signs the evidence pack',
  },
  subject: {
    type: 'string',
    group: groups.output,
    describe: 'File of the build that was examined; the statement names its hash',
  },
} as const

const read = (option: string, file: string, io: Io): Buffer => {
  const full = path.resolve(io.cwd, file)
  try {
    return readFileSync(full)
  } catch {
    throw usageError(`--${option}: ${typedPath(full, io.cwd)} cannot be read; check the path`)
  }
}

/** The key of a PEM file, private for signing or public for verifying. */
export function keyOf(option: string, file: string, io: Io): KeyObject {
  const pem = read(option, file, io)
  let key: KeyObject
  try {
    key = option === 'sign' ? createPrivateKey(pem) : createPublicKey(pem)
  } catch {
    throw usageError(
      `--${option}: expected a ${option === 'sign' ? 'private' : 'public'} key (PEM, without a passphrase), received ${JSON.stringify(file)}`,
    )
  }
  if (!isFit(key))
    throw usageError(
      `--${option}: expected an ECDSA P-256 or Ed25519 key, received ${key.asymmetricKeyType ?? 'another kind'}. Try \`openssl genpkey -algorithm ed25519 -out key.pem\``,
    )
  return key
}

export const testedBuild = (file: string | undefined, io: Io) =>
  file === undefined ? undefined : { name: path.basename(file), bytes: read('subject', file, io) }

/** The contract that the verdicts are about, by what they can depend on. */
const contractDigest = (dialect: string): string =>
  sha256(
    JSON.stringify([
      rules,
      endpoints,
      limits,
      rateRules,
      gaps,
      dialects[dialect as keyof typeof dialects],
    ]),
  )

const restsOf = (list: readonly CertifiedRule[]): string[] => {
  const ids = new Set(
    list.flatMap(({ rule }) => (rule in rules ? (ruleRow(rule as RuleId).assumes ?? []) : [])),
  )
  return [...ids].flatMap((id) => {
    const gap = (gaps as Readonly<Record<string, { question: string; assumption: string }>>)[id]
    return gap === undefined ? [] : [`${id}: ${gap.question} Assumed: ${gap.assumption}`]
  })
}

/** One row for each rule of some findings: the worst of its verdicts. */
function rulesOf(findings: readonly Finding[]): CertifiedRule[] {
  const byRule = new Map<string, Finding[]>()
  for (const finding of findings)
    byRule.set(finding.rule, [...(byRule.get(finding.rule) ?? []), finding])
  return [...byRule].map(([rule, own]) => {
    const verdict =
      gravestFirst.find((one) => own.some((finding) => finding.verdict === one)) ?? 'broken'
    const first = own.find((finding) => finding.verdict === verdict)
    const row = rule in rules ? ruleRow(rule as RuleId) : undefined
    return {
      rule,
      verdict,
      level: row?.level ?? 'MUST',
      sentence: row?.sentence ?? first?.check ?? '',
      reason: first?.reason ?? first?.actual ?? `${own.length} checks`,
    }
  })
}

export interface PackFacts {
  readonly title: string
  readonly examined: string
  readonly dialect: string
  readonly seed: number
  readonly started: string
  readonly finished: string
  readonly rules: readonly CertifiedRule[]
  readonly verdict: string
  readonly isComplete: boolean
  readonly files: Readonly<Record<string, string>>
  readonly measures?: readonly (readonly [string, string])[]
  readonly advice?: readonly string[]
}

/** What a run of checks or of load puts into a pack. */
export const evidenceOf = (
  title: string,
  run: {
    readonly target: string
    readonly dialect: string | undefined
    readonly seed: number
    readonly started: string
    readonly finished: string
  },
  findings: readonly Finding[],
  exit: number,
): PackFacts => ({
  title,
  examined: run.target,
  dialect: run.dialect ?? 'svc',
  seed: run.seed,
  started: run.started,
  finished: run.finished,
  verdict: exit === 0 ? 'Conformant' : exit === 1 ? 'Not conformant' : 'No verdict',
  isComplete: exit === 0 || exit === 1,
  rules: rulesOf(findings),
  files: {
    'findings.ndjson': findings.map((finding) => `${JSON.stringify(finding)}\n`).join(''),
  },
})

/** Refuses early what would only be found at the end of a long run. */
export function checkEvidence(args: EvidenceArgs, io: Io): void {
  if (args.evidence === undefined && (args.sign !== undefined || args.subject !== undefined))
    throw usageError(
      `--${args.sign === undefined ? 'subject' : 'sign'} needs --evidence DIR, the directory of the pack`,
    )
  if (args.sign !== undefined) keyOf('sign', args.sign, io)
  testedBuild(args.subject, io)
}

/** Writes the pack that was asked for, and names it on standard error. */
export function writeEvidence(args: EvidenceArgs, facts: PackFacts, io: Io): void {
  if (args.evidence === undefined) return
  const tested = testedBuild(args.subject, io)
  const { dialect, files, measures = [], advice = [], ...rest } = facts
  const tool = `assay ${toolVersion()}`
  const contract = { dialect, sha256: contractDigest(dialect) }
  const evidence: Evidence = {
    ...rest,
    tool,
    contract,
    measures,
    advice,
    gaps: restsOf(facts.rules),
    tested,
    build: tested && { name: tested.name, sha256: sha256(tested.bytes) },
    files: {
      'run.json': `${JSON.stringify({ tool, contract, examined: facts.examined, seed: facts.seed, started: facts.started, finished: facts.finished, verdict: facts.verdict, rules: facts.rules }, undefined, 2)}\n`,
      ...files,
    },
  }
  const folder = path.resolve(io.cwd, args.evidence)
  writePack(folder, evidence, args.sign === undefined ? undefined : keyOf('sign', args.sign, io))
  io.err(`evidence pack: ${typedPath(folder, io.cwd)}\n`)
}
