/** Why a durable store cannot be used: what was found, what was expected, what to do. */
export class StoreProblem extends Error {
  override readonly name = 'StoreProblem'
  /** `content`: its content is not usable. `access`: it cannot be read or written now. */
  readonly about: 'content' | 'access'

  constructor(about: 'content' | 'access', folder: string, what: string, cause?: unknown) {
    super(`the store ${folder} ${what}`, cause === undefined ? {} : { cause })
    this.about = about
  }
}

/** What the operating system, or the storage engine, says of a failure. */
const reasonOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException
  return typeof code === 'string' ? code : message
}

export const inUse = (folder: string, owner: number, cause: unknown): StoreProblem =>
  new StoreProblem(
    'access',
    folder,
    `is in use by process ${owner}: expected one process at a time; stop that one or name another folder (where ${owner} is something else, remove owner.pid)`,
    cause,
  )

export const notWritable = (folder: string, cause: unknown): StoreProblem =>
  new StoreProblem(
    'access',
    folder,
    `cannot be written: expected a folder that this process may write, received ${reasonOf(cause)}; change its rights or name another folder`,
    cause,
  )

export const noRoom = (folder: string, bytes: number, cause: unknown): StoreProblem =>
  new StoreProblem(
    'access',
    folder,
    `has no room: expected at least ${bytes} bytes, received ${reasonOf(cause)}; free some space, raise the limit on files (\`ulimit -f\`) or name another folder`,
    cause,
  )

export const writeFailed = (folder: string, cause: unknown): StoreProblem =>
  new StoreProblem(
    'access',
    folder,
    'cannot be written any more: expected room for a transaction, received a failure of the disk (is it full?); what was answered is kept: make room and start again',
    cause,
  )

export const damaged = (folder: string, what: string, cause?: unknown): StoreProblem =>
  new StoreProblem(
    'content',
    folder,
    `is damaged: expected a store that can be read from end to end, received ${what}; put a copy of it in its place or name another folder`,
    cause,
  )

export const otherFormat = (folder: string, expected: number, found: unknown): StoreProblem =>
  new StoreProblem(
    'content',
    folder,
    `has another format: expected ${expected}, received ${found === undefined ? 'one from before formats had numbers' : JSON.stringify(found)}; use the version that wrote it or name another folder`,
  )

export const otherKind = (
  folder: string,
  what: 'dialect' | 'environment',
  asked: string,
  found: string,
): StoreProblem =>
  new StoreProblem(
    'content',
    folder,
    `belongs to another ${what}: expected ${asked}, received ${found}; start with --${what} ${found} or name another folder`,
  )
