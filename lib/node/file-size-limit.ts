import process from 'node:process'

/** Makes a write beyond the shell's limit (`ulimit -f`) an error (EFBIG) instead of the silent end of the process. */
export const outliveFileSizeLimit = (): void => {
  if (process.platform !== 'win32') process.on('SIGXFSZ', () => {})
}
