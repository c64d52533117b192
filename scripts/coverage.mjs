// Writes suites/coverage.json: for each state, transition, action and refusal of the contract, a check whose exchanges
// show it. The tests run these checks each time, and compare.
// npm run coverage -- DIRECTORY..: run directories of `assay check` or `mutate`, some of each dialect. A row takes a check that shows
// it in each of these runs that it was part of: what is seen by luck is not seen by the next run.

import { listedChecks } from '../dist/cli/registered.js'
import { readRunFacts } from '../dist/cli/reports.js'
import { readShown } from '../dist/reports/shown-record.js'
import { titleOf } from '../dist/suites/support/checks/rule.js'
import {
  fileOfCell,
  matrix,
  shownMatrixIds,
} from '../dist/suites/support/coverage/shown-matrices.js'
import { measuredBefore, writeMeasured } from './measured.mjs'

const folders = process.argv.slice(2)
if (folders.length === 0 || folders.includes('--help')) {
  console.log(
    'npm run coverage -- DIRECTORY..: run directories of `assay check` or `mutate`, some of each dialect',
  )
  process.exit(folders.length === 0 ? 2 : 0)
}

const existing = new Set((await listedChecks()).map(({ rule, variant }) => titleOf(rule, variant)))

const plus = (counts, key) => counts.set(key, (counts.get(key) ?? 0) + 1)

/** In how many runs of a dialect each check was; in how many of all it showed a cell, and the dialects of these. */
const runs = new Map()
const shows = new Map()
const keyOf = (id, cell) => `${id} ${cell}`
for (const folder of folders) {
  const record = readShown(folder)
  if (record === undefined) throw new Error(`${folder} has no coverage.json of a run that ended`)
  const { dialect = 'svc' } = await readRunFacts(folder)
  if (!runs.has(dialect)) runs.set(dialect, new Map())
  for (const check of record.checks) plus(runs.get(dialect), check)
  for (const id of shownMatrixIds)
    for (const [cell, places] of Object.entries(record.cells[id] ?? {})) {
      const key = keyOf(id, cell)
      if (!shows.has(key)) shows.set(key, { checks: new Map(), dialects: new Set() })
      const { checks, dialects } = shows.get(key)
      dialects.add(dialect)
      for (const place of places) plus(checks, record.checks[place])
    }
}

const everyDialect = [...runs.keys()]

/** The checks that showed a cell each time that they were in a run in some dialects. */
const always = ({ checks }, dialects) =>
  new Set(
    [...checks].flatMap(([check, times]) => {
      const possible = [...dialects].reduce((sum, one) => sum + (runs.get(one)?.get(check) ?? 0), 0)
      return existing.has(check) && times === possible ? check : []
    }),
  )

/** The checks that show each cell; where none does in every dialect, those that do in the dialects that have it. */
const showing = new Map(
  [...shows].map(([key, shown]) => {
    const checks = always(shown, everyDialect)
    return [key, checks.size > 0 ? checks : always(shown, shown.dialects)]
  }),
)

/** Families whose checks have work take time, so that a busy machine sees each of its states too. */
const steadyFamilies = new Set(['work', 'state of failure', 'pending work', 'pending session'])

/** How surely a check shows a cell: most surely where it has work take time, and is about that kind of work. */
const rankOf = (cell, title) =>
  (steadyFamilies.has(title.split(' / ')[1]?.split(', ')[0]) ? 3 : 0) +
  (title.includes(cell.split(' ')[0]) ? 1 : 0) +
  (title.includes('.status.moves-forward') ? 1 : 0)

const best = (cell, titles) => {
  const highest = Math.max(...titles.map((title) => rankOf(cell, title)))
  return titles.filter((title) => rankOf(cell, title) === highest)
}

const before = measuredBefore('coverage.json')

/** Every cell, with the checks that it may have: the one that it has, as long as that shows it. */
const cells = shownMatrixIds.flatMap((id) =>
  matrix(id).cells.map((cell) => {
    const titles = [...(showing.get(keyOf(id, cell)) ?? [])]
    const known = before[id]?.[cell]
    return { id, cell, titles: titles.includes(known) ? [known] : best(cell, titles) }
  }),
)

// To as few checks as possible: one that is needed anyway, else the one that shows the most of what is open. Cells with
// the least choice come first.
const chosen = new Map()
const needed = new Set()
const byChoice = cells
  .filter(({ titles }) => titles.length > 0)
  .toSorted((a, b) => a.titles.length - b.titles.length)
for (const [place, one] of byChoice.entries()) {
  const rest = byChoice.slice(place)
  const count = (title) => rest.filter(({ titles }) => titles.includes(title)).length
  const title =
    one.titles.find((each) => needed.has(each)) ??
    one.titles.toSorted((a, b) => count(b) - count(a) || (a < b ? -1 : 1))[0]
  chosen.set(one, title)
  needed.add(title)
}

const table = Object.fromEntries(
  shownMatrixIds.map((id) => [
    id,
    Object.fromEntries(
      cells.flatMap((one) =>
        one.id === id && chosen.has(one) ? [[one.cell, chosen.get(one)]] : [],
      ),
    ),
  ]),
)
const file = writeMeasured('coverage.json', table, 2)
console.log(`${chosen.size} rows, ${needed.size} checks in ${file}`)
for (const { id, cell } of cells.filter((one) => !chosen.has(one)))
  console.log(`no check shows ${id}: ${cell}; one belongs in suites/${fileOfCell(id, cell)}`)
