import { utc } from '../base/wording.ts'
import type { Handlers } from '../call/call.ts'

/** Certificates of the keys that callers encrypt to. Source: specification, Public key certificate entry. */
export const keysHandlers = {
  'keys.list': ({ service, now }) => {
    const { policy, environment } = service
    const listed = policy.keysListedFrom(Date.parse(environment.keysFrom), now)
      ? service.keys.published(policy, now)
      : []
    return {
      body: listed.map((key) => ({
        usage: key.usage,
        certificate: key.certificate,
        certificateId: key.certificateId,
        publicKeyId: key.publicKeyId,
        validFrom: utc(key.validFrom),
        validTo: utc(key.validTo),
      })),
    }
  },
} satisfies Handlers<'keys'>
