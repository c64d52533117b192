import type { Dialect } from '../../../contract/dialect.ts'
import { createCallerContexts } from '../../../lib/caller-contexts.ts'
import type { Send } from '../../../lib/exchange.ts'
import { nodeCodec } from '../../../lib/node/codec.ts'
import { sendToTarget } from '../../../lib/node/target-send.ts'
import type { TargetProfile } from '../../../lib/node/target.ts'
import { withCircuitBreaker } from './circuit-breaker.ts'
import type { Within } from './in-process.ts'
import { NotOffered } from '../run/not-offered.ts'

/**
 * One sender for each source address.
 * @param within of a target in this process: then calls without a source address take no socket
 */
export const createSenders = (profile: TargetProfile, dialect: Dialect, within?: Within) => {
  const senders = new Map<string, { send: Send; close(): void }>()
  const callers = createCallerContexts(nodeCodec)
  return {
    from(address = '') {
      const known = senders.get(address)
      if (known !== undefined) return known
      const sender = sendToTarget(profile, {
        dialect,
        callers,
        ...(address === '' ? {} : { localAddress: address }),
        refuse: (reason) => new NotOffered(`the target does not offer: ${reason}`),
      })
      const send = withCircuitBreaker(sender.send, profile.timeoutMs)
      const guarded = {
        send: address === '' && within !== undefined ? within(send) : send,
        close: () => sender.close(),
      }
      senders.set(address, guarded)
      return guarded
    },
    close() {
      for (const sender of senders.values()) sender.close()
    },
  }
}
