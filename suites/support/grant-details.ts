import { drawPesel } from '../../lib/identifiers/pesel.ts'
import type { Rng } from '../../lib/random.ts'
import type { Row } from './paged-lists.ts'

/** What a grantor says of a person or an entity, in each form that a grant takes, and as lists show it. */

export interface Details {
  /** As a grant takes it. */
  readonly given: Row
  /** As a list shows it. */
  readonly shown: Row
}

/** Persons of different names, by each form of details. */
export const personDetails = (rng: Rng) => {
  const byIdentifier = (firstName: string, lastName: string): Details => ({
    given: {
      subjectDetailsType: 'PersonByIdentifier',
      personById: { firstName, lastName },
    },
    shown: { subjectDetailsType: 'PersonByIdentifier', firstName, lastName },
  })
  const identifier = { type: 'Pesel', value: drawPesel(rng) }
  const third = { firstName: 'Ewa', lastName: 'Lis' }
  const fourth = {
    firstName: 'Max',
    lastName: 'Muster',
    birthDate: '1984-02-29',
    idDocument: { type: 'passport', number: 'AB1234567', country: 'DE' },
  }
  const withIdentifier = 'PersonByFingerprintWithIdentifier'
  const withoutIdentifier = 'PersonByFingerprintWithoutIdentifier'
  return {
    first: byIdentifier('Anna', 'Nowak'),
    second: byIdentifier('Jan', 'Kowalski'),
    withIdentifier: {
      given: { subjectDetailsType: withIdentifier, personByFpWithId: { ...third, identifier } },
      shown: { subjectDetailsType: withIdentifier, ...third, personIdentifier: identifier },
    },
    withoutIdentifier: {
      given: { subjectDetailsType: withoutIdentifier, personByFpNoId: fourth },
      shown: { subjectDetailsType: withoutIdentifier, ...fourth },
    },
  } satisfies Readonly<Record<string, Details>>
}
