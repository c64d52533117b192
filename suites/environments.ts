import type { EnvironmentId } from '../contract/environments.ts'
import { Inconclusive } from '../lib/outcome.ts'
import { runOptions } from './run-options.ts'
import { openTarget } from './target.ts'
import type { Target } from './target.ts'

/** The same service in other environments, for as long as a check needs them. */
export interface Environments {
  /** @throws {Inconclusive} when the target cannot be had in that environment */
  readonly open: (environment: EnvironmentId) => Promise<Target>
  readonly close: () => Promise<void>
}

/**
 * Environments beside that of a target. Each is an embedded reference with the limits of its environment, and with
 * the mutant of the run in it.
 */
export const createEnvironments = (target: Target, mutant: string | undefined): Environments => {
  const opened: Target[] = []
  return {
    async open(environment) {
      if (!target.embedded) {
        if (target.environment === environment) return target
        throw new Inconclusive(
          `work in the ${environment} environment`,
          `a target that is one, not ${target.environment}`,
        )
      }
      const limits = environment === 'test' ? 'test' : 'production'
      const other = await openTarget({ ...runOptions, limits }, environment)
      opened.push(other)
      if (mutant !== undefined) await other.management?.install(mutant)
      return other
    },
    async close() {
      for (const other of opened) await other.close()
    },
  }
}
