import { mkdtempSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'

/** A directory for files that may hold secrets, gone when the process ends, however that ends short of a kill. */
export interface TemporaryDirectory {
  readonly directory: string
  readonly dispose: () => Promise<void>
}

/** @param purpose part of its name */
export const temporaryDirectory = (purpose: string): TemporaryDirectory => {
  const directory = mkdtempSync(path.join(tmpdir(), `assay-${purpose}-`))
  const removeAtExit = () => rmSync(directory, { recursive: true, force: true })
  process.once('exit', removeAtExit)
  return {
    directory,
    dispose: async () => {
      await rm(directory, { recursive: true, force: true })
      process.off('exit', removeAtExit)
    },
  }
}
