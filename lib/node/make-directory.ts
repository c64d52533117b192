import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/**
 * Creates a directory and its parents, one by one: Node's recursive form never returns if the file system refuses them
 * in an unusual way, such as below /proc.
 */
export function makeDirectory(path: string): void {
  if (isDirectory(path)) return
  const around = dirname(path)
  if (!existsSync(around)) makeDirectory(around)
  try {
    mkdirSync(path)
  } catch (error) {
    // Another process may have been faster.
    if (!isDirectory(path)) throw error
  }
}
