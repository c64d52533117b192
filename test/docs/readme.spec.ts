import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { serve } from '../served.ts'
import { projectRoot } from '../sources.ts'
import { openReaderFolder } from './reader.ts'

/** The script in README: with a public client, the first accepted invoice. */

const root = projectRoot() ?? '.'
test.skip(projectRoot() === undefined, 'the published package has no sources')

test('the script of README sends an invoice that is accepted', async () => {
  const text = readFileSync(path.join(root, 'README.md'), 'utf8')
  const [, script = ''] = /^```js\n([\s\S]*?)^```$/m.exec(text) ?? []
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
