// Writes suites/killers.json: which mutants each check is known to notice. `assay mutate` tries these pairs first.
// npm run killers -- DIRECTORY..: run directories of `assay mutate`, best of `npm run prove`. Mutants that were not put to
// their checks in them keep their pairs.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mutants as known } from '../dist/reference/mutants/mutants.js'
import { listedChecks } from '../dist/cli/registered.js'
import { formOf } from '../dist/suites/support/checks/other-forms.js'
import { titleOf } from '../dist/suites/support/checks/rule.js'
import { isCheck, isOptional, measuredBefore, sorted, writeMeasured } from './measured.mjs'

const folders = process.argv.slice(2)
if (folders.length === 0 || folders.includes('--help')) {
  console.log('npm run killers -- DIRECTORY..: run directories of `assay mutate`')
  process.exit(folders.length === 0 ? 2 : 0)
}

/** The rule and the variant in the name of a check. */
const partsOf = (check) => check.slice(check.indexOf(' ') + 1).split(' / ')

/** Each check, with the mutants that it noticed and how long that took. */
const noticed = new Map()
const tried = new Set()
for (const folder of folders)
  for (const file of ['trials.ndjson', 'rest/trials.ndjson'].map((name) => join(folder, name))) {
    if (!existsSync(file)) continue
    for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
      const { mutant, during, check = during, outcome, ms } = JSON.parse(line)
      // A dialect without the operation says nothing about the mutant.
      if (outcome !== 'not-applicable') tried.add(mutant)
      if (outcome !== 'violated' || check === undefined || isOptional(partsOf(check)[1])) continue
      // It had another name when it was put to its checks.
      if (known[mutant] === undefined) continue
      if (!noticed.has(check)) noticed.set(check, new Map())
      noticed.get(check).set(mutant, ms)
    }
  }

// Each check gets its own mutant where it can, those with the fewest first, so that few pairs prove both; every
// further mutant goes to the check that noticed it in the shortest time.
const pairs = new Map([...noticed.keys()].map((check) => [check, []]))
const given = new Set()
const byChoice = [...noticed].toSorted(([, a], [, b]) => a.size - b.size)
for (const [check, mutants] of byChoice) {
  const quickest = [...mutants].toSorted(([, a], [, b]) => a - b).map(([id]) => id)
  const own = quickest.find((id) => !given.has(id)) ?? quickest[0]
  pairs.get(check).push(own)
  given.add(own)
}
const quickest = new Map()
for (const [check, mutants] of noticed)
  for (const [id, ms] of mutants)
    if (!given.has(id) && ms < (quickest.get(id)?.ms ?? Infinity)) quickest.set(id, { check, ms })
for (const [id, { check }] of quickest) pairs.get(check).push(id)

for (const [check, ids] of Object.entries(measuredBefore('killers.json'))) {
  const kept = ids.filter((id) => known[id] !== undefined && !tried.has(id))
  if (isCheck(...partsOf(check)) && kept.length > 0)
    pairs.set(check, [...kept, ...(pairs.get(check) ?? [])])
}

// A check without a mutant has a row too: test/cli/killers.spec.ts names the checks that are gone. In another form of its
// requests a check has none.
for (const { rule, variant } of await listedChecks()) {
  const check = titleOf(rule, variant)
  if (formOf(variant) !== undefined) pairs.delete(check)
  else if (!pairs.has(check)) pairs.set(check, [])
}

const rows = [...pairs].map(([check, ids]) => [check, ids.toSorted((a, b) => (a < b ? -1 : 1))])
const file = writeMeasured('killers.json', sorted(rows))
console.log(
  `${rows.length} checks, ${new Set(rows.flatMap(([, ids]) => ids)).size} mutants in ${file}`,
)
