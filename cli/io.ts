/** What a command may touch of the outside: so that it is a function and can be tested as one. */
export interface Io {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** True when a person watches standard error. */
  readonly interactive: boolean
  /** Aborted when the user asks to stop. */
  readonly signal: AbortSignal
}

/** Exit codes. Source: the interfaces page; `docs/reference/exit-codes.md` lists them for users. */
export const exits = {
  conformant: 0,
  failed: 1,
  usage: 2,
  couldNotRun: 3,
  mutantsSurvived: 4,
  thresholdsCrossed: 5,
} as const
export type Exit = (typeof exits)[keyof typeof exits]

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

export const printJson = (io: Io, value: unknown): void =>
  io.out(`${JSON.stringify(value, undefined, 2)}\n`)
