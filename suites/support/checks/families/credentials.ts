import type { FamilyRow } from '../family-row.ts'

/** Families of checks about service tokens and certificates of the service, and who they log in. */
export const credentialsFamilies = {
  'login by a certificate of the service': {
    file: 'families/credentials/certificate-logins.spec.ts',
    needs: ['provoke', 'second', 'fresh'],
    assumes: ['certificate-module', 'permission-grants'],
  },
  'login by a certificate': {
    file: 'families/credentials/certificate-logins.spec.ts',
    needs: ['fresh'],
    assumes: ['permission-grants'],
  },
  'last use': {
    file: 'families/credentials/last-uses.spec.ts',
    needs: ['provoke', 'testdata', 'clock'],
    assumes: ['certificate-module', 'service-tokens', 'testdata-paths'],
  },
  'holder of certificates': {
    file: 'families/credentials/certificate-holders.spec.ts',
    needs: ['provoke', 'testdata', 'fresh'],
    assumes: ['certificate-module', 'limits-bodies', 'testdata-paths'],
  },
  // Its author is a person: a login by token does not see the tokens that it made.
  'revoker of a service token': {
    file: 'families/credentials/token-states.spec.ts',
    needs: ['clock', 'testdata'],
    assumes: ['service-tokens'],
  },
  'use of a service token': {
    file: 'families/credentials/token-uses.spec.ts',
    needs: ['token', 'clock'],
    assumes: ['service-tokens'],
  },
  'use of a service token in another environment': {
    file: 'families/credentials/token-uses.spec.ts',
    needs: ['token', 'clock', 'env'],
    assumes: ['service-tokens'],
  },
  'pair of filters of certificates': {
    file: 'families/credentials/credential-filters.spec.ts',
    needs: ['provoke', 'bulk', 'clock', 'testdata'],
    assumes: ['certificate-module'],
  },
  'pair of filters of credentials': {
    file: 'families/credentials/credential-filters.spec.ts',
    needs: ['second', 'bulk'],
  },
  'author of a service token': {
    file: 'families/credentials/token-authors.spec.ts',
    needs: ['second', 'testdata'],
    assumes: ['permission-grants', 'permission-queries', 'service-tokens'],
  },
  'state of a service token': {
    file: 'families/credentials/token-states.spec.ts',
    needs: ['clock'],
    assumes: ['service-tokens'],
  },
} as const satisfies Readonly<Record<string, FamilyRow>>
