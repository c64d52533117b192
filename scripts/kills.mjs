// `node scripts/kills.mjs`: the reference with `--data`, killed at random moments under load, and compared after each.
// Minutes, not seconds: `npm test` kills a few times, at moments that follow from counts of answers.

import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { build } from './build.mjs'
import { install } from './install.mjs'
import { Explained, Interrupted, runShown, say } from './process.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

try {
  await install(root)
  const { ok, errors } = build({ onProgress: (message) => say(`build: ${message}`) })
  if (!ok) throw new Explained(`The build has errors:\n${errors.trimEnd()}`)
  const script = join(root, 'dist/suites/meta/kills/main.js')
  process.exitCode = await runShown(process.execPath, [script, ...process.argv.slice(2)])
} catch (error) {
  if (error instanceof Interrupted) {
    process.exitCode = error.exitCode
  } else if (error instanceof Explained) {
    say(error.message)
    // 3: could not run.
    process.exitCode = 3
  } else {
    throw error
  }
}
