import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { commandLine } from '../served.ts'
import { projectRoot } from '../sources.ts'

/** What a reader of the documentation has: a folder of their own and a shell. */

/**
 * An empty folder in which the package is installed, with some packages that came with it. It is outside the project:
 * inside it, a link to the project would be circular.
 */
export const openReaderFolder = (...packages: readonly string[]): string => {
  const root = projectRoot() ?? '.'
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-docs-'))
  const modules = path.join(folder, 'node_modules')
  mkdirSync(modules)
  symlinkSync(root, path.join(modules, 'assay'))
  for (const name of packages)
    symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name))
  return folder
}

/** For the start of a script: `npx assay` and `assay` run this build. */
export const shellCommands = (): string =>
  `npx() { shift; '${process.execPath}' '${commandLine()}' "$@"; }\nassay() { npx assay "$@"; }\n`
