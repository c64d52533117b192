import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makeDirectory } from '../lib/node/make-directory.ts'
import { rules } from '../contract/rules.ts'
import { generateAllureHtml } from '../reports/allure/html.ts'
import { writeAllureResults } from '../reports/allure/results.ts'
import type { Comparison } from '../reports/compare.ts'
import { shownFinding } from '../reports/finding.ts'
import type { Finding } from '../reports/finding.ts'
import { gaps } from '../contract/gaps.ts'
import { figuresIn } from '../reports/charts/page.ts'
import { reportPage } from '../reports/page/page.ts'
import type { Language } from '../reports/page/words.ts'
import { ctrf } from '../reports/ctrf.ts'
import { junit } from '../reports/junit.ts'
import { gapSection } from '../reports/gap-outcomes.ts'
import { matrix } from '../reports/matrix.ts'
import { headline } from '../reports/run.ts'
import { keepGaps } from './gap-record.ts'
import type { Io } from './io.ts'
import { systemError } from './system-error.ts'
import type { Run, RunFacts } from '../reports/run.ts'

const factsFile = (out: string) => path.join(out, 'run.json')

/** Keeps the facts of a run beside its findings, so that `assay report` can repeat the reports. */
export const keepRunFacts = async (out: string, facts: RunFacts): Promise<void> => {
  const { started, finished, seed, namespace, target, version } = facts
  const { interrupted = false, minVerified, shard, build } = facts
  makeDirectory(out)
  await writeFile(
    factsFile(out),
    `${JSON.stringify({ started, finished, seed, namespace, target, version, interrupted, minVerified, shard, build }, undefined, 2)}\n`,
  )
}

export const readRunFacts = async (out: string): Promise<RunFacts> => {
  const text = await readFile(factsFile(out), 'utf8').catch(() => undefined)
  if (text !== undefined) return JSON.parse(text) as RunFacts
  const unknown = new Date(0).toISOString()
  return {
    started: unknown,
    finished: unknown,
    seed: 0,
    namespace: '',
    target: 'unknown',
    version: '',
  }
}

export const writeFindings = (out: string, findings: readonly Finding[]): Promise<void> =>
  writeFile(
    path.join(out, 'findings.ndjson'),
    findings.map((finding) => `${JSON.stringify(finding)}\n`).join(''),
  )

/** What became of the reports of a run. */
export interface Reported {
  readonly written: readonly string[]
  /** Reports that this machine cannot make, and what it lacks. */
  readonly missing: readonly string[]
  /** Reports that should have been written and were not, and why. */
  readonly failed: readonly string[]
}

/** How the reports of a run are made. */
export interface ReportOptions {
  readonly lang: Language
  /** Directory, as typed, that carries the history of Allure from run to run. */
  readonly history?: string | undefined
  /** What changed since the run that it is compared with. */
  readonly comparison?: Comparison | undefined
}

/** The charts in the files of these findings. */
const figuresOf = async (out: string, findings: readonly Finding[]): Promise<string[]> => {
  const files = new Set(findings.flatMap(({ files: own = [] }) => own))
  const pages = [...files].filter((file) => file.endsWith('.html'))
  const texts = await Promise.all(
    // A report of load that was moved away is named beside its finding all the same.
    pages.map((file) => readFile(path.join(out, file), 'utf8').catch(() => '')),
  )
  return texts.flatMap(figuresIn)
}

/** Writes every report that can be written: one that fails is named, and the others go on. */
export const writeReports = async (
  out: string,
  run: Run,
  { lang, history, comparison }: ReportOptions,
  io: Io,
): Promise<Reported> => {
  const findings = run.findings.map(shownFinding)
  const shown = { ...run, findings }
  const record = keepGaps(out, shown)
  const written = [path.join(out, 'findings.ndjson')]
  const missing: string[] = []
  const failed: string[] = []
  const results = path.join(out, 'allure-results')
  const writers: Readonly<Record<string, (target: string) => Promise<void>>> = {
    'index.html': async (target) =>
      writeFile(
        target,
        reportPage({
          run: shown,
          rules,
          gaps,
          outcomes: record.gaps,
          comparison,
          figures: await figuresOf(out, findings),
          language: lang,
        }),
      ),
    'junit.xml': (target) => writeFile(target, junit(shown, rules)),
    'ctrf.json': (target) =>
      writeFile(target, `${JSON.stringify(ctrf(shown, rules), undefined, 1)}\n`),
    'requirements.md': (target) =>
      writeFile(target, `${matrix(rules, shown)}\n${gapSection(record.gaps, record.changes)}\n`),
    'allure-results': (target) => writeAllureResults(target, { run: shown, rules, out }),
  }
  for (const [name, write] of Object.entries(writers))
    try {
      await write(path.join(out, name))
      written.push(path.join(out, name))
    } catch (error) {
      failed.push(`${name} was not written: ${(systemError(error) ?? (error as Error)).message}`)
    }
  if (written.includes(results)) {
    const html = await generateAllureHtml({
      results,
      directory: path.join(out, 'allure'),
      title: headline(run),
      language: lang,
      cwd: io.cwd,
      env: io.env,
      ...(history === undefined ? {} : { history: path.resolve(io.cwd, history) }),
    })
    if ('written' in html) written.push(html.written)
    else missing.push(html.missing)
  }
  return { written, missing, failed }
}
