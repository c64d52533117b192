const format =
  Error.prepareStackTrace ??
  ((error: Error, frames: readonly NodeJS.CallSite[]) =>
    `${error}\n    at ${frames.join('\n    at ')}`)

/**
 * Leaves out the lines of assertions, in this process. Playwright takes a stack at each and looks every line up in
 * source maps, which is a twentieth of a run and in no report. It uses an error without a message for that; all others
 * keep their lines.
 */
export const skipStepLines = (): void => {
  Error.prepareStackTrace = (error, frames) =>
    error.message === '' ? String(error) : format(error, frames)
}
