/** What a command may touch of the outside: so that it is a function and can be tested as one. */
export interface Io {
  readonly out: (text: string) => void
  /** Progress and remarks; `--quiet` drops them. */
  readonly err: (text: string) => void
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** What the user types, for commands that wait for them. */
  readonly input?: () => NodeJS.ReadableStream
  /** True when a person watches standard error. */
  readonly interactive: boolean
  /** Writes to the terminal of that person what moves its cursor, which `err` would show as text. */
  readonly draw?: (text: string) => void
  /** Aborted when the user asks to stop, or when standard output is closed (reason `closedPipe`). */
  readonly signal: AbortSignal
  /** Milliseconds between two lines of progress where no person watches. */
  readonly progressEveryMs?: number
}

/** Reason of an abort: the reader of standard output has gone. */
export const closedPipe = 'closed pipe'
/** Reason of an abort: standard output cannot be written, which has been said. */
export const lostOutput = 'lost output'

export const exits = {
  conformant: 0,
  failed: 1,
  usage: 2,
  couldNotRun: 3,
  mutantsSurvived: 4,
  thresholdsCrossed: 5,
  interrupted: 130,
} as const
export type Exit = (typeof exits)[keyof typeof exits]

/** What each exit code means, as help and documentation state it. */
export const exitMeanings: Readonly<Record<keyof typeof exits, string>> = {
  conformant: 'success: every planned check reported, and none failed',
  failed: 'a rule failed, or a document has errors',
  usage: 'wrong usage, or a file that cannot be read',
  couldNotRun: 'could not run to its end, or nothing could be verified',
  mutantsSurvived: 'a mutant survived',
  thresholdsCrossed: 'a load threshold was crossed',
  interrupted: 'interrupted',
}

/** A failure that is explained, not traced: what, expected, received, what to do next. */
export class Explained extends Error {
  readonly exit: Exit
  constructor(exit: Exit, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Explained'
    this.exit = exit
  }
}

export const usageError = (message: string): Explained => new Explained(exits.usage, message)
export const couldNotRun = (message: string): Explained => new Explained(exits.couldNotRun, message)
export const interrupted = (message: string): Explained => new Explained(exits.interrupted, message)

export const printJson = (io: Io, value: unknown): void =>
  io.out(`${JSON.stringify(value, undefined, 2)}\n`)
