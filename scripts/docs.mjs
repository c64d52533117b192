// Writes what is generated from the contract and the generators: contract/openapi.json and the pages of docs/reference.
// `--check` writes nothing and exits with 1 when something is stale.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from './build.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const check = process.argv.includes('--check')

build({ onProgress: (message) => console.error(message) })
const { openapi } = await import('../dist/contract/openapi.js')
const { dialects } = await import('../dist/contract/dialects.js')
const { referencePages } = await import('../dist/reports/reference-pages.js')
const { malformationsPage } = await import('../dist/generators/faults/page.js')
const { targetSchema } = await import('../dist/lib/node/target-schema.js')
const { consentSchema } = await import('../dist/lib/node/consent-schema.js')
const { paceSchema } = await import('../dist/lib/node/pace-schema.js')

const files = {
  'contract/openapi.json': `${JSON.stringify(openapi(dialects.svc), null, 2)}\n`,
  ...Object.fromEntries(
    Object.entries(referencePages()).map(([name, text]) => [`docs/reference/${name}`, text]),
  ),
  'docs/reference/malformations.md': malformationsPage(),
  'docs/reference/target.schema.json': `${JSON.stringify(targetSchema, null, '\t')}\n`,
  'docs/reference/consent.schema.json': `${JSON.stringify(consentSchema, null, '\t')}\n`,
  'docs/reference/pace.schema.json': `${JSON.stringify(paceSchema, null, '\t')}\n`,
}

let stale = 0
for (const [name, text] of Object.entries(files)) {
  const file = join(root, name)
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
  stale += 1
  if (check) console.error(`${name} is stale: run node scripts/docs.mjs`)
  else {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    console.error(`${name} written`)
  }
}
process.exitCode = check && stale > 0 ? 1 : 0
