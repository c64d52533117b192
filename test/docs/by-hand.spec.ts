import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { serve } from '../served.ts'
import { projectRoot } from '../sources.ts'

/** The guides whose commands are for a shell, run as they stand. */

const tools = ['sh', 'curl', 'openssl', 'sed', 'od']
const missing = tools.filter((tool) => spawnSync('which', [tool]).status !== 0)
const guide = (name: string): string =>
  readFileSync(path.join(projectRoot() ?? '.', 'docs/guides', name), 'utf8')

/** The blocks of a page that are marked as shell, as one script. */
const scriptOf = (page: string): string =>
  [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block).join('\n')

/** Runs the shell blocks of a guide against a separate service. */
const runGuide = async (name: string, ...flags: string[]): Promise<string> => {
  const served = await serve(...flags)
  try {
    const [context] = served.profile.contexts
    const folder = test.info().outputPath(name)
    mkdirSync(folder, { recursive: true })
    const script = path.join(folder, 'script.sh')
    writeFileSync(script, scriptOf(guide(name)))
    const { status, stdout, stderr } = spawnSync('sh', ['-eu', script], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...process.env,
        URL: served.profile.url,
        MANAGEMENT: served.profile.management,
        NIP: context!.value,
        TOKEN: context!.token,
      },
    })
    expect(stderr).toBe('')
    expect(status).toBe(0)
    return stdout
  } finally {
    await served.stop()
  }
}

test('the commands of docs/guides/by-hand.md work as written', async () => {
  test.skip(missing.length > 0, `not on this machine: ${missing.join(', ')}`)
  const printed = await runGuide('by-hand.md')
  expect(printed).toMatch(/^accepted as \d{10}-\d{8}-[0-9A-F]{12}-[0-9A-F]{2}$/m)
  expect(printed).toMatch(/^the same$/m)
})

test('docs/guides/reference-service.md shows how time passes', async () => {
  test.skip(missing.length > 0, `not on this machine: ${missing.join(', ')}`)
  const page = guide('reference-service.md')
  const start = ['--clock', 'manual', '--start-at', '2026-01-31T12:00:00+01:00']
  expect(page).toContain(start.join(' '))
  const printed = await runGuide('reference-service.md', ...start)
  const [, promised = ''] = /^It prints:\n\n```\n([\s\S]*?)^```$/m.exec(page) ?? []
  const withoutNumber = (text: string) => text.replace(/\d{10}-\d{8}-[0-9A-F]{12}-[0-9A-F]{2}/, '')
  expect(withoutNumber(printed)).toBe(withoutNumber(promised))
})
