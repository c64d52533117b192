// What `npm test` runs: one row per step, in this order.

import { randomInt } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { runShown, say } from './process.mjs'
import { drawSlowTests, testsIn, writeTestList } from './slow-tests.mjs'

const playwright = 'node_modules/@playwright/test/cli.js'

/** Rules that dialect svc does not have. */
const publicRules = [
  'sessions.batch.upload-unchecked',
  'sessions.status.counts-absent',
  'sessions.online.further-forms',
  'invoices.content.further-forms',
  'invoices.collective',
  'queries.providers',
]

// Where a dialect lacks a rule, its mutants are not applicable, and no survivors.
const mutantTotals = ({ killed, survived, notRun, notShown, sound }) => {
  const { passed, failed, skipped } = findingTotals(sound)
  const bad = failed + survived + notRun + notShown.length
  return { passed: passed + killed, failed: bad, skipped }
}
const findingComplaints = ({ findings }) =>
  findings
    .filter(({ verdict }) => ['fail', 'inconclusive', 'broken'].includes(verdict))
    .map(({ verdict, rule, reason }) => `${verdict} ${rule}${reason ? `: ${reason}` : ''}`)
const mutantComplaints = ({ mutants, notShown, sound }) => [
  ...findingComplaints(sound),
  ...notShown,
  ...mutants
    .filter(({ killed, notApplicable }) => !killed && notApplicable === undefined)
    .map(({ id, notRun }) => `${id} ${notRun ? 'was not run' : 'survived'}`),
]

const exhaustive = () => process.env.ASSAY_EXHAUSTIVE === '1'

/** The slow tests of the toolkit that this run takes, and those that it leaves. */
const slowTests = () =>
  exhaustive() ? { drawn: [], left: [] } : drawSlowTests(process.env.ASSAY_SAMPLE)

/** Tests that were drawn by a name that they no longer have. */
const unknownTests = (report) => {
  const known = new Set(testsIn(report).map(({ name }) => name))
  return slowTests().drawn.filter((name) => name.includes(' › ') && !known.has(name))
}
const toolkitTotals = (report) => {
  const { passed, failed, skipped } = playwrightTotals(report)
  return {
    passed,
    failed: failed + unknownTests(report).length,
    skipped: skipped + slowTests().left.length,
  }
}
const toolkitComplaints = (report) =>
  unknownTests(report).map(
    (name) => `test/slow.json: no test has the name ${name}; npm run slow-tests writes the table`,
  )
const leaveSlowTests = () => {
  const { drawn, left } = slowTests()
  const all = drawn.length + left.length
  say(`  takes ${drawn.length} of ${all} slow tests (--exhaustive takes all)`)
  return ['--test-list-invert', writeTestList('.cache/test/left.txt', left)]
}

/**
 * A step is a command for Node. Those that follow each other run side by side, because none uses
 * both processors for long, unless they say `alone`. Without `count` a step is one check: passed
 * when it exits with 0. With `count`, the command writes a JSON document (to stdout, or to the file
 * that `reportVariable` names), from which `count` reads how many checks passed, failed and were
 * skipped. `sampled` are arguments of a run that is not exhaustive.
 */
export const guards = [
  {
    id: 'format',
    what: 'oxfmt',
    args: ['node_modules/oxfmt/bin/oxfmt', '--check'],
  },
  {
    id: 'lint',
    what: 'oxlint, with types',
    args: ['node_modules/oxlint/bin/oxlint', '--deny-warnings'],
  },
  {
    id: 'types',
    what: 'tsc, both projects, into dist',
    args: ['scripts/build.mjs'],
  },
  {
    id: 'toolkit',
    what: 'the toolkit tests itself',
    alone: true,
    args: [
      playwright,
      'test',
      '--config=dist/playwright.config.js',
      '--project=toolkit',
      '--output=.cache/test/toolkit',
      // Many of these tests wait for a program that they started.
      `--workers=${availableParallelism() + 1}`,
      `--reporter=${process.stderr.isTTY ? 'line' : 'dot'},json`,
    ],
    // What it loads is compiled already.
    env: { PW_DISABLE_TS_ESM: '1' },
    reportVariable: 'PLAYWRIGHT_JSON_OUTPUT_FILE',
    sampled: leaveSlowTests,
    count: toolkitTotals,
    complaints: toolkitComplaints,
  },
  {
    id: 'sequences',
    what: 'random sequences of calls, compared with a model',
    args: ['dist/cli/main.js', 'check', '--json', '--seed', '1', '--grep', 'any sequence'],
    count: findingTotals,
    complaints: findingComplaints,
  },
  {
    id: 'public',
    what: 'the rules that only the public contract has, each proved by a defect',
    args: [
      'dist/cli/main.js',
      'mutate',
      ...publicRules,
      '--dialect',
      'ksef',
      '--json',
      '--seed',
      '1',
    ],
    sampled: () => ['--sample', '10', '--quick'],
    count: mutantTotals,
    complaints: mutantComplaints,
  },
  {
    id: 'mutants',
    what: 'checks on the sound reference, what they show of the contract, and the defects that they find',
    alone: true,
    // One seed, so that a change is judged by what it changed; `certify` draws a new one each time. Of the generated
    // mutants a tenth: `npm run prove` takes all.
    args: ['dist/cli/main.js', 'mutate', '--json', '--seed', '1', '--sample', '600'],
    // A sixth of the defects, of the generated ones others in each run. Every check in one run of six, and otherwise one
    // of each variant and family, beside those that find a defect and those that show the rows of `assay list --coverage`.
    sampled: () => {
      const sample = Number(process.env.ASSAY_SAMPLE)
      return [
        '--shard',
        `${1 + (sample % 6)}/6`,
        '--sample-seed',
        String(sample),
        ...(sample % 12 < 10 ? ['--quick'] : []),
      ]
    },
    count: mutantTotals,
    complaints: mutantComplaints,
  },
]

const help = `npm test -- [steps..] [--exhaustive]

Runs every guard of the project, or the named steps, and prints the sum as its last line.

Steps:
${guards.map(({ id, what }) => `  ${id.padEnd(9)} ${what}`).join('\n')}

Options:
  --exhaustive  Try everything where the tests take a sample otherwise
  --help        Print this help

Exit codes: 0 nothing failed; 1 something failed; 2 wrong usage.`

/**
 * Runs the steps (those named, or all) and prints the sum as the last line of stdout.
 * @param {string} root the project's folder
 * @param {string[]} args ids of steps; `--exhaustive` tries everything where the tests take a sample otherwise
 * @returns {Promise<number>} the exit code: 0 when nothing failed and something passed, 2 on a wrong id
 */
export async function runGuards(root, args) {
  if (args.includes('--help')) {
    console.log(help)
    return 0
  }
  if (args.includes('--exhaustive')) process.env.ASSAY_EXHAUSTIVE = '1'
  // One sample for all processes of the run; printed, so that it can be repeated.
  process.env.ASSAY_SAMPLE ??= String(randomInt(1, 2 ** 31))
  const only = args.filter((arg) => arg !== '--exhaustive')
  const unknown = only.filter((id) => !guards.some((guard) => guard.id === id))
  if (unknown.length > 0) {
    console.error(
      `There is no step ${unknown.join(', ')}; expected one of ${guards.map(({ id }) => id).join(', ')}.`,
    )
    return 2
  }
  const chosen = guards.filter(({ id }) => only.length === 0 || only.includes(id))
  say(exhaustive() ? 'exhaustive' : `sample ${process.env.ASSAY_SAMPLE} (ASSAY_SAMPLE repeats it)`)
  const sum = { passed: 0, failed: 0, skipped: 0 }
  const run = async (guard) => {
    const title = `${chosen.indexOf(guard) + 1}/${chosen.length} ${guard.id}`
    say(`${title}: ${guard.what}`)
    const totals = await runGuard(root, guard)
    say(`${title}: ${sentence(totals)}`)
    for (const key of Object.keys(sum)) sum[key] += totals[key]
  }
  for (const together of sideBySide(chosen)) await Promise.all(together.map(run))
  console.log(sentence(sum))
  return sum.failed === 0 && sum.passed > 0 ? 0 : 1
}

/** The steps in their order, in groups that run at the same time. */
function sideBySide(steps) {
  const groups = []
  for (const step of steps) {
    const previous = groups.at(-1)
    if (previous !== undefined && !step.alone && !previous[0].alone) previous.push(step)
    else groups.push([step])
  }
  return groups
}

/** `N passed, N failed`, and `, N skipped` when some were. */
export function sentence({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

async function runGuard(root, guard) {
  const folder = join(root, '.cache/test')
  const reportFile = join(folder, `${guard.id}.json`)
  mkdirSync(folder, { recursive: true })
  rmSync(reportFile, { force: true })
  const env = { ...process.env, ...guard.env }
  if (guard.reportVariable) env[guard.reportVariable] = reportFile
  const more = exhaustive() ? [] : (guard.sampled?.() ?? [])
  const code = await runShown(process.execPath, [...guard.args, ...more], {
    cwd: root,
    env,
    ...(guard.count && !guard.reportVariable && { outputFile: reportFile }),
  })
  if (!guard.count) return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 }
  return countReport(guard, reportFile, code)
}

function countReport(guard, reportFile, code) {
  let totals = { passed: 0, failed: 0, skipped: 0 }
  try {
    const report = JSON.parse(readFileSync(reportFile, 'utf8'))
    totals = guard.count(report)
    if (totals.failed > 0) for (const line of guard.complaints?.(report) ?? []) say(`  ${line}`)
  } catch {
    say(`  ${guard.id} wrote no readable report (exit ${code})`)
    return { ...totals, failed: 1 }
  }
  // A program that failed or ran nothing must not pass because it reported no failure.
  if (totals.failed === 0 && (code !== 0 || totals.passed === 0)) {
    say(`  exit ${code} with ${totals.passed} passed`)
    return { ...totals, failed: 1 }
  }
  return totals
}

function playwrightTotals({ stats, errors = [] }) {
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
  }
}

function findingTotals({ totals }) {
  const sumOf = (...verdicts) => verdicts.reduce((sum, name) => sum + (totals[name] ?? 0), 0)
  return {
    passed: sumOf('pass', 'warn', 'observed', 'known'),
    failed: sumOf('fail', 'inconclusive', 'broken'),
    skipped: sumOf('not-verifiable', 'not-applicable'),
  }
}
