// Writes suites/costs.json: what each check costs, measured in runs. `assay check --dry-run` plans with it.
// npm run costs -- FINDINGS..: findings.ndjson of runs, the one that counts most first; best one against a service whose
// clock cannot be moved (a profile without `management`), with its rate limits out of the way; those that provoke limits
// (`provoke`) at production's, in contexts of their own. A check that did not run in them keeps its row.

import { readFileSync } from 'node:fs'
import { togetherIn } from '../dist/cli/check/costs.js'
import { formOf } from '../dist/suites/support/checks/other-forms.js'
import { isCheck, measuredBefore, sorted, writeMeasured } from './measured.mjs'

const files = process.argv.slice(2)
if (files.length === 0 || files.includes('--help')) {
  console.log(
    'npm run costs -- FINDINGS..: findings.ndjson of runs, the one that counts most first',
  )
  process.exit(files.length === 0 ? 2 : 0)
}

/** Verdicts of checks that ran to their end. */
const ended = new Set(['pass', 'observed'])

/** The checks that ran to their end: rule -> variant, empty where a rule has one check -> ms and calls. */
const costsIn = (file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .filter(({ calls, verdict }) => calls !== undefined && ended.has(verdict))
    // In another form a check costs what it does in its first.
    .filter(({ variant }) => formOf(variant) === undefined)

const checks = files.toReversed().flatMap(costsIn)
// The names of rows would be half of the table, written with each check.
const before = measuredBefore('costs.json')
const rows = [...new Set([...before.rows, ...checks.flatMap(({ calls }) => Object.keys(calls))])]
const placed = (calls = {}) =>
  Object.entries(calls).flatMap(([row, count]) => [rows.indexOf(row), count])
const costs = new Map(
  Object.entries(before.rules).flatMap(([rule, variants]) => {
    const kept = Object.entries(variants).filter(([variant]) => isCheck(rule, variant))
    return kept.length === 0 ? [] : [[rule, Object.fromEntries(kept)]]
  }),
)
const worked = new Map()
for (const { rule, variant = '', ms, calls, callsOfOne, contexts, spareContexts } of checks) {
  const spare = spareContexts ? [spareContexts] : []
  const several = contexts
    ? [placed(callsOfOne), contexts, ...spare]
    : callsOfOne
      ? [placed(callsOfOne)]
      : []
  const cost = [ms, placed(calls), ...several]
  costs.set(rule, { ...costs.get(rule), [variant]: cost })
  const family = togetherIn({ variant })
  if (family !== undefined && Object.keys(calls).length > 0) worked.set(family, cost)
}
// Whichever of the checks that do their work together comes first in a run does it.
for (const variants of costs.values())
  for (const variant of Object.keys(variants))
    variants[variant] = worked.get(togetherIn({ variant })) ?? variants[variant]
const file = writeMeasured('costs.json', { rows, rules: sorted([...costs]) }, 2)
console.log(`${costs.size} rules in ${file}`)
