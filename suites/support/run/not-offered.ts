import { capabilities } from '../../../contract/types.ts'
import type { Capability } from '../../../contract/types.ts'
import { withOutcome } from '../../../lib/outcome.ts'

/** The target lacks what a check needs, which shows only while it runs: the check ends as not verifiable. */
export class NotOffered extends Error {
  override readonly name = 'NotOffered'
  constructor(message: string, ...needs: readonly Capability[]) {
    super(message)
    withOutcome(this, { kind: 'not-verifiable', reason: message, needs })
  }
}

/** That a target does not offer a capability. `more` says what of it is missing. */
export const notOffered = (capability: Capability, more?: string): NotOffered =>
  new NotOffered(
    `the target does not offer: ${capability} (${capabilities[capability]})${more === undefined ? '' : `; ${more}`}`,
    capability,
  )

/** That a check is about something that the target's dialect lacks. */
export const notApplicable = (reason: string): Error =>
  withOutcome(new Error(reason), { kind: 'not-applicable', reason })

let besides = 0

/** Whether the check that runs in this worker is asking for something that it can do without. */
export const asksBesides = (): boolean => besides > 0

/** What a check takes besides, where the target offers it: without it, the check does what it can. */
export const ifOffered = async <T>(make: () => Promise<T>): Promise<T | undefined> => {
  besides += 1
  try {
    return await make()
  } catch (error) {
    if (error instanceof NotOffered) return undefined
    throw error
  } finally {
    besides -= 1
  }
}
