import type { Handlers } from '../call/call.ts'

/** Certificates of the keys that callers encrypt to. Source: specification, Public key certificate entry. */
export const keysHandlers = {
  'keys.list': ({ service, now }) => {
    const { policy, environment } = service
    const listed = policy.keysListedFrom(Date.parse(environment.keysFrom), now)
      ? service.keys.published(now)
      : []
    return {
      body: listed.map((key) => {
        const dates = policy.keyDates(key.validFrom, key.validTo)
        return {
          usage: policy.keyUsages(key.usage),
          certificate: key.certificate,
          certificateId: policy.shownCertificateId(key.certificateId),
          publicKeyId: key.publicKeyId,
          validFrom: new Date(dates.validFrom).toISOString(),
          validTo: new Date(dates.validTo).toISOString(),
        }
      }),
    }
  },
} satisfies Handlers<'keys'>
