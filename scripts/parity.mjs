// Whether a served reference gets the verdicts of an embedded one: `assay check` twice, compared finding by finding.
// usage: node scripts/parity.mjs [selectors...]   (needs dist/; about four minutes for everything)

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const folder = join(root, '.cache/parity')
const cli = join(root, 'dist/cli/main.js')
const selectors = process.argv.slice(2)

/** Runs the suite and reads its findings: `rule / variant` -> finding. */
async function check(name, args) {
  const file = join(folder, `${name}.json`)
  const descriptor = openSync(file, 'w')
  const out = ['--out', join(folder, name)]
  const child = spawn(
    process.execPath,
    [cli, 'check', ...selectors, '--json', '--seed', '1', ...out, ...args],
    { cwd: root, stdio: ['ignore', descriptor, 'inherit'] },
  )
  const [code] = await once(child, 'close')
  closeSync(descriptor)
  const { findings, totals } = JSON.parse(readFileSync(file, 'utf8'))
  console.error(`${name}: exit ${code}, ${JSON.stringify(totals)}`)
  return new Map(findings.map((finding) => [`${finding.rule} / ${finding.variant ?? ''}`, finding]))
}

async function served() {
  const server = spawn(
    process.execPath,
    [cli, 'serve', '--port', '0', '--json', '--seed', '1', '--start-at', '2026-06-15T08:00:00Z'],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  try {
    const [profile] = await once(createInterface({ input: server.stdout }), 'line')
    const target = join(folder, 'target.json')
    writeFileSync(target, profile)
    return await check('served', ['--target', target])
  } finally {
    server.kill()
  }
}

mkdirSync(folder, { recursive: true })
const there = await served()
const here = await check('embedded', [])
let different = 0
for (const id of new Set([...here.keys(), ...there.keys()])) {
  const [one, other] = [here.get(id), there.get(id)]
  if (one?.verdict === other?.verdict) continue
  different += 1
  console.log(
    `${id}: ${one?.verdict ?? 'absent'} embedded, ${other?.verdict ?? 'absent'} served` +
      (other?.reason ? ` (${other.reason})` : ''),
  )
}
console.log(`${here.size} findings, ${different} different`)
process.exitCode = different === 0 && here.size > 0 ? 0 : 1
