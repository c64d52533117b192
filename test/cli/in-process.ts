import { tmpdir } from 'node:os'
import type { Io } from '../../cli/io.ts'
import { main } from '../../cli/main.ts'

/** The command line as a function, in this process: what it printed, and its exit code. */
export const run = async (
  line: string,
  given: Partial<Io> = {},
): Promise<{ readonly exit: number; readonly out: string; readonly err: string }> => {
  const said = { out: '', err: '' }
  const exit = await main(line.split(' ').filter(Boolean), {
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
    env: {},
    cwd: tmpdir(),
    interactive: false,
    signal: new AbortController().signal,
    ...given,
  })
  return { exit, ...said }
}
