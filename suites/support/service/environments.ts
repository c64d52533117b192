import { test } from '@playwright/test'
import type { EnvironmentId } from '../../../contract/environments.ts'
import { capabilities } from '../../../contract/types.ts'
import { worksElsewhere } from './mutation.ts'
import { notOffered } from '../run/not-offered.ts'
import { rowOf } from '../checks/rule.ts'
import type { Subject } from '../checks/rule.ts'
import { runOptions } from '../checks/run-options.ts'
import { borrow, openProfile, openTarget } from './target.ts'
import type { Target } from './target.ts'

/** Checks that a service in another environment offers what the check needs, as its own target does. */
const expectOffered = (other: Target, { rule, variant }: Subject): void => {
  const missing = rowOf(rule, variant).needs?.find((need) => need !== 'env' && !other.has(need))
  if (missing !== undefined) throw notOffered(missing, `in ${other.environment}`)
}

/** The same service in other environments, while a check needs them. */
export interface Environments {
  /** Skips the check if the service is not available in that environment. */
  readonly open: (environment: EnvironmentId) => Promise<Target>
  readonly close: () => Promise<void>
}

/** Embedded references of this worker in other environments: making the keys of one takes longer than most checks. */
const kept = new Map<EnvironmentId, Target>()

/** Called when the worker ends. */
export const closeEnvironments = async (): Promise<void> => {
  for (const target of kept.values()) await target.close()
  kept.clear()
}

/**
 * Environments beside that of a target: those that its profile names, or where the target is an embedded reference,
 * others of that kind, with the limits of their environments and with the mutant of the run in them.
 */
export const createEnvironments = (target: Target, subject: Subject | undefined): Environments => {
  const toClose: (() => Promise<void>)[] = []
  const embeddedIn = async (environment: EnvironmentId) => {
    worksElsewhere(target)
    const limits = environment === 'test' ? 'test' : 'production'
    const other =
      kept.get(environment) ?? (await openTarget({ ...runOptions, limits }, environment))
    kept.set(environment, other)
    toClose.push(async () => other.management?.reset())
    if (subject?.mutant !== undefined) await other.management?.install(subject.mutant)
    return other
  }
  return {
    async open(environment) {
      if (target.embedded) return embeddedIn(environment)
      const sibling = target.profile.elsewhere?.[environment]
      if (sibling !== undefined) {
        const other = await openProfile(sibling, runOptions)
        toClose.push(() => other.close())
        if (subject !== undefined) expectOffered(other, subject)
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
