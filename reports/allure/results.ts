import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makeDirectory } from '../../lib/node/make-directory.ts'
import { ContentType, Stage, Status } from 'allure-js-commons'
import type { Label, TestResult } from 'allure-js-commons'
import { FileSystemWriter, ReporterRuntime } from 'allure-js-commons/sdk/reporter'
import type { Rule } from '../../contract/types.ts'
import type { CiBuild } from '../ci-build.ts'
import { areaOf } from '../finding.ts'
import type { Finding, Verdict } from '../finding.ts'
import type { PlannedCheck } from '../plan.ts'
import { coverageIn, headlineIn } from '../page/headline.ts'
import { sentenceIn } from '../page/sentence.ts'
import { languages } from '../page/languages.ts'
import type { Language } from '../page/languages.ts'
import type { Words } from '../page/words.ts'
import type { Run } from '../run.ts'
import { categoriesOf, kindLine, kindOf, unknownStatus } from './categories.ts'
import { allureWords } from './words.ts'

/** A warning is neither green nor red. */
const statusOf: Readonly<Record<Verdict, Status>> = {
  pass: Status.PASSED,
  warn: unknownStatus,
  observed: Status.PASSED,
  known: Status.SKIPPED,
  fail: Status.FAILED,
  inconclusive: Status.BROKEN,
  broken: Status.BROKEN,
  'not-verifiable': Status.SKIPPED,
  'not-applicable': Status.SKIPPED,
}

const severityOf = { MUST: 'critical', SHOULD: 'normal', MAY: 'minor' } as const

/** Who has to fix a failure: the owner of a rule is the side that it binds. */
const ownerOf = { S: 'service', C: 'client', B: 'service and client' } as const

export interface AllureInput {
  readonly run: Run
  readonly rules: Readonly<Record<string, Rule>>
  /** Directory of the run, below which findings name their files. */
  readonly out: string
  readonly language: Language
}

const historyId = ({ rule, variant = '' }: { readonly rule: string; readonly variant?: string }) =>
  createHash('sha256').update(`${rule}#${variant}`).digest('hex')

const nameOf = ({ rule, variant }: { readonly rule: string; readonly variant?: string }): string =>
  variant ? `${rule} (${variant})` : rule

const escapeMarkdown = (text: string): string => text.replaceAll(/[\\`*_<>[\]#|]/g, String.raw`\$&`)

const describe = (id: string, rule: Rule | undefined, language: Language): string =>
  rule === undefined
    ? ''
    : [
        escapeMarkdown(sentenceIn(id, rule, language)),
        `${rule.level}. ${allureWords[language].clause}: ${escapeMarkdown(rule.clause)}`,
      ].join('\n\n')

/** The message of a result: the HTML shows it first, and nothing else of the status. */
const messageOf = (finding: Finding, rule: Rule | undefined): string => {
  const { verdict, reason, cause, expected, actual, likely } = finding
  const kind = kindOf(finding, rule)
  return [
    verdict === 'known' ? reason : [verdict, reason].filter(Boolean).join(': '),
    cause && `cause: ${cause}`,
    expected && `expected: ${expected}`,
    actual && `actual: ${actual}`,
    likely && `likely cause: ${likely}`,
    kind && kindLine(kind),
  ]
    .filter(Boolean)
    .join('\n')
}

const labelsOf = ({ rule: id, verdict, worker }: Finding, rule: Rule | undefined): Label[] => [
  { name: 'epic', value: areaOf(id) },
  { name: 'feature', value: id },
  { name: 'parentSuite', value: areaOf(id) },
  { name: 'suite', value: id },
  { name: 'package', value: id },
  { name: 'tag', value: verdict },
  { name: 'severity', value: severityOf[rule?.level ?? 'MUST'] },
  { name: 'owner', value: ownerOf[rule?.binds ?? 'S'] },
  { name: 'framework', value: 'assay' },
  { name: 'host', value: 'assay' },
  ...(worker === undefined ? [] : [{ name: 'thread', value: `worker ${worker + 1}` }]),
]

/** The rule in the report page beside the HTML of Allure. */
const linksOf = (id: string, rule: Rule | undefined) =>
  rule === undefined
    ? []
    : [{ type: 'tms', name: `${id}: ${rule.clause}`, url: `../index.html#${id}` }]

const contentTypes: Readonly<Record<string, ContentType>> = {
  '.html': ContentType.HTML,
  '.json': ContentType.JSON,
  '.har': ContentType.JSON,
  '.svg': ContentType.SVG,
}

const attach = async (runtime: ReporterRuntime, uuid: string, finding: Finding, out: string) => {
  const text = (title: string, body: string) =>
    runtime.writeAttachment(uuid, null, title, Buffer.from(body), { contentType: 'text/plain' })
  if (finding.steps?.length) text('steps', finding.steps.join('\n'))
  if (finding.replay) text('replay', finding.replay)
  for (const { operation, curl, status, answer } of finding.exchanges ?? [])
    text(`${operation ?? 'call'} -> ${status}`, `${curl}\n\n${status}\n${answer}`)
  const files = [...(finding.files ?? []), ...(finding.har === undefined ? [] : [finding.har])]
  for (const file of files) {
    const whole = path.join(out, file)
    if (!existsSync(whole)) continue
    const contentType = contentTypes[path.extname(file)] ?? ContentType.TEXT
    runtime.writeAttachment(uuid, null, file, await readFile(whole), { contentType })
  }
}

const close = (
  runtime: ReporterRuntime,
  uuid: string,
  stop: number,
  end: { readonly status: Status; readonly statusDetails: TestResult['statusDetails'] },
): void => {
  runtime.updateTest(uuid, (result) => {
    result.stage = Stage.FINISHED
    result.status = end.status
    result.statusDetails = end.statusDetails
  })
  runtime.stopTest(uuid, { stop })
  runtime.writeTest(uuid)
}

const writeFinding = async (
  runtime: ReporterRuntime,
  finding: Finding,
  { rules, out, run, language }: AllureInput,
): Promise<void> => {
  const rule = rules[finding.rule]
  // A finding that covers several checks has no single time.
  const start = Date.parse(finding.started ?? run.facts.started)
  const { expected, actual } = finding
  const uuid = runtime.startTest({
    name: nameOf(finding),
    start,
    fullName: `${finding.rule}#${finding.variant ?? ''}`,
    historyId: historyId(finding),
    description: describe(finding.rule, rule, language),
    labels: labelsOf(finding, rule),
    links: linksOf(finding.rule, rule),
  })
  await attach(runtime, uuid, finding, out)
  close(runtime, uuid, start + finding.ms, {
    status: statusOf[finding.verdict],
    statusDetails: {
      message: messageOf(finding, rule),
      ...(expected === undefined ? {} : { expected }),
      ...(actual === undefined ? {} : { actual }),
      ...(finding.verdict === 'known' ? { known: true } : {}),
    },
  })
}

/** A planned check that did not report: neither passed nor failed, and never left out. */
const writeNotRun = (
  runtime: ReporterRuntime,
  planned: PlannedCheck,
  { rules, run }: AllureInput,
) => {
  const at = Date.parse(run.facts.finished)
  const uuid = runtime.startTest({
    name: nameOf(planned),
    start: at,
    fullName: `${planned.rule}#${planned.variant ?? ''}`,
    historyId: historyId(planned),
    labels: [
      { name: 'parentSuite', value: areaOf(planned.rule) },
      { name: 'suite', value: planned.rule },
      { name: 'tag', value: 'not run' },
    ],
    links: linksOf(planned.rule, rules[planned.rule]),
  })
  close(runtime, uuid, at, {
    status: Status.BROKEN,
    statusDetails: { message: 'not run: the run ended before this check' },
  })
}

const environmentOf = (run: Run, language: Language): Record<string, string> => {
  const { facts } = run
  const { environment } = allureWords[language]
  const words: Words = languages[language]
  return {
    [environment.verdict]: headlineIn(words, run),
    [environment.coverage]: coverageIn(words, run),
    [environment.target]: facts.target,
    [environment.seed]: String(facts.seed),
    [environment.namespace]: facts.namespace,
    [environment.assay]: facts.version,
    [environment.started]: facts.started,
    [environment.finished]: facts.finished,
  }
}

/** The CI build, in the form in which Allure shows who executed a run. */
const executorOf = ({ server, name, number, url }: CiBuild, title: string): object => ({
  type: server,
  name,
  buildOrder: number,
  buildName: `${name} #${number}`,
  buildUrl: url,
  reportName: title,
})

/** Writes Allure results (one per finding) into `directory`, which is emptied first. */
export const writeAllureResults = async (directory: string, input: AllureInput): Promise<void> => {
  const { run, language } = input
  const title = headlineIn(languages[language], run)
  await rm(directory, { recursive: true, force: true })
  makeDirectory(directory)
  const runtime = new ReporterRuntime({
    writer: new FileSystemWriter({ resultsDir: directory }),
    environmentInfo: environmentOf(run, language),
    categories: categoriesOf(run.findings, allureWords[language]),
  })
  for (const finding of run.findings) await writeFinding(runtime, finding, input)
  for (const planned of run.notRun) writeNotRun(runtime, planned, input)
  runtime.writeEnvironmentInfo()
  runtime.writeCategoriesDefinitions()
  const { build } = run.facts
  if (build !== undefined)
    await writeFile(path.join(directory, 'executor.json'), JSON.stringify(executorOf(build, title)))
}
