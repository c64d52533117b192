import { namesContexts } from '../lib/consent.ts'
import { createSend } from '../lib/node/fetch.ts'
import type { TargetContext, TargetProfile } from '../lib/node/target.ts'
import { createManagement } from '../suites/support/service/management.ts'
import type { Management } from '../suites/support/service/management.ts'

/** The management port of a target: a reference of the user's own. */
export interface ManagementPort {
  readonly management: Management
  /** Creates a context, so that no earlier run counts; undefined where a consent names the contexts to work in. */
  readonly newContext: (() => Promise<TargetContext>) | undefined
  readonly close: () => void
}

/** The management port that a profile names, if any. It is on this machine: no proxy or gateway is on the way. */
export const managementPort = ({
  management: url,
  consent,
}: Pick<TargetProfile, 'management' | 'consent'>): ManagementPort | undefined => {
  if (url === undefined) return undefined
  const local = createSend({})
  const management = createManagement(local.send, url)
  return {
    management,
    newContext: namesContexts(consent) ? undefined : () => management.createContext(),
    close: () => local.close(),
  }
}
