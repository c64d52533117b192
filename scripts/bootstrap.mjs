// From a fresh clone to a running command: dependencies, build, k6, then the job. Needs only Node.

import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildAll, runBuilt } from './built.mjs'
import { runGuards } from './guards.mjs'
import { install } from './install.mjs'
import { Explained, runJob, runShown, say } from './process.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

/** What `node scripts/bootstrap.mjs JOB [args...]` can do; each returns the exit code. */
const jobs = {
  async certify(args) {
    await install(root)
    buildAll()
    await prepareK6()
    return runShown(process.execPath, [join(root, 'dist/cli/main.js'), 'certify', ...args])
  },
  prove: (args) => runBuilt('cli/main.js', ['mutate', '--proof', ...args]),
  async test(args) {
    await install(root)
    return runGuards(root, args)
  },
}

// Without k6 the job continues, and reports what it could not do.
async function prepareK6() {
  const { findK6 } = await import(pathToFileURL(join(root, 'dist/load/engine.js')).href)
  const k6 = await findK6({ build: true, onProgress: (message) => say(`k6: ${message}`) })
  if ('missing' in k6) say(`k6: not found. ${k6.missing} ${k6.advice}`)
  else say(`k6: ${k6.version} (${k6.source})`)
}

function requireNode() {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const wanted = engines.node.match(/\d+/g).map(Number)
  const running = process.versions.node.split('.').map(Number)
  const difference = wanted[0] - running[0] || (wanted[1] ?? 0) - running[1]
  if (difference > 0) {
    throw new Explained(
      `Node ${engines.node} is required, found ${process.versions.node}. Install a newer version.`,
    )
  }
}

const [name = '', ...args] = process.argv.slice(2)
await runJob(
  () => {
    requireNode()
    const job = Object.hasOwn(jobs, name) ? jobs[name] : undefined
    if (job) return job(args)
    console.error(`usage: node scripts/bootstrap.mjs ${Object.keys(jobs).join('|')} [args...]`)
    return 2
  },
  () => {
    if (name !== 'test') return 3
    // A test run that could not start still prints its sum.
    console.log('0 passed, 1 failed')
    return 1
  },
)
