// Runs a script of dist/ from a fresh clone: dependencies and build first.

import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { build } from './build.mjs'
import { install } from './install.mjs'
import { Explained, runShown, say } from './process.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

/**
 * Brings dist/ up to date.
 * @throws {Explained} with what the compiler said
 */
export function buildAll() {
  const { ok, skipped, errors } = build({ onProgress: (message) => say(`build: ${message}`) })
  if (!ok) throw new Explained(`The build failed:\n${errors.trimEnd()}`)
  if (!skipped) say('build: done')
}

/** @returns the exit code of the script, a path below dist/ */
export async function runBuilt(script, args) {
  await install(root)
  buildAll()
  return runShown(process.execPath, [join(root, 'dist', script), ...args])
}
