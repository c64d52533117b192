// Counts the checks of a built suite: `assay list` is asked often and cannot wait for Playwright.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * How many checks each rule has, in Playwright's own list, from which nothing is missing that a loop makes.
 * @param {string} built folder of the compiled files
 * @returns {{ counts: Record<string, number>, errors: string }} `errors`: what Playwright said when it could not list
 */
export function countChecks(built) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-checks-'))
  try {
    const list = join(folder, 'list.json')
    const playwright = createRequire(import.meta.url).resolve('@playwright/test/package.json')
    const args = ['test', '-c', 'playwright.config.js', '--project', 'conformance', '--list']
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(dirname(playwright), 'cli.js'), ...args, '--reporter', 'json'],
      {
        cwd: built,
        encoding: 'utf8',
        env: {
          ...environmentWithoutRun(),
          PW_DISABLE_TS_ESM: '1',
          ASSAY_OUT: folder,
          PLAYWRIGHT_JSON_OUTPUT_FILE: list,
        },
      },
    )
    if (status !== 0)
      return { counts: {}, errors: `the checks cannot be listed:\n${stdout}${stderr}` }
    const { suites, errors = [] } = JSON.parse(readFileSync(list, 'utf8'))
    return {
      counts: countRules(suites),
      errors: errors.map(({ message }) => `${message}\n`).join(''),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What a run is told by the environment (its target, mutants, documents) would change the list. */
function environmentWithoutRun() {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(ASSAY|PLAYWRIGHT|PW)_/.test(name)),
  )
}

function countRules(suites, counts = {}) {
  for (const { suites: inner = [], specs = [] } of suites) {
    for (const { annotations } of specs.flatMap(({ tests }) => tests)) {
      const rule = annotations.find(({ type }) => type === 'rule')?.description
      if (rule !== undefined) counts[rule] = (counts[rule] ?? 0) + 1
    }
    countRules(inner, counts)
  }
  return counts
}
