import type { Service } from '../call/service.ts'
import type { Grant } from '../model/entities.ts'
import { stateOf } from './rights.ts'

/** Grants as the lists show them. Source: gap permission-queries. */

export const iso = (instant: number): string => new Date(instant).toISOString()

/** Who was granted something, as the grantor described them. */
export const summary = (grant: Grant) => {
  const details = (grant.subjectDetails ?? {}) as Record<
    string,
    Record<string, unknown> | undefined
  > & {
    subjectDetailsType?: string
    fullName?: string
  }
  const type = details.subjectDetailsType
  if (type === undefined) {
    return details.fullName === undefined
      ? {}
      : {
          subjectEntityDetails: {
            subjectDetailsType: 'EntityByIdentifier',
            fullName: details.fullName,
          },
        }
  }
  if (type === 'EntityByFingerprint') {
    return { subjectEntityDetails: { subjectDetailsType: type, ...details['entityByFp'] } }
  }
  const { identifier, ...person } = {
    ...details['personById'],
    ...details['personByFpWithId'],
    ...details['personByFpNoId'],
  } as Record<string, unknown>
  return {
    subjectPersonDetails: {
      subjectDetailsType: type,
      ...person,
      ...(identifier !== undefined && { personIdentifier: identifier }),
    },
  }
}

/** What every list shows of a grant. */
export const general = (grant: Grant) => ({
  id: grant.id,
  permissionScope: grant.permission,
  description: grant.description,
  startDate: iso(grant.startsAt),
})
/** What the lists of persons show of a grant. */
export const common = (service: Service, grant: Grant) => ({
  ...general(grant),
  permissionState: stateOf(service, grant),
  canDelegate: grant.canDelegate ?? false,
  ...(grant.context.type !== 'NipVatUe' && { contextIdentifier: grant.context }),
  ...(grant.target && { targetIdentifier: grant.target }),
  ...summary(grant),
})
