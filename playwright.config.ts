import { readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'
import type { ReporterDescription } from '@playwright/test'
import { outliveFileSizeLimit } from './lib/node/file-size-limit.ts'
import { readTarget } from './lib/node/target.ts'
import type { RunFacts } from './reports/findings-reporter.ts'
import { titleOf } from './suites/support/checks/rule.ts'
import { runOptions } from './suites/support/checks/run-options.ts'
import { schedule } from './suites/support/run/schedule.ts'
import { loadMutants } from './suites/support/service/target.ts'
import { defaultWorkers } from './suites/support/run/workers.ts'

/**
 * The suite, from sources (`npx playwright test`) and compiled (`dist/playwright.config.js`). Paths are relative to
 * this file, results go below the output directory of the run.
 */
outliveFileSizeLimit()
const here = path.dirname(fileURLToPath(import.meta.url))
const extension = path.extname(fileURLToPath(import.meta.url))

/** Playwright's own reporters beside ours, for those who want them: `ASSAY_REPORTERS=junit,allure,list`. */
const extra: Record<string, ReporterDescription> = {
  junit: ['junit', { outputFile: path.join(runOptions.out, 'playwright-junit.xml') }],
  allure: ['allure-playwright', { resultsDir: path.join(runOptions.out, 'playwright-allure') }],
  list: ['list'],
  dot: ['dot'],
}
const asked = (process.env['ASSAY_REPORTERS'] ?? '').split(',').flatMap((name) => extra[name] ?? [])
const ours: ReporterDescription = [path.join(here, `reports/findings-reporter${extension}`)]

const profile =
  runOptions.target === undefined
    ? undefined
    : readTarget(runOptions.target, { env: process.env, cwd: process.cwd() })
// The clock of such a target cannot be moved.
const timed = profile !== undefined && profile.management === undefined

/** Only the checks of a list; their titles are followed by their tags. */
const selected = (titles: readonly string[]): RegExp =>
  new RegExp(
    ` (?:${titles.map((title) => title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|')}) @`,
  )
const selection =
  runOptions.selection === undefined
    ? undefined
    : selected(JSON.parse(readFileSync(runOptions.selection, 'utf8')) as string[])

/** The titles of each round, where room within the limits has to be waited for. */
const rounds: string[][] = []
for (const { round, rule, variant } of schedule ?? [])
  (rounds[round] ??= []).push(titleOf(rule, variant))

const conformance = {
  testDir: path.join(here, 'suites'),
  testMatch: `**/*.spec${extension}`,
  testIgnore: ['**/client/**'],
  ...(selection === undefined ? {} : { grep: selection }),
}

const facts: RunFacts = {
  out: runOptions.out,
  seed: runOptions.seed,
  namespace: runOptions.namespace,
  target: profile?.url ?? 'the embedded reference',
  ...(runOptions.mutants
    ? { mutants: (await loadMutants(runOptions.mutants)).map(({ id, breaks }) => ({ id, breaks })) }
    : {}),
}

export default defineConfig({
  metadata: facts,
  outputDir: path.join(runOptions.out, 'playwright'),
  workers: defaultWorkers(profile),
  // All workers keep within its limits together.
  ...(timed ? { globalSetup: path.join(here, `suites/support/run/shared-pacer${extension}`) } : {}),
  fullyParallel: false,
  forbidOnly: Boolean(process.env['CI']),
  reportSlowTests: null,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: { trace: 'off' },
  reporter: [ours, ...asked.map((one) => (typeof one === 'string' ? ([one] as const) : one))] as [
    ReporterDescription,
  ],
  projects: [
    ...rounds.map((titles, index) => ({
      name: `conformance, round ${index + 1}`,
      ...conformance,
      grep: selected(titles),
    })),
    {
      name: 'conformance',
      ...conformance,
      ...(rounds.length === 0 ? {} : { grepInvert: selected(rounds.flat()) }),
    },
    {
      name: 'toolkit',
      testDir: path.join(here, 'test'),
      testMatch: `**/*.spec${extension}`,
    },
  ],
})
