import { test } from '@playwright/test'
import type { EnvironmentId } from '../../contract/environments.ts'
import { capabilities } from '../../contract/types.ts'
import { worksElsewhere } from './mutation.ts'
import { runOptions } from './run-options.ts'
import { borrow, openProfile, openTarget } from './target.ts'
import type { Target } from './target.ts'

/** The same service in other environments, while a check needs them. */
export interface Environments {
  /** Skips the check if the service is not available in that environment. */
  readonly open: (environment: EnvironmentId) => Promise<Target>
  readonly close: () => Promise<void>
}

/**
 * Environments beside that of a target: those that its profile names, or where the target is an embedded reference,
 * others of that kind, with the limits of their environments and with the mutant of the run in them.
 */
export const createEnvironments = (target: Target, mutant: string | undefined): Environments => {
  const toClose: (() => Promise<void>)[] = []
  const embeddedIn = async (environment: EnvironmentId) => {
    worksElsewhere(target)
    const limits = environment === 'test' ? 'test' : 'production'
    const other = await openTarget({ ...runOptions, limits }, environment)
    toClose.push(() => other.close())
    if (mutant !== undefined) await other.management?.install(mutant)
    return other
  }
  return {
    async open(environment) {
      if (target.embedded) return embeddedIn(environment)
      const sibling = target.profile.elsewhere?.[environment]
      if (sibling !== undefined) {
        const other = await openProfile(sibling, runOptions)
        toClose.push(() => other.close())
        return other
      }
      test.skip(
        target.environment !== environment,
        `the target does not offer: env (${capabilities.env}); its profile names no ${environment}`,
      )
      if (target.management !== undefined) toClose.push(borrow(target.management))
      return target
    },
    async close() {
      for (const close of toClose) await close()
    },
  }
}
