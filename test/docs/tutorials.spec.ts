import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { findK6 } from '../../load/engine.ts'
import { sampleNote } from '../sample.ts'
import { projectRoot } from '../sources.ts'
import { openReaderFolder, shellCommands } from './reader.ts'

/** The tutorials, run as a reader runs them: each block in its order, in one shell, prints what the page shows. */

const root = projectRoot() ?? '.'
test.skip(projectRoot() === undefined, 'the published package has no sources')
test.skip(process.platform === 'win32', 'the tutorials are for a POSIX shell')

const tutorials = path.join(root, 'docs/tutorials')

type Step =
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  | { readonly kind: 'commands'; readonly text: string; readonly shown: readonly string[] }

/** The blocks of a page: files that name themselves in their first line, and commands with what they print. */
const stepsOf = (page: string): readonly Step[] =>
  [...page.matchAll(/^```(js|sh)\n([\s\S]*?)^```$(?:\n\n```\n([\s\S]*?)^```$)?/gm)].map(
    ([, language, text = '', shown = '']) => {
      if (language === 'sh')
        return { kind: 'commands', text, shown: shown.split('\n').slice(0, -1) }
      const name = /^\/\/ (\S+)\n/.exec(text)?.[1]
      if (name === undefined) throw new RangeError(`a file without a name: ${text}`)
      return { kind: 'file', name, text }
    },
  )

/** A shown line without what differs from run to run: numbers, names of runs, ends of log lines. */
const shapeOf = (line: string): string =>
  line
    // The end of a run's name may be four letters.
    .replaceAll(/\b\d{8}-\d{6}-(\w+)-[\da-f]{4}\b/g, 'run $1')
    .replaceAll(/\b(?=[\dA-Fa-f-]*\d)[\dA-Fa-f][\dA-Fa-f.,:-]*/g, '0')
    .replaceAll(/0(?: ?(?:d|h|min|ms|s)\b| 0)+/g, '0')
    .trimEnd()

/** Whether a line is as shown, where `...` stands for anything. */
const isAs = (shown: string, line: string): boolean => {
  const [first = '', ...rest] = shown.split('...').map(shapeOf)
  const whole = shapeOf(line)
  if (rest.length === 0) return whole === first
  return whole.startsWith(first) && rest.every((part) => whole.includes(part))
}

/**
 * The first shown line that did not come after those before it. A line `...` stands for any number of lines; empty
 * lines do not count.
 */
const missingOf = (shown: readonly string[], all: readonly string[]): string | undefined => {
  const printed = all.filter((line) => line.trim() !== '')
  let at = 0
  let anywhere = false
  for (const line of shown.filter((each) => each.trim() !== '')) {
    if (line === '...') {
      anywhere = true
      continue
    }
    const found = printed.slice(at).findIndex((each) => isAs(line, each))
    if (found < 0 || (found > 0 && !anywhere)) return line
    at += found + 1
    anywhere = false
  }
  return undefined
}

/** A folder that has the sources that the contributor reads. */
const openFolder = (): string => {
  const folder = openReaderFolder()
  for (const name of ['reference', 'scripts'])
    symlinkSync(path.join(root, name), path.join(folder, name))
  return folder
}

/** Stops the service that an interrupted tutorial left running. */
const stopService = (folder: string): void => {
  const file = path.join(folder, 'target.json')
  if (!existsSync(file)) return
  const { pid } = JSON.parse(readFileSync(file, 'utf8')) as { pid: number }
  try {
    process.kill(pid)
  } catch {
    // The tutorial has stopped it.
  }
}

/** Runs the commands in one shell, each step with its output in a file of its own. */
const runSteps = (folder: string, steps: readonly Step[]): readonly string[] => {
  for (const step of steps)
    if (step.kind === 'file') writeFileSync(path.join(folder, step.name), step.text)
  const commands = steps.filter((step) => step.kind === 'commands')
  const outputs = commands.map((_, at) => path.join(folder, `printed.${at}`))
  const script = [
    'set -e',
    shellCommands(),
    ...commands.map(({ text }, at) => `{\n${text}} > '${outputs[at]}' 2>&1`),
  ].join('\n')
  // Playwright sets FORCE_COLOR, and Node warns if NO_COLOR is set as well.
  const env = { ...process.env, FORCE_COLOR: '0' }
  spawnSync('sh', ['-c', script], { cwd: folder, env })
  return outputs.map((file) => (existsSync(file) ? readFileSync(file, 'utf8') : 'it was not run'))
}

const pages = readdirSync(tutorials)

for (const name of pages)
  test(`${name}: its commands print what it shows`, async () => {
    test.setTimeout(300_000)
    const all = stepsOf(readFileSync(path.join(tutorials, name), 'utf8'))
    expect(all.length).toBeGreaterThan(2)
    const needsK6 = all.findIndex(({ text }) => /\bassay (?:limits|load)\b/.test(text))
    const missing =
      needsK6 >= 0 && 'missing' in (await findK6({ build: false })) ? needsK6 : undefined
    if (missing !== undefined) console.log(`${name}: the last blocks need k6, which is not here`)
    const steps = all.slice(0, missing)
    const folder = openFolder()
    try {
      const printed = runSteps(folder, steps)
      const commands = steps.filter((step) => step.kind === 'commands')
      for (const [at, { text, shown }] of commands.entries())
        expect(
          missingOf(shown, (printed[at] ?? '').split('\n')),
          `${text}\nprinted:\n${printed[at]}\n(${sampleNote})`,
        ).toBeUndefined()
      expect(printed.at(-1), 'the last block was run').not.toBe('it was not run')
    } finally {
      stopService(folder)
      rmSync(folder, { recursive: true })
    }
  })

test('what a page shows is compared line by line', () => {
  expect(missingOf(['a 1', '...', 'c'], ['a 2', 'b', 'c'])).toBeUndefined()
  const runs = ['20261122-174128-check-959e/a', '20261123-052651-check-cacf/a']
  expect(missingOf(runs.slice(0, 1), runs.slice(1)), 'the name of a run').toBeUndefined()
  expect(missingOf(['a 1', 'c'], ['a 2', 'b', 'c'])).toBe('c')
  expect(missingOf(['a 1... end'], ['a 22 and the end'])).toBeUndefined()
  expect(missingOf(['fail  x'], ['pass  x'])).toBe('fail  x')
})
