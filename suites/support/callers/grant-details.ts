import { drawNip } from '../../../lib/identifiers/nip.ts'
import { drawPesel } from '../../../lib/identifiers/pesel.ts'
import type { Rng } from '../../../lib/random.ts'
import type { Row } from '../answers/paged-lists.ts'

/** What a grantor says of a person or an entity, in each form that a grant takes, and as lists show it. */

export interface Details {
  /** As a grant takes it. */
  readonly given: Row
  /** As a list shows it. */
  readonly shown: Row
}

/** A text of the maximum length, with non-ASCII characters. */
export const longest = (text: string, length: number): string => text.padEnd(length, 'żółw')

/** A person who is known by a NIP or a PESEL. */
export const byIdentifier = (firstName: string, lastName: string): Details => ({
  given: { subjectDetailsType: 'PersonByIdentifier', personById: { firstName, lastName } },
  shown: {
    subjectPersonDetails: { subjectDetailsType: 'PersonByIdentifier', firstName, lastName },
  },
})

const withIdentifier = (identifier: Row, firstName: string, lastName: string): Details => {
  const subjectDetailsType = 'PersonByFingerprintWithIdentifier'
  const shown = { subjectDetailsType, firstName, lastName, personIdentifier: identifier }
  return {
    given: { subjectDetailsType, personByFpWithId: { firstName, lastName, identifier } },
    shown: { subjectPersonDetails: shown },
  }
}

const withoutIdentifier = (birthDate: string, idDocument: Row): Details => {
  const subjectDetailsType = 'PersonByFingerprintWithoutIdentifier'
  const person = { firstName: 'Max', lastName: 'Muster', birthDate, idDocument }
  return {
    given: { subjectDetailsType, personByFpNoId: person },
    shown: { subjectPersonDetails: { subjectDetailsType, ...person } },
  }
}

/** Persons who are known by their certificates: each form twice, different in every field. */
export const byCertificate = (rng: Rng): Details[] => [
  withIdentifier({ type: 'Pesel', value: drawPesel(rng) }, longest('Ewa', 30), longest('Lis', 81)),
  withIdentifier({ type: 'Nip', value: drawNip(rng) }, 'Jan', 'Kos'),
  withIdentifier({ type: 'Pesel', value: drawPesel(rng) }, 'Ada', 'Sowa'),
  withoutIdentifier('1984-02-29', { type: 'passport', number: 'AB1234567', country: 'DE' }),
  withoutIdentifier('1990-12-31', { type: 'id card', number: '77X', country: 'CZ' }),
]

/** Entities that are known by a NIP. */
export const entities: readonly Details[] = [longest('Biuro Jeden', 90), 'Biuro Dwa S.A.'].map(
  (fullName) => ({
    given: { fullName },
    shown: { subjectEntityDetails: { subjectDetailsType: 'EntityByIdentifier', fullName } },
  }),
)

/** Entities that are known by their certificates. */
export const entitiesByCertificate: readonly Details[] = [
  longest('Exempel AB', 100),
  'Esempio S.p.A.',
].map((fullName) => {
  const entityByFp = { fullName, address: longest(`Via ${fullName} 1`, 512) }
  const subjectDetailsType = 'EntityByFingerprint'
  return {
    given: { subjectDetailsType, entityByFp },
    shown: { subjectEntityDetails: { subjectDetailsType, ...entityByFp } },
  }
})
