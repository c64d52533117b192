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

/** Each kind of grant to a fingerprint, overlooked or never ended where the holder signs in. */
export const misjudgedFingerprints = (): Generated[] =>
  Object.entries(kinds).flatMap(([kind, isOfKind]) =>
    Object.entries(ways).map(([way, judge]) => {
      const find = judge((grant) => grant.subject.type === 'Fingerprint' && isOfKind(grant))
      const mutant: Mutant = { at: ['authentication'], tables: { grants: { find } } }
      return generated('fingerprint', `${kind}.${way}`, ['auth.xades.fingerprint'], mutant)
    }),
  )
