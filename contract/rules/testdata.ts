import type { Rule } from '../types.ts'

/** Test data. */
export const testdata = {
  'testdata.entities': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'The service can create and remove local government units, bailiffs and VAT groups, with the permissions that they imply.',
    clause: 'What the service does',
    needs: ['testdata'],
    assumes: ['testdata-paths'],
    variants: {
      'local government': 'a local government unit',
      'vat group': 'a VAT group',
      'enforcement authority': 'an enforcement authority',
      'deceased person': 'a deceased person',
      bailiff: 'a bailiff',
      'sole trader': 'a sole trader',
      'ordinary firm': 'an entity without a role',
      twice: 'a second creation is rejected',
      removed: 'removed entities lose their permissions',
    },
  },
  'testdata.blocks': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'A blocked context accepts no login until it is unblocked; other contexts are not affected.',
    clause: 'What the service does',
    ends: ['authentication'],
    needs: ['testdata', 'second'],
    assumes: ['testdata-paths', 'authentication-states'],
  },
  'testdata.permissions': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence: 'The service can grant and revoke permissions as test data.',
    clause: 'What the service does',
    needs: ['testdata'],
    assumes: ['testdata-paths'],
    variants: {
      granted: 'granted',
      revoked: 'revoked',
      'other contexts': 'permissions in other contexts stay',
    },
  },
  'testdata.attachments': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'The consent to attachments can be given and withdrawn, and invoices with attachments depend on it.',
    clause: 'What the service does',
    needs: ['testdata'],
    assumes: ['testdata-paths', 'attachments'],
    variants: {
      allowed: 'with consent',
      denied: 'without consent',
      reported: 'as reported by the attachment status',
      'reported later': { description: 'its end, some time afterwards', needs: ['clock'] },
      'from a date': { description: 'withdrawn from a later date', needs: ['clock'] },
    },
  },
  'testdata.only-in-test': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'The test data operations exist in the test environment only.',
    clause: 'What the service does',
    needs: ['env'],
    variants: {
      demo: 'absent',
      production: 'absent',
      test: 'present',
    },
  },
  'testdata.limit-simulation': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'The limits of a context can be set to those of production or to any value, and restored.',
    clause: 'Limits > Rate limits',
    needs: ['testdata'],
    assumes: ['limit-simulation'],
    variants: {
      production: 'those of production',
      custom: 'custom values',
      enforced: { description: 'in force for the calls that follow', needs: ['fresh'] },
      'custom over time': { description: 'custom values over longer windows', needs: ['clock'] },
      restored: 'the defaults',
      'own context only': { description: 'no effect on another context', needs: ['second'] },
      'session limits': 'the limits of sessions',
      'invalid request': 'an invalid request is rejected',
    },
  },
} as const satisfies Record<string, Rule>
