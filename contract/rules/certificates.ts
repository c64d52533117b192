import type { Rule } from '../types.ts'

/** Certificates of the service. */
export const certificates = {
  'certificates.enrol': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence: 'An accepted application yields a certificate that authenticates its subject.',
    clause: 'Authentication',
    ends: ['application'],
    needs: ['provoke'],
    assumes: ['certificate-module'],
    variants: {
      issued: 'the application succeeds',
      'requested content': 'the certificate has the requested key and subject',
      'content of a person': {
        description: 'the certificate of a person has the requested subject',
        needs: ['testdata'],
      },
      usage: 'the certificate states its key usage',
      authenticates: 'the certificate authenticates',
      offline: 'a certificate for offline use does not authenticate',
      'invalid request': 'an invalid request is rejected',
      'after a login by token': 'rejected after a login by service token',
      'of another subject': {
        description: 'an application of another subject is not visible',
        needs: ['second'],
      },
    },
  },
  'certificates.two-years': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'The service issues certificates with a validity of at most two years.',
    clause: 'Authentication',
    touches: ['certificate-module'],
    variants: {
      requested: { description: 'a new certificate', needs: ['provoke'] },
      'of a person': {
        description: 'new certificates of persons, of either type',
        needs: ['provoke', 'testdata'],
      },
      'later start': { description: 'a certificate with a later start', needs: ['provoke'] },
      'same key': { description: 'another certificate for the same key', needs: ['provoke'] },
      'applied for again': {
        description: 'another one of the same name, whatever became of the first',
        needs: ['provoke'],
      },
      'applied for later': {
        description: 'as above, as time passes',
        needs: ['provoke', 'clock'],
      },
      existing: { description: 'every certificate in the list', needs: ['provoke'] },
    },
  },
  'certificates.revoke': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence: 'A revoked certificate is reported as revoked and no longer authenticates.',
    clause: 'What the service does',
    needs: ['provoke'],
    assumes: ['certificate-module'],
    variants: {
      listed: 'reported as revoked',
      'listed after its end': {
        description: 'reported as revoked once its validity has ended too',
        needs: ['clock', 'testdata'],
      },
      'no login': 'rejected at login',
      twice: 'a second revocation is rejected',
      unknown: 'an unknown serial number is rejected',
      expired: {
        description: 'an expired certificate is rejected',
        needs: ['clock', 'testdata'],
      },
      'of another subject': {
        description: 'a certificate of another subject is rejected',
        needs: ['second'],
      },
      'after a login by token': 'rejected after a login by service token',
    },
  },
  'certificates.limits': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'The service limits applications and certificates to the reported limits of the subject.',
    clause: 'Limits > Rate limits',
    needs: ['provoke'],
    assumes: ['certificate-module', 'limits-bodies'],
    ends: ['application'],
    variants: {
      consistent: 'both resources report the same limits',
      remaining: 'the remaining number decreases',
      'after a revocation': 'a revoked certificate is not counted',
      'after its end': {
        description: 'an expired certificate is not counted',
        needs: ['clock', 'testdata'],
      },
      'consistent when set': {
        description: 'both resources report limits that were set',
        needs: ['testdata'],
      },
      enforced: { description: 'one more is rejected', needs: ['testdata', 'fresh'] },
      restored: { description: 'the defaults are restored', needs: ['testdata'] },
      'of another subject': {
        description: 'limits and applications of one subject do not affect another',
        needs: ['testdata', 'second'],
      },
    },
  },
  'certificates.listed': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      "The list of certificates contains the caller's certificates, as issued, and supports every filter.",
    clause: 'Authentication',
    needs: ['provoke'],
    assumes: ['certificate-module'],
    variants: {
      described: 'reports what was issued',
      rows: { description: 'reports each of several certificates', needs: ['clock', 'fresh'] },
      'of a person': { description: 'reports the holder', needs: ['testdata'] },
      filters: { description: 'every filter', needs: ['fresh'] },
      own: { description: 'no certificate of another subject', needs: ['second', 'fresh'] },
      fetched: { description: 'returned to its owner only', needs: ['second'] },
      pages: { description: 'over several pages', needs: ['fresh'] },
    },
  },
} as const satisfies Record<string, Rule>
