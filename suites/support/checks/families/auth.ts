import type { FamilyRow } from '../family-row.ts'

/** Families of checks about logins: challenges, signatures, certificates and tokens. */
export const authFamilies = {
  'failed sign-in': {
    file: 'families/auth/failed-sign-ins.spec.ts',
    needs: ['provoke'],
    assumes: ['authentication-states', 'certificate-module'],
  },
  'failed sign-in by token': {
    file: 'families/auth/failed-sign-ins.spec.ts',
    needs: ['token', 'second'],
    assumes: ['authentication-states', 'token-timestamp', 'service-tokens'],
  },
  'token of another kind': {
    file: 'families/auth/tokens-of-another-kind.spec.ts',
    needs: ['clock'],
  },
  'ended login': {
    file: 'families/auth/ended-logins.spec.ts',
    assumes: ['login-sessions', 'service-tokens', 'authentication-states'],
  },
  'sign-in': { file: 'families/auth/sign-in-ways.spec.ts' },
  'sign-in with a service token': { file: 'families/auth/sign-in-ways.spec.ts', needs: ['token'] },
  'later sign-in': { file: 'families/auth/sign-in-ways.spec.ts', needs: ['clock'] },
  'later sign-in with a service token': {
    file: 'families/auth/sign-in-ways.spec.ts',
    needs: ['clock', 'token'],
  },
  'early redemption': { file: 'families/auth/early-redemptions.spec.ts' },
  'early redemption with a service token': {
    file: 'families/auth/early-redemptions.spec.ts',
    needs: ['token'],
  },
  'forged token': { file: 'families/auth/forged-tokens.spec.ts' },
  'login beside another': { file: 'families/auth/logins-side-by-side.spec.ts' },
  'login beside another with a service token': {
    file: 'families/auth/logins-side-by-side.spec.ts',
    needs: ['token'],
  },
  'login while another is in progress': {
    file: 'families/auth/logins-side-by-side.spec.ts',
    needs: ['failures', 'clock'],
    assumes: ['authentication-states'],
  },
  'login while another with its service token is in progress': {
    file: 'families/auth/logins-side-by-side.spec.ts',
    needs: ['token', 'failures', 'clock'],
    assumes: ['authentication-states'],
  },
  'slow sign-in': { file: 'families/auth/slow-sign-ins.spec.ts', needs: ['clock'] },
  'slow sign-in with a service token': {
    file: 'families/auth/slow-sign-ins.spec.ts',
    needs: ['token', 'clock'],
  },
  'every signer': {
    file: 'families/auth/signers.spec.ts',
    needs: ['provoke', 'testdata', 'second', 'fresh'],
    assumes: ['certificate-module', 'permission-grants', 'address-policy', 'login-sessions'],
  },
  'continued at another address': {
    file: 'families/auth/other-addresses.spec.ts',
    needs: ['ips'],
    assumes: ['address-policy'],
  },
  'value of a context': {
    file: 'families/auth/context-values.spec.ts',
    assumes: ['permission-grants', 'context-value-form'],
  },
  'permissions of one context': {
    file: 'families/auth/sign-in-rights.spec.ts',
    needs: ['second'],
    assumes: ['permission-grants'],
  },
  'permissions of two contexts': {
    file: 'families/auth/sign-in-rights.spec.ts',
    needs: ['second', 'testdata'],
    assumes: ['permission-grants'],
  },
  'kind of certificate': {
    file: 'families/auth/sign-in-rights.spec.ts',
    needs: ['provoke', 'second', 'fresh'],
    assumes: ['login-sessions', 'certificate-module', 'authentication-states'],
  },
  'certificate of the service': {
    file: 'families/auth/sign-in-rights.spec.ts',
    needs: ['env'],
    assumes: ['certificate-module'],
  },
  'spelling of a service token': {
    file: 'families/auth/token-spellings.spec.ts',
    needs: ['token'],
    assumes: ['service-tokens', 'authentication-states'],
  },
  'reading of a service token': {
    file: 'families/auth/token-readings.spec.ts',
    needs: ['token'],
    assumes: ['token-timestamp'],
  },
  'service token under a listed key': {
    file: 'families/auth/token-readings.spec.ts',
    needs: ['token', 'rotate'],
  },
  'service token in another envelope': {
    file: 'families/auth/token-readings.spec.ts',
    needs: ['token'],
  },
  'refreshed login': {
    file: 'families/auth/refreshed-logins.spec.ts',
    needs: ['clock'],
    assumes: ['permission-queries', 'service-tokens'],
  },
  'identifier in a certificate': {
    file: 'families/auth/certificate-identifiers.spec.ts',
    needs: ['fresh'],
    assumes: ['certificate-subject', 'permission-grants'],
  },
  'way to hold permissions by fingerprint': {
    file: 'families/auth/fingerprint-grants.spec.ts',
    needs: ['second'],
    assumes: ['certificate-subject', 'permission-grants', 'permission-queries'],
  },
  'spelling of a signed request': { file: 'families/auth/request-spellings.spec.ts' },
  'signed request': { file: 'families/auth/certificates.spec.ts' },
  'request signed by nobody named': {
    file: 'families/auth/certificates.spec.ts',
    needs: ['testdata'],
    assumes: ['certificate-subject', 'testdata-paths'],
  },
  'shortened certificate': {
    file: 'families/auth/shortened-certificates.spec.ts',
    needs: ['provoke', 'testdata', 'clock'],
    assumes: ['certificate-module'],
  },
  'use of a challenge': { file: 'families/auth/challenge-uses.spec.ts' },
  'use of a challenge with a token': {
    file: 'families/auth/challenge-uses.spec.ts',
    needs: ['token'],
  },
  'record of a login': {
    file: 'families/auth/login-records.spec.ts',
    needs: ['clock'],
    assumes: ['service-tokens'],
  },
} as const satisfies Readonly<Record<string, FamilyRow>>
