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
import { figuresHtml } from '../reports/charts/page.ts'
import { chartWords } from '../reports/charts/words.ts'
import { headlineIn } from '../reports/page/headline.ts'
import { reportPage } from '../reports/page/page.ts'
import { languages } from '../reports/page/languages.ts'
import type { Language } from '../reports/page/languages.ts'
import { ctrf } from '../reports/ctrf.ts'
import { junit } from '../reports/junit.ts'
import { gapSection } from '../reports/gap-outcomes.ts'
import { matrix } from '../reports/matrix.ts'
import { runCoverageSection } from '../reports/run-coverage.ts'
import { coverageOfRun } from './coverage/run.ts'
import { keepGaps } from './gap-record.ts'
import type { History } from '../reports/history.ts'
import type { Io } from './io.ts'
import { storedRun } from './load/stored-run.ts'
import { keepRun } from './run-history.ts'
import { systemError } from './system-error.ts'
import type { Run, RunFacts } from '../reports/run.ts'

const factsFile = (out: string) => path.join(out, 'run.json')

/** Keeps the facts of a run beside its findings, so that `assay report` can repeat the reports. */
export const keepRunFacts = async (out: string, facts: RunFacts): Promise<void> => {
  const { started, finished, seed, namespace, target, dialect, version } = facts
  const { interrupted = false, minVerified, minVerifiedOf, shard, build } = facts
  makeDirectory(out)
  await writeFile(
    factsFile(out),
    `${JSON.stringify({ started, finished, seed, namespace, target, dialect, version, interrupted, minVerified, minVerifiedOf, shard, build }, undefined, 2)}\n`,
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
  /** Directory, as typed, that carries the history from run to run. */
  readonly history?: string | undefined
  /** What changed since the run that it is compared with. */
  readonly comparison?: Comparison | undefined
}

const because = (error: unknown): string => (systemError(error) ?? (error as Error)).message

/** The charts of the load runs that these findings are about; none of one that was moved away. */
const figuresOf = async (
  out: string,
  findings: readonly Finding[],
  language: Language,
): Promise<string[]> => {
  const files = findings.flatMap(({ files: own = [] }) => own)
  const folders = new Set(files.map((file) => path.join(out, path.dirname(file))))
  const runs = [...folders].flatMap((folder) => storedRun(folder) ?? [])
  if (runs.length === 0) return []
  // The library that draws takes long to load.
  const { loadFigures } = await import('../reports/charts/load-chart.ts')
  return runs.flatMap(({ result: { window, contexts }, trace }) =>
    figuresHtml(loadFigures(trace, window, contexts, chartWords[language])),
  )
}

/** The history with this run in it, where one is carried on. */
const kept = (
  history: string | undefined,
  run: Run,
  failed: string[],
  io: Io,
): History | undefined => {
  if (history === undefined) return undefined
  try {
    return keepRun(path.resolve(io.cwd, history), run)
  } catch (error) {
    failed.push(`the history was not kept: ${because(error)}`)
    return undefined
  }
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
  const past = kept(history, shown, failed, io)
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
          figures: await figuresOf(out, findings, lang),
          history: past,
          language: lang,
        }),
      ),
    'junit.xml': (target) => writeFile(target, junit(shown, rules)),
    'ctrf.json': (target) =>
      writeFile(target, `${JSON.stringify(ctrf(shown, rules, past), undefined, 1)}\n`),
    'requirements.md': async (target) => {
      const coverage = await coverageOfRun(out, run.findings, run.facts.dialect)
      const sections = [
        matrix(rules, shown),
        ...(coverage === undefined ? [] : [runCoverageSection(coverage)]),
        gapSection(record.gaps, record.changes),
      ]
      await writeFile(target, `${sections.join('\n')}\n`)
    },
    'allure-results': (target) =>
      writeAllureResults(target, { run: shown, rules, out, language: lang }),
  }
  for (const [name, write] of Object.entries(writers))
    try {
      await write(path.join(out, name))
      written.push(path.join(out, name))
    } catch (error) {
      failed.push(`${name} was not written: ${because(error)}`)
    }
  if (written.includes(results)) {
    const html = await generateAllureHtml({
      results,
      directory: path.join(out, 'allure'),
      title: headlineIn(languages[lang], run),
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
