// Which tests of the toolkit a run of `npm test` takes: all quick ones, and of those that take longer so many that they
// take 0.25 s each on average. What a file prepares for its tests counts as one more. test/slow.json has the times.
// npm run slow-tests: writes that table.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runShown } from './process.mjs'

const root = resolve(fileURLToPath(import.meta.url), '../..')
const table = join(root, 'test/slow.json')

/** A quicker test is no slow one, seconds. */
const slow = 0.4

/** What a slow test may take on average over many runs, seconds. */
const average = 0.25

/** Seconds of each slow test, by its name: the file and the titles, as Playwright's lists have them; a file's own alone. */
const slowTests = () => JSON.parse(readFileSync(table, 'utf8'))

/** What any change can break is looked at in every run. */
const always = new Set(
  ['cli/killers', 'cli/read-only', 'coverage', 'files', 'layers', 'lib/ways-out'].map(
    (name) => `../test/${name}.spec.ts`,
  ),
)

const fileOf = (name) => name.split(' › ', 1)[0]

/** A number from 0 up to 1 that a sample draws for a purpose. */
const drawFrom = (sample, purpose) =>
  createHash('sha256').update(`${purpose} ${sample}`).digest().readUInt32BE() / 2 ** 32

/** Rows, each as likely as its chance, and about equally many in each draw, of neighbours about equally many too. */
const draw = (rows, start) => {
  let sum = start
  return rows.filter(([, chance]) => {
    const before = Math.floor(sum)
    sum += chance
    return Math.floor(sum) > before
  })
}

/**
 * Draws some of the slow tests: each as often as it is quick, and about equally much in each run.
 * @param {string} sample seed of the sample
 * @returns {{ drawn: string[], left: string[] }} their names; a file alone stands for its quick tests too
 */
export function drawSlowTests(sample) {
  // Rows that take about equally long stand together, so that each run takes some of every length.
  const rows = Object.entries(slowTests())
    .map(([name, seconds]) => [name, Math.min(1, average / seconds)])
    .toSorted(([, a], [, b]) => a - b)
  for (const [name] of rows)
    if (!existsSync(resolve(root, 'suites', fileOf(name))))
      throw new Error(`${fileOf(name)} in test/slow.json does not exist; npm run slow-tests`)
  const files = rows.filter(([name]) => fileOf(name) === name)
  const ofFile = new Map(files)
  const open = new Set(draw(files, drawFrom(sample, 'files')).map(([name]) => name))
  const tests = rows
    .filter(([name]) => fileOf(name) !== name)
    .filter(([name]) => !ofFile.has(fileOf(name)) || open.has(fileOf(name)))
    // That its file was drawn is a part of its chance.
    .map(([name, chance]) => [name, Math.min(1, chance / (ofFile.get(fileOf(name)) ?? 1))])
  const drawn = new Set([...open, ...draw(tests, drawFrom(sample, 'tests')).map(([name]) => name)])
  const names = rows.map(([name]) => name)
  return {
    drawn: names.filter((name) => drawn.has(name)),
    left: names.filter((name) => !drawn.has(name)),
  }
}

/**
 * Writes a list of tests for Playwright.
 * @returns {string} the file
 */
export function writeTestList(file, names) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, names.map((name) => `[toolkit] › ${name}\n`).join(''))
  return file
}

/**
 * The tests in a report of Playwright.
 * @returns {{ name: string, passed?: { worker: number, begun: number, seconds: number } }[]} `begun`: Unix seconds
 */
export function testsIn(report) {
  const tests = []
  const walk = ({ suites = [], specs = [] }, titles) => {
    for (const { file, title, tests: runs } of specs)
      for (const { results } of runs) {
        const passed = results.find(({ status }) => status === 'passed')
        tests.push({
          name: [file, ...titles, title].join(' › '),
          ...(passed && {
            passed: {
              worker: passed.workerIndex,
              begun: Date.parse(passed.startTime) / 1000,
              seconds: passed.duration / 1000,
            },
          }),
        })
      }
    for (const suite of suites) walk(suite, [...titles, suite.title])
  }
  for (const file of report.suites) walk(file, [])
  return tests
}

/** What files take for other things than their tests, seconds; of the first file of a worker it starts with its first test. */
const preparations = (tests) => {
  const found = new Map()
  for (const worker of new Set(tests.map(({ passed }) => passed.worker))) {
    const inTurn = tests
      .filter(({ passed }) => passed.worker === worker)
      .toSorted((a, b) => a.passed.begun - b.passed.begun)
    for (const [at, { name, passed }] of inTurn.entries()) {
      const previous = inTurn[at - 1]?.passed
      if (previous === undefined) continue
      const idle = passed.begun - previous.begun - previous.seconds
      // Playwright itself takes this long from one test to the next.
      if (idle > 0.3) found.set(fileOf(name), (found.get(fileOf(name)) ?? 0) + idle)
    }
  }
  return found
}

const help = `npm run slow-tests

Measures which tests of the toolkit take more than ${slow} s, in a run of all of them that samples within them as
\`npm test\` does, and writes test/slow.json. It takes ten minutes. What did not pass keeps its row.`

async function measure() {
  const file = join(root, '.cache/test/all.json')
  // A run that does not come to its report must not pass for the one before it.
  rmSync(file, { force: true })
  const args = [
    'test',
    '--config=dist/playwright.config.js',
    '--project=toolkit',
    '--reporter=dot,json',
  ]
  await runShown(process.execPath, ['node_modules/@playwright/test/cli.js', ...args], {
    cwd: root,
    env: { ...process.env, PW_DISABLE_TS_ESM: '1', PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  })
  const before = slowTests()
  const tests = testsIn(JSON.parse(readFileSync(file, 'utf8')))
  const rows = [
    ...tests.map(({ name, passed }) => [name, passed?.seconds ?? before[name]]),
    ...preparations(tests.filter(({ passed }) => passed !== undefined)),
  ]
    .filter(([name, seconds]) => seconds > slow && !always.has(fileOf(name)))
    .map(([name, seconds]) => [name, Math.round(seconds * 10) / 10])
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(table, `${JSON.stringify(Object.fromEntries(rows), undefined, 2)}\n`)
  console.log(`${rows.length} slow tests in ${table}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.length > 2) {
    console.log(help)
    process.exit(process.argv.includes('--help') ? 0 : 2)
  }
  await measure()
}
