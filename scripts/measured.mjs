// Reads and writes the tables that were measured in runs: below suites/.

import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listedChecks } from '../dist/cli/registered.js'
import { families } from '../dist/suites/support/checks/families.js'

const root = resolve(fileURLToPath(import.meta.url), '../..')

/** Its rows in order. */
export const sorted = (rows) => Object.fromEntries(rows.toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** What was measured before: it stays for what the runs do not show. */
export const measuredBefore = (file) => JSON.parse(readFileSync(join(root, 'suites', file), 'utf8'))

/** Whether a check exists only where there are documents for it. */
export const isOptional = (variant = '') =>
  Object.entries(families).some(
    ([name, { optional }]) => optional && variant.startsWith(`${name}, `),
  )

const checks = new Set(
  (await listedChecks()).map(({ rule, variant = '' }) => `${rule} / ${variant}`),
)

/** Whether there is such a check. */
export const isCheck = (rule, variant = '') =>
  isOptional(variant) || checks.has(`${rule} / ${variant}`)

/** Rows of a table on a line each, so that a difference shows which rows changed. */
const inLines = (table, levels) =>
  levels === 0 || Array.isArray(table)
    ? JSON.stringify(table)
    : `{\n${Object.entries(table)
        .map(([name, row]) => `${JSON.stringify(name)}:${inLines(row, levels - 1)}`)
        .join(',\n')}\n}`

/**
 * @param {string} file name of the table
 * @param {object} table
 * @param {number} levels how deep its rows lie
 * @returns {string} its path
 */
export function writeMeasured(file, table, levels = 1) {
  const target = join(root, 'suites', file)
  writeFileSync(target, `${inLines(table, levels)}\n`)
  return target
}
