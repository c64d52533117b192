import process from 'node:process'

/**
 * npm runs a command in a shell. When npm is stopped, it ends the shell and not what runs in it: a server would
 * keep its port for ever. So a process that npm started ends with its parent.
 * @returns what ends the watch
 */
export const watchParent = (
  env: Readonly<Record<string, string | undefined>>,
  onOrphaned: () => void,
  parentOf: () => number = () => process.ppid,
): (() => void) => {
  const startedByNpm = env['npm_command'] !== undefined || env['npm_lifecycle_event'] !== undefined
  if (!startedByNpm) return () => undefined
  const first = parentOf()
  const timer = setInterval(() => {
    if (parentOf() === first) return
    clearInterval(timer)
    onOrphaned()
  }, 100)
  timer.unref()
  return () => clearInterval(timer)
}
