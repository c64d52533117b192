/**
 * Leaves out the line numbers of assertions, in this process. For each one Playwright captures a stack and looks every
 * line up in source maps, which takes a twentieth of a run and appears in no report. It uses an error without a message
 * for that; all other errors keep their line numbers.
 */
export const skipStepLines = (): void => {
  const format = Error.prepareStackTrace?.bind(Error)
  if (format === undefined) return
  Error.prepareStackTrace = (error, frames): unknown =>
    error.message === '' ? String(error) : format(error, frames)
}
