import type { DelayedKind } from './delays.ts'
import type { Sizes } from './sizes.ts'
import type { FailingLifecycle } from './endings.ts'
import type { Seed, SeedFile } from './seed-file.ts'
import type { SeededContext, SeededToken } from './seed.ts'

/** What the management port may do. */
export interface Control {
  readonly seed: number | undefined
  readonly installed: readonly string[]
  /** @returns whether there is such a mutant */
  install(id: string): Promise<boolean>
  uninstall(): void
  /** Begins to note which parts of the service are used. */
  record(): void
  /** Places, decisions and limits that were used since. */
  used(): readonly string[]
  reset(): void
  /** Has the next piece of work of a lifecycle end in a state of failure. */
  endNext(lifecycle: FailingLifecycle, code: number, subject?: string): void
  /** Has all work of a kind that starts from now on take so many milliseconds more. */
  delay(kind: DelayedKind, ms: number): void
  /** How much pages and packages hold. */
  readonly sizes: Sizes
  /** Where links point to, with the scheme and the port, without the prefix. */
  publish(origin: string): void
  createContext(request: Seed): Promise<SeededContext>
  /** Puts the permissions and tokens of a file in force. */
  preload(file: SeedFile): readonly SeededToken[]
}
