import type { Grant } from '../../model/entities.ts'
import type { Mutant } from '../mutant.ts'
import type { Generated } from './operator.ts'
import { generated } from './operator.ts'

/** Permissions that a fingerprint got in one way, misjudged at its login and nowhere else. */

const kinds: Readonly<Record<string, (grant: Grant) => boolean>> = {
  person: ({ kind }) => kind === 'person',
  'test-data': ({ kind }) => kind === 'testdata',
  'for-one-client': ({ kind, target }) => kind === 'indirect' && target?.value !== undefined,
  'for-all-clients': ({ kind, target }) => kind === 'indirect' && target?.value === undefined,
  unit: ({ kind }) => kind === 'subunit',
  'eu-administrator': ({ kind }) => kind === 'euAdministration',
  'eu-representative': ({ kind }) => kind === 'eu',
}

const ways: Readonly<
  Record<string, (isMeant: (grant: Grant) => boolean) => (found: readonly Grant[]) => Grant[]>
> = {
  uncounted: (isMeant) => (found) => found.filter((grant) => !isMeant(grant)),
  'counted-though-revoked': (isMeant) => (found) =>
    found.map(({ revokedAt, ...grant }) =>
      revokedAt === undefined || isMeant(grant) ? grant : { ...grant, revokedAt },
    ),
}

/** Whoever is refused somewhere is refused everywhere, whatever was granted. */
const lockedByARefusal = (): Mutant => {
  const locked = new Set<string>()
  return {
    at: ['authentication'],
    tables: {
      authentications: {
        write(next, _, { grants }) {
          const { fingerprint, status } = next
          const isHolder = [...grants.values()].some(({ subject }) => subject.value === fingerprint)
          if (fingerprint !== undefined && isHolder && status.code >= 400) locked.add(fingerprint)
          return next
        },
      },
      grants: { find: (found) => found.filter(({ subject }) => !locked.has(subject.value)) },
    },
  }
}

/** Each kind of grant to a fingerprint, overlooked or never ended where the holder signs in. */
export const misjudgedFingerprints = (): Generated[] => [
  generated('fingerprint', 'locked-by-a-refusal', ['auth.xades.fingerprint'], lockedByARefusal()),
  ...Object.entries(kinds).flatMap(([kind, isOfKind]) =>
    Object.entries(ways).map(([way, judge]) => {
      const find = judge((grant) => grant.subject.type === 'Fingerprint' && isOfKind(grant))
      const mutant: Mutant = { at: ['authentication'], tables: { grants: { find } } }
      return generated('fingerprint', `${kind}.${way}`, ['auth.xades.fingerprint'], mutant)
    }),
  ),
]
