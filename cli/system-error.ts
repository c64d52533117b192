import type { Explained } from './io.ts'
import { couldNotRun, usageError } from './io.ts'

type Meaning = readonly [
  explained: (message: string) => Explained,
  sentence: (place: string) => string,
]

const unwritable: Meaning = [
  couldNotRun,
  (place) => `${place} cannot be read or written: choose another path, or change its permissions`,
]
const full: Meaning = [
  couldNotRun,
  (place) => `the disk is full (writing ${place}): free some space and run the command again`,
]

/** What the operating system refuses, by its code, or by the call and its code. */
const meanings: Readonly<Record<string, Meaning>> = {
  // Its parent exists: nothing can be created below /proc and the like.
  'mkdir ENOENT': [
    couldNotRun,
    (place) => `${place} cannot be created there: choose another directory`,
  ],
  ENOENT: [usageError, (place) => `${place} does not exist: check the path`],
  ENOTDIR: [usageError, (place) => `${place} leads through a file that is not a directory`],
  EISDIR: [usageError, (place) => `${place} is a directory: expected a file`],
  EEXIST: [usageError, (place) => `${place} exists and is not a directory: choose another path`],
  ENAMETOOLONG: [usageError, (place) => `${place} is longer than the file system allows`],
  ELOOP: [usageError, (place) => `${place} is a symbolic link that leads back to itself`],
  EACCES: unwritable,
  EPERM: unwritable,
  EROFS: unwritable,
  ENOSPC: full,
  EDQUOT: full,
  EFBIG: [
    couldNotRun,
    (place) =>
      `${place} is larger than the limit on files allows: raise it (\`ulimit -f\`) and run the command again`,
  ],
  EMFILE: [
    couldNotRun,
    () => 'too many open files: raise the limit (`ulimit -n`) and run the command again',
  ],
}

/** What the operating system refused, in one sentence; undefined where the error is not about a file. */
export const systemError = (error: unknown): Explained | undefined => {
  const { code, path, syscall } = error as NodeJS.ErrnoException
  if (code === undefined || syscall === undefined) return undefined
  const meaning = meanings[`${syscall} ${code}`] ?? meanings[code]
  if (meaning === undefined || syscall === 'spawn') return undefined
  const [explained, sentence] = meaning
  return explained(`${sentence(path ?? 'the output')} (${code})`)
}
