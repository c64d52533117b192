import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { serve } from './served.ts'
import { projectRoot } from './sources.ts'

/** The guide to a session by hand, run as it stands. */

const tools = ['sh', 'curl', 'openssl', 'sed', 'od']
const missing = tools.filter((tool) => spawnSync('which', [tool]).status !== 0)
const guide = path.join(projectRoot() ?? '.', 'docs/guides/by-hand.md')

/** The blocks of a page that are marked as shell, as one script. */
const scriptOf = (page: string): string =>
  [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block).join('\n')

test('docs/guides/by-hand.md works as it is written', async () => {
  test.skip(missing.length > 0, `not on this machine: ${missing.join(', ')}`)
  const served = await serve()
  try {
    const [context] = served.profile.contexts
    const folder = test.info().outputPath('by-hand')
    mkdirSync(folder, { recursive: true })
    const script = path.join(folder, 'session.sh')
    writeFileSync(script, scriptOf(readFileSync(guide, 'utf8')))
    const { status, stdout, stderr } = spawnSync('sh', ['-eu', script], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...process.env,
        URL: served.profile.url,
        NIP: context!.value,
        TOKEN: context!.token,
      },
    })
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^accepted as \d{10}-\d{8}-[0-9A-F]{12}-[0-9A-F]{2}$/m)
    expect(stdout).toMatch(/^the same$/m)
    expect(status).toBe(0)
  } finally {
    await served.stop()
  }
})
