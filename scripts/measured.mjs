// Writes a table that was measured in runs: below suites/.

import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'

const root = resolve(fileURLToPath(import.meta.url), '../..')

/** Its rows in order. */
export const sorted = (rows) => Object.fromEntries(rows.toSorted(([a], [b]) => (a < b ? -1 : 1)))

/**
 * @param {string} file name of the table
 * @param {unknown} table
 * @returns {Promise<string>} its path
 */
export async function writeMeasured(file, table) {
  const target = join(root, 'suites', file)
  const options = await resolveConfig(target)
  writeFileSync(target, await format(JSON.stringify(table), { ...options, parser: 'json' }))
  return target
}
