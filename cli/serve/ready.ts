import { renameSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import type { Profile } from '../../reference/server/server.ts'
import { usageError } from '../io.ts'

/** Writes a file whole, so that a reader never finds half of it. */
export const writeReady = (file: string, profile: Profile): void => {
  try {
    writeFileSync(`${file}.part`, `${JSON.stringify({ ...profile, pid: process.pid })}\n`, {
      mode: 0o600,
    })
    renameSync(`${file}.part`, file)
  } catch (error) {
    throw usageError(`--ready-file ${file}: ${(error as Error).message}; choose a writable path`)
  }
}
