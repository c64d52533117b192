import process from 'node:process'

/** A write over the limit of the shell (`ulimit -f`) is then an error (EFBIG), and no death without a word. */
export const outliveFileSizeLimit = (): void => {
  if (process.platform !== 'win32') process.on('SIGXFSZ', () => {})
}
