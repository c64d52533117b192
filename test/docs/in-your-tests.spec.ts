import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { projectRoot } from '../sources.ts'
import { openReaderFolder } from './reader.ts'

/** The programmatic interface: each example of its guide prints what the guide says. */

const root = projectRoot() ?? '.'
test.skip(projectRoot() === undefined, 'the published package has no sources')

const guide = path.join(root, 'docs/guides/in-your-tests.md')
const examples = [
  ...readFileSync(guide, 'utf8').matchAll(
    /^```js\n([\s\S]*?)^```\n\nIt prints:\n\n```\n([\s\S]*?)^```$/gm,
  ),
]

test('the guide has examples with what they print', () => {
  expect(examples.length).toBe(4)
})

for (const [at, [, script = '', printed = '']] of examples.entries())
  test(`example ${at + 1} prints what the guide says`, () => {
    const folder = openReaderFolder('fast-check')
    const file = path.join(folder, 'example.mjs')
    writeFileSync(file, script)
    const env = { ...process.env, FORCE_COLOR: '0' }
    expect(execFileSync(process.execPath, [file], { encoding: 'utf8', env })).toBe(printed)
    rmSync(folder, { recursive: true })
  })
