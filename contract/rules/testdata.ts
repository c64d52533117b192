import type { Rule } from '../types.ts'

/** Test data. */
export const testdata = {
  'testdata.entities': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'Local-government units, bailiffs and VAT groups can be made and removed, with the permissions that they bring.',
    clause: 'What the service does',
    needs: ['testdata'],
    rests: ['testdata-paths'],
    variants: {
      'local government': 'a unit',
      bailiff: 'a person',
      'vat group': 'a group',
      removed: 'gone afterwards',
    },
  },
  'testdata.blocks': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'A blocked context lets nobody in until it is unblocked, and no other context feels it.',
    clause: 'What the service does',
    needs: ['testdata', 'second'],
    rests: ['testdata-paths', 'authentication-states'],
  },
  'testdata.permissions': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence: 'They can be given permissions.',
    clause: 'What the service does',
    needs: ['testdata'],
    rests: ['testdata-paths'],
    variants: { granted: 'given', revoked: 'taken back' },
  },
  'testdata.attachments': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'Consent to attachments can be switched on and off, and invoices with attachments follow it.',
    clause: 'What the service does',
    needs: ['testdata'],
    rests: ['testdata-paths', 'attachments'],
    variants: {
      allowed: 'on',
      denied: 'off',
      told: 'as the status of attachments says',
      'from a day on': 'off later',
    },
  },
  'testdata.only-in-test': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'None of this exists outside the test environment.',
    clause: 'What the service does',
    needs: ['env'],
  },
  'testdata.limit-simulation': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence: 'Limits can be set as in production, to any value, and back.',
    clause: 'Limits > Rate limits',
    needs: ['testdata'],
    rests: ['limit-simulation'],
    variants: {
      production: 'as in production',
      custom: 'own values',
      restored: 'back to the defaults',
    },
  },
} as const satisfies Record<string, Rule>
