import type { FamilyRow } from './family-row.ts'

/** The families of checks about sign-ins and what callers sign in with. */
export const signInFamilies = {
  'failed sign-in': {
    file: 'families/failed-sign-ins.spec.ts',
    needs: ['provoke'],
    assumes: ['authentication-states', 'certificate-module'],
  },
  'failed sign-in by token': {
    file: 'families/failed-sign-ins.spec.ts',
    needs: ['token', 'second'],
    assumes: ['authentication-states', 'token-timestamp', 'service-tokens'],
  },
  'token of another kind': {
    file: 'families/tokens-of-another-kind.spec.ts',
    needs: ['clock'],
  },
  'ended login': {
    file: 'families/ended-logins.spec.ts',
    assumes: ['login-sessions', 'service-tokens', 'authentication-states'],
  },
  'sign-in': { file: 'families/sign-in-ways.spec.ts' },
  'sign-in with a service token': { file: 'families/sign-in-ways.spec.ts', needs: ['token'] },
  'later sign-in': { file: 'families/sign-in-ways.spec.ts', needs: ['clock'] },
  'later sign-in with a service token': {
    file: 'families/sign-in-ways.spec.ts',
    needs: ['clock', 'token'],
  },
  'early redemption': { file: 'families/early-redemptions.spec.ts' },
  'early redemption with a service token': {
    file: 'families/early-redemptions.spec.ts',
    needs: ['token'],
  },
  'forged token': { file: 'families/forged-tokens.spec.ts' },
  'login beside another': { file: 'families/logins-side-by-side.spec.ts' },
  'login beside another with a service token': {
    file: 'families/logins-side-by-side.spec.ts',
    needs: ['token'],
  },
  'login while another is in progress': {
    file: 'families/logins-side-by-side.spec.ts',
    needs: ['failures', 'clock'],
    assumes: ['authentication-states'],
  },
  'login while another with its service token is in progress': {
    file: 'families/logins-side-by-side.spec.ts',
    needs: ['token', 'failures', 'clock'],
    assumes: ['authentication-states'],
  },
  'login after a refused one': {
    file: 'families/refused-before.spec.ts',
    needs: ['token'],
    assumes: ['authentication-states', 'service-tokens'],
  },
  'login after one in another context': {
    file: 'families/refused-before.spec.ts',
    needs: ['token', 'second'],
    assumes: ['authentication-states', 'service-tokens'],
  },
  'slow sign-in': { file: 'families/slow-sign-ins.spec.ts', needs: ['clock'] },
  'slow sign-in with a service token': {
    file: 'families/slow-sign-ins.spec.ts',
    needs: ['token', 'clock'],
  },
  'login by a certificate of the service': {
    file: 'families/certificate-logins.spec.ts',
    needs: ['provoke', 'second', 'fresh'],
    assumes: ['certificate-module', 'permission-grants'],
  },
  'login by a certificate': {
    file: 'families/certificate-logins.spec.ts',
    needs: ['fresh'],
    assumes: ['permission-grants'],
  },
  'setter of limits': {
    file: 'families/limit-setters.spec.ts',
    assumes: ['limits-bodies', 'permission-grants', 'service-tokens'],
  },
  'last use': {
    file: 'families/last-uses.spec.ts',
    needs: ['provoke', 'testdata', 'clock'],
    assumes: ['certificate-module', 'service-tokens', 'testdata-paths'],
  },
  'every signer': {
    file: 'families/signers.spec.ts',
    needs: ['provoke', 'testdata', 'second', 'fresh'],
    assumes: ['certificate-module', 'permission-grants', 'address-policy', 'login-sessions'],
  },
  'continued at another address': {
    file: 'families/other-addresses.spec.ts',
    needs: ['ips'],
    assumes: ['address-policy'],
  },
  'value of a context': {
    file: 'families/context-values.spec.ts',
    assumes: ['permission-grants', 'context-value-form'],
  },
  'holder of certificates': {
    file: 'families/certificate-holders.spec.ts',
    needs: ['provoke', 'testdata', 'fresh'],
    assumes: ['certificate-module', 'limits-bodies', 'testdata-paths'],
  },
  'insufficient permissions': {
    file: 'families/insufficient-permissions.spec.ts',
    needs: ['testdata'],
    assumes: ['permission-grants', 'service-tokens'],
  },
  'sufficient permissions elsewhere': {
    file: 'families/insufficient-permissions.spec.ts',
    needs: ['testdata', 'second', 'bulk'],
    assumes: ['permission-grants', 'service-tokens'],
  },
  'permissions of one context': {
    file: 'families/sign-in-rights.spec.ts',
    needs: ['second'],
    assumes: ['permission-grants'],
  },
  // Its author is a person: a login by token does not see the tokens that it made.
  'revoker of a service token': {
    file: 'families/token-states.spec.ts',
    needs: ['clock', 'testdata'],
    assumes: ['service-tokens'],
  },
  'permissions of two contexts': {
    file: 'families/sign-in-rights.spec.ts',
    needs: ['second', 'testdata'],
    assumes: ['permission-grants'],
  },
  'kind of certificate': {
    file: 'families/sign-in-rights.spec.ts',
    needs: ['provoke', 'second', 'fresh'],
    assumes: ['login-sessions', 'certificate-module', 'authentication-states'],
  },
  'certificate of the service': {
    file: 'families/sign-in-rights.spec.ts',
    needs: ['env'],
    assumes: ['certificate-module'],
  },
  'spelling of a service token': {
    file: 'families/token-spellings.spec.ts',
    needs: ['token'],
    assumes: ['service-tokens', 'authentication-states'],
  },
  'reading of a service token': {
    file: 'families/token-readings.spec.ts',
    needs: ['token'],
    assumes: ['token-timestamp'],
  },
  'service token under a listed key': {
    file: 'families/token-readings.spec.ts',
    needs: ['token', 'rotate'],
  },
  'service token in another envelope': {
    file: 'families/token-readings.spec.ts',
    needs: ['token'],
  },
  'use of a service token': {
    file: 'families/token-uses.spec.ts',
    needs: ['token', 'clock'],
    assumes: ['service-tokens'],
  },
  'use of a service token in another environment': {
    file: 'families/token-uses.spec.ts',
    needs: ['token', 'clock', 'env'],
    assumes: ['service-tokens'],
  },
  'refreshed login': {
    file: 'families/refreshed-logins.spec.ts',
    needs: ['clock'],
    assumes: ['permission-queries', 'service-tokens'],
  },
  'pair of filters of certificates': {
    file: 'families/credential-filters.spec.ts',
    needs: ['provoke', 'bulk', 'clock', 'testdata'],
    assumes: ['certificate-module'],
  },
  'spelled date of certificates': {
    file: 'families/date-spellings.spec.ts',
    needs: ['provoke', 'clock'],
    assumes: ['query-range', 'certificate-module'],
  },
  'spelled end of a certificate': {
    file: 'families/date-spellings.spec.ts',
    needs: ['provoke', 'clock', 'testdata'],
    assumes: ['query-range', 'certificate-module', 'testdata-paths'],
  },
  'identifier in a certificate': {
    file: 'families/certificate-identifiers.spec.ts',
    needs: ['fresh'],
    assumes: ['certificate-subject', 'permission-grants'],
  },
  'way to hold permissions by fingerprint': {
    file: 'families/fingerprint-grants.spec.ts',
    needs: ['second'],
    assumes: ['certificate-subject', 'permission-grants', 'permission-queries'],
  },
  'spelling of a signed request': { file: 'families/request-spellings.spec.ts' },
  'signed request': { file: 'families/certificates.spec.ts' },
  'request signed by nobody named': {
    file: 'families/certificates.spec.ts',
    needs: ['testdata'],
    assumes: ['certificate-subject', 'testdata-paths'],
  },
  'shortened certificate': {
    file: 'families/shortened-certificates.spec.ts',
    needs: ['provoke', 'testdata', 'clock'],
    assumes: ['certificate-module'],
  },
  'blocked context': { file: 'families/blocked-contexts.spec.ts', assumes: ['permission-grants'] },
  'blocked context of a token': {
    file: 'families/blocked-contexts.spec.ts',
    needs: ['token'],
    assumes: ['permission-grants', 'service-tokens'],
  },
} as const satisfies Readonly<Record<string, FamilyRow>>
