// Writes suites/killers.json: the quickest check that noticed each mutant that was written by hand. `assay mutate` puts
// a mutant to it first.
// npm run killers -- DIRECTORY..: run directories of `assay mutate`.

import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { writeMeasured } from './measured.mjs'

const root = resolve(fileURLToPath(import.meta.url), '../..')
const folders = process.argv.slice(2)
if (folders.length === 0 || folders.includes('--help')) {
  console.log('npm run killers -- DIRECTORY..: run directories of `assay mutate`')
  process.exit(folders.length === 0 ? 2 : 0)
}
const { mutants } = await import(
  pathToFileURL(join(root, 'dist/reference/mutants/mutants.js')).href
)

const quickest = new Map()
for (const folder of folders)
  for (const file of ['trials.ndjson', 'rest/trials.ndjson'].map((name) => join(folder, name))) {
    if (!existsSync(file)) continue
    for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
      const { mutant, check, outcome, ms } = JSON.parse(line)
      if (outcome !== 'violated' || check === undefined) continue
      if (mutants[mutant] === undefined || mutants[mutant].generated === true) continue
      if (ms < (quickest.get(mutant)?.ms ?? Infinity)) quickest.set(mutant, { check, ms })
    }
  }

const rows = [...quickest].map(([mutant, { check }]) => [mutant, check])
console.log(`${rows.length} mutants in ${await writeMeasured('killers.json', rows)}`)
