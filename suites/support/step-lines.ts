/**
 * Leaves out the lines of assertions, in this process. Playwright takes a stack at each and looks every line up in
 * source maps, which is a twentieth of a run and in no report. It uses an error without a message for that; all others
 * keep their lines.
 */
export const skipStepLines = (): void => {
  const format = Error.prepareStackTrace?.bind(Error)
  if (format === undefined) return
  Error.prepareStackTrace = (error, frames): unknown =>
    error.message === '' ? String(error) : format(error, frames)
}
