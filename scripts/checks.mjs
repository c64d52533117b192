// Lists the checks of a built suite: `assay list` and the tests need the list often and cannot wait for Playwright.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * The checks in Playwright's own list, which includes those that a loop registers.
 * @param {string} built folder of the compiled files
 * @returns {{ checks: { rule: string, variant?: string, file: string,
 *   covers?: { matrix: string, cells: number[] }[] }[], errors: string }} `errors`: the output of
 *   Playwright when it could not list
 */
export function listChecks(built) {
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
      return { checks: [], errors: `Playwright could not list the checks:\n${stdout}${stderr}` }
    const { suites, errors = [] } = JSON.parse(readFileSync(list, 'utf8'))
    return {
      checks: checksIn(suites),
      errors: errors.map(({ message }) => `${message}\n`).join(''),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Variables that configure a run (target, mutants, documents) would change the list. */
function environmentWithoutRun() {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(ASSAY|PLAYWRIGHT|PW)_/.test(name)),
  )
}

function checksIn(suites) {
  return suites.flatMap(({ suites: inner = [], specs = [] }) => [
    ...specs.flatMap(({ file, tests }) =>
      tests.flatMap(({ annotations }) => {
        const noted = (name) => annotations.find(({ type }) => type === name)?.description
        const rule = noted('rule')
        const covers = annotations
          .filter(({ type }) => type === 'covers')
          .map(({ description }) => JSON.parse(description))
        return rule === undefined
          ? []
          : [
              {
                rule,
                variant: noted('variant'),
                file: sourceOf(file),
                ...(covers.length > 0 && { covers }),
              },
            ]
      }),
    ),
    ...checksIn(inner),
  ])
}

/** The source of a compiled spec, below `suites/`. */
function sourceOf(file) {
  return file
    .replaceAll('\\', '/')
    .replace(/^.*?suites\//, '')
    .replace(/\.js$/, '.ts')
}
