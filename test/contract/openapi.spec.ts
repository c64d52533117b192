import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { readDescription } from '../../cli/contract/description.ts'
import { diffOpenApi } from '../../cli/contract/diff.ts'
import { dialects } from '../../contract/dialects.ts'
import type { Dialect } from '../../contract/dialect.ts'
import { openapi } from '../../contract/openapi.ts'
import { referencePages } from '../../reports/reference-pages.ts'
import { projectRoot } from '../sources.ts'

// What is made from the contract is current, and lints.

const root = projectRoot() ?? '.'
const allDialects = Object.values<Dialect>(dialects)
const regenerate = 'node scripts/docs.mjs writes it anew'

test('contract/openapi.json is current', () => {
  test.skip(projectRoot() === undefined, 'the published package carries no sources')
  const written = readFileSync(path.join(root, 'contract/openapi.json'), 'utf8')
  expect(written === `${JSON.stringify(openapi(dialects.svc), null, 2)}\n`, regenerate).toBe(true)
})

for (const [name, text] of Object.entries(referencePages())) {
  test(`docs/reference/${name} is current`, () => {
    test.skip(projectRoot() === undefined, 'the published package carries no sources')
    const file = path.join(root, 'docs/reference', name)
    expect(existsSync(file) && readFileSync(file, 'utf8') === text, regenerate).toBe(true)
  })
}

for (const dialect of allDialects) {
  test(`the description of dialect ${dialect.id} lints without errors`, ({}, testInfo) => {
    const cli = path.join(root, 'node_modules/@redocly/cli/bin/cli.js')
    test.skip(!existsSync(cli), 'Redocly CLI, a development dependency, is not installed')
    const file = testInfo.outputPath(`${dialect.id}.json`)
    writeFileSync(file, JSON.stringify(openapi(dialect)))
    const result = spawnSync(process.execPath, [cli, 'lint', '--format=json', file], {
      encoding: 'utf8',
      env: {
        ...process.env,
        REDOCLY_TELEMETRY: 'off',
        REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
      },
      maxBuffer: 64 * 1024 * 1024,
    })
    const { totals, problems } = JSON.parse(result.stdout) as {
      readonly totals: { readonly errors: number }
      readonly problems: readonly { readonly severity: string; readonly message: string }[]
    }
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(totals.errors).toBe(0)
  })

  test(`the description of dialect ${dialect.id} does not differ from the contract`, () => {
    const found = diffOpenApi(openapi(dialect), dialect)
    expect(found).toEqual([])
    expect(readDescription(openapi(dialect)).size).toBeGreaterThan(70)
  })
}
