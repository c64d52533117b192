// Writes suites/costs.json: what a check of each rule costs, measured in runs. `assay check --dry-run` plans with it.
// npm run costs -- FINDINGS..: findings.ndjson of runs, the one that counts most first; best one against a service whose
// time cannot be turned (a profile without `management`), with its rate limits out of the way.

import { readFileSync } from 'node:fs'
import { writeMeasured } from './measured.mjs'

const files = process.argv.slice(2)
if (files.length === 0 || files.includes('--help')) {
  console.log(
    'npm run costs -- FINDINGS..: findings.ndjson of runs, the one that counts most first',
  )
  process.exit(files.length === 0 ? 2 : 0)
}

const mean = (sum, count) => Math.round((sum / count) * 10) / 10

/** The mean of the checks of each rule that ran to their end. */
function costsIn(file) {
  const rules = new Map()
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const { rule, ms, calls } = JSON.parse(line)
    if (calls === undefined || Object.keys(calls).length === 0) continue
    const sum = rules.get(rule) ?? { checks: 0, ms: 0, calls: {} }
    sum.checks += 1
    sum.ms += ms
    for (const [row, count] of Object.entries(calls)) sum.calls[row] = (sum.calls[row] ?? 0) + count
    rules.set(rule, sum)
  }
  return [...rules].map(([rule, { checks, ms, calls }]) => [
    rule,
    {
      ms: Math.round(ms / checks),
      calls: Object.fromEntries(
        Object.entries(calls).map(([row, count]) => [row, mean(count, checks)]),
      ),
    },
  ])
}

const costs = Object.entries(Object.fromEntries(files.toReversed().flatMap(costsIn)))
console.log(`${costs.length} rules in ${await writeMeasured('costs.json', costs)}`)
