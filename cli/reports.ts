import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { rules } from '../contract/rules.ts'
import { generateAllureHtml, writeAllureResults } from '../reports/allure.ts'
import { shownFinding } from '../reports/finding.ts'
import type { Finding } from '../reports/finding.ts'
import { junit } from '../reports/junit.ts'
import { matrix } from '../reports/matrix.ts'

/** What the reports say of the run besides its findings; kept beside them so that `assay report` can repeat. */
export interface RunFacts {
  readonly started: string
  readonly finished: string
  readonly seed: number
  readonly namespace: string
  readonly target: string
  readonly version: string
}

const factsFile = (out: string) => path.join(out, 'run.json')

export const keepRunFacts = async (out: string, facts: RunFacts): Promise<void> => {
  const { started, finished, seed, namespace, target, version } = facts
  await mkdir(out, { recursive: true })
  await writeFile(
    factsFile(out),
    `${JSON.stringify({ started, finished, seed, namespace, target, version }, undefined, 2)}\n`,
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

/** Writes every report that can be written; what cannot is named in `missing`, and the rest goes on. */
export const writeReports = async (
  out: string,
  found: readonly Finding[],
  facts: RunFacts,
): Promise<{ written: string[]; missing: string[] }> => {
  const findings = found.map(shownFinding)
  const written = [path.join(out, 'findings.ndjson')]
  const missing: string[] = []
  const file = async (name: string, text: string) => {
    const target = path.join(out, name)
    await writeFile(target, text)
    written.push(target)
  }
  await file('junit.xml', junit(findings))
  await file('requirements.md', matrix(rules, findings))
  const results = path.join(out, 'allure-results')
  await writeAllureResults(results, findings, {
    rules,
    started: Date.parse(facts.started),
    environment: {
      target: facts.target,
      seed: String(facts.seed),
      namespace: facts.namespace,
      assay: facts.version,
      started: facts.started,
      finished: facts.finished,
    },
  })
  written.push(results)
  const html = await generateAllureHtml(results, path.join(out, 'allure'))
  if ('written' in html) written.push(html.written)
  else missing.push(html.missing)
  return { written, missing }
}
