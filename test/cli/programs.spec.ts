import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { projectRoot } from '../sources.ts'

/** Programs that people run by hand: each states what it shows, and none is in the published package. */

const root = projectRoot()
test.skip(root === undefined, 'the published package has no sources')

const scripts = () =>
  (
    JSON.parse(readFileSync(path.join(root ?? '', 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
  ).scripts

const programs = ['bench', 'crash-test', 'malformation-soak', 'parity', 'response-fuzzing', 'fuzz']

for (const name of programs) {
  const file = `dist/test/programs/${name}/main.js`
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [path.join(root ?? '', file), ...args], { encoding: 'utf8' })

  test(`npm run ${name} -- --help states what it shows`, () => {
    expect(Object.keys(scripts())).toContain(name)
    const { status, stdout } = run('--help')
    expect(stdout).toMatch(/^(Shows that|Measures) /m)
    expect(stdout).toContain(`npm run ${name}`)
    expect(stdout.split('\n').filter((line) => line.length > 100)).toEqual([])
    expect(status).toBe(0)
  })

  test(`npm run ${name} explains a wrong option`, () => {
    const { status, stderr } = run('--nonsense', '1')
    expect(stderr).toContain('nonsense')
    expect(stderr).not.toMatch(/\n\s+at /)
    expect(status).toBe(2)
  })
}

test('the published package holds neither tests nor programs run by hand', () => {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as [{ files: { path: string }[] }]
  const files = packed.files.map(({ path: file }) => file)
  expect(files).toContain('dist/cli/main.js')
  expect(files.filter((file) => /^(dist\/)?test\//.test(file))).toEqual([])
})
