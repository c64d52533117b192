import type { Driver } from '../../suites/client/driver.ts'
import type { Stage } from '../../suites/client/stage.ts'
import type { Io } from '../io.ts'

/** A person runs the client: the service stays open until they say that it is done. */
export const byHand =
  (io: Io, forMs: number | undefined): Driver =>
  async (stage, { runs }) => {
    io.err(instructions(stage))
    for (let run = 1; run <= runs && !io.signal.aborted; run += 1) {
      stage.begins(() =>
        io.err('  kill the client now, without a chance to clean up, and start it again\n'),
      )
      io.err(
        `${runs === 1 ? 'run the client' : `run the client, ${run} of ${runs} times`}; ${forMs === undefined ? 'press Enter or Ctrl-D when it is done' : `the ordeal ends after ${forMs / 1000} s, or when you press Enter`}\n`,
      )
      await isDone(io, forMs)
      stage.ends('ended by the user')
    }
    return ['ended by the user']
  }

const instructions = ({ environment }: Stage): string =>
  [
    'point the client at the service:',
    ...Object.entries(environment).map(([name, value]) => `  ${name}=${value}`),
    '',
  ].join('\n')

/** Resolves with a line or the end of the input, after the time, or when the user asks to stop. */
async function isDone({ input: open, signal }: Io, forMs: number | undefined): Promise<void> {
  const input = open?.()
  const over = new AbortController()
  const end = () => over.abort()
  const timer = forMs === undefined ? undefined : setTimeout(end, forMs)
  signal.addEventListener('abort', end, { once: true })
  input?.once('data', end)
  // With a time, an input that is closed from the start ends nothing.
  if (forMs === undefined) input?.once('end', end)
  input?.resume()
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    over.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  clearTimeout(timer)
  signal.removeEventListener('abort', end)
  input?.off('data', end)
  input?.off('end', end)
  input?.pause()
}
