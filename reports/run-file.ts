import { writeFileSync } from 'node:fs'
import process from 'node:process'

/** A write that the system refused, as the runner sends it to the command line, which says so. */
export interface RefusedWrite {
  readonly refused: Pick<NodeJS.ErrnoException, 'code' | 'syscall' | 'path'>
}

/** Ends the run in this process: gracefully where it can, and promptly in any case. */
export const stopRun = (): void => {
  process.kill(process.pid, 'SIGINT')
  setTimeout(() => process.exit(130), 5_000).unref()
}

let refused = false

/** Writes a file of the run. Without it there is no verdict, so the run ends if the system refuses the write. */
export const writeRunFile = (file: string, text: string, flag: 'w' | 'a' = 'w'): void => {
  if (refused) return
  try {
    writeFileSync(file, text, { flag })
  } catch (error) {
    if (process.send === undefined) throw error
    const { code, syscall } = error as NodeJS.ErrnoException
    refused = true
    process.send({ refused: { code, syscall, path: file } } satisfies RefusedWrite)
    stopRun()
  }
}
