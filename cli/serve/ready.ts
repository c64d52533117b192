import { renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { makeDirectory } from '../../lib/node/make-directory.ts'
import type { Profile } from '../../reference/server/server.ts'

/** Writes a file whole, so that a reader never finds half of it. */
export const writeReady = (file: string, profile: Profile): void => {
  makeDirectory(path.dirname(file))
  writeFileSync(`${file}.part`, `${JSON.stringify({ ...profile, pid: process.pid })}\n`, {
    mode: 0o600,
  })
  renameSync(`${file}.part`, file)
}
