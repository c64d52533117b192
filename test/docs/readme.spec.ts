import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { listedChecks } from '../../cli/registered.ts'
import { serve } from '../served.ts'
import { projectRoot } from '../sources.ts'
import { openReaderFolder } from './reader.ts'

/** README: its script sends the first accepted invoice with a public client, and its totals are current. */

const root = projectRoot() ?? '.'
test.skip(projectRoot() === undefined, 'the published package has no sources')

const readme = () => readFileSync(path.join(root, 'README.md'), 'utf8')

test('the script of README sends an invoice that is accepted', async () => {
  const [, script = ''] = /^```js\n([\s\S]*?)^```$/m.exec(readme()) ?? []
  const folder = openReaderFolder('ksef-client-ts')
  const served = await serve('--dialect', 'ksef', '--export', path.join(folder, 'service'))
  try {
    writeFileSync(path.join(folder, 'send.mjs'), script)
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--env-file=service/.env', 'send.mjs'],
      {
        cwd: folder,
        encoding: 'utf8',
        timeout: 60_000,
        env: { ...process.env, FORCE_COLOR: '0' },
      },
    )
    expect(stdout, stderr).toMatch(/^200 \d{10}-\d{8}-[0-9A-F]{12}-[0-9A-F]{2}$/m)
  } finally {
    await served.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the totals of README count every check of a clone without the published files', async () => {
  const [, totals = ''] = /^conformance +(.*)$/m.exec(readme()) ?? []
  const counted = [...totals.matchAll(/(\d+) [a-z-]+/g)].map(([, count]) => Number(count))
  expect(counted.length, 'verdicts with a count').toBeGreaterThan(1)
  // The build lists the checks in a directory that has no published files beside it.
  expect(
    counted.reduce((sum, count) => sum + count, 0),
    'Run `ASSAY_PUBLIC=/nonexistent npm run certify` and copy its output into README.md.',
  ).toBe((await listedChecks()).length)
})
