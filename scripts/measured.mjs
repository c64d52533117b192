// Writes a table that was measured in runs: below suites/, its rows in order.

import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'

const root = resolve(fileURLToPath(import.meta.url), '../..')

/**
 * @param {string} file name of the table
 * @param {[string, unknown][]} rows
 * @returns {Promise<string>} its path
 */
export async function writeMeasured(file, rows) {
  const target = join(root, 'suites', file)
  const sorted = Object.fromEntries(rows.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const options = await resolveConfig(target)
  writeFileSync(target, await format(JSON.stringify(sorted), { ...options, parser: 'json' }))
  return target
}
