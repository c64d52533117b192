import type { Rule } from '../types.ts'

/** Public key certificates. */
export const keys = {
  'keys.list.public': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence:
      'The service lists its encryption certificates, with usage and validity, to any caller.',
    clause: 'Endpoints > Authentication and security',
    variants: {
      'during a rotation': {
        description: 'while a key that was replaced is still listed',
        needs: ['rotate'],
      },
    },
  },
  'keys.list.usages': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence:
      'Every listed certificate states its usage, and for each usage there is one that is currently valid.',
    clause:
      'Resources and their fields > Public key certificate entry (element of the array returned by the certificate list)',
    variants: {
      SvcTokenEncryption: 'for service tokens',
      SymmetricKeyEncryption: 'for symmetric keys',
      'for every caller': 'whatever token a caller sends',
      rotations: {
        description: 'during and after a rotation of each key alone',
        needs: ['rotate', 'clock'],
      },
      'until the end of tokens': {
        description: 'as long as service tokens are valid',
        needs: ['clock'],
      },
    },
  },
  'keys.list.certificates-parse': {
    level: 'SHOULD',
    binds: 'S',
    origin: 'derived',
    sentence:
      'Every listed certificate parses, matches the listed dates, and contains a strong RSA key.',
    clause:
      'Resources and their fields > Public key certificate entry (element of the array returned by the certificate list)',
    variants: {
      parses: { description: 'Base64 of DER, with the dates as listed', level: 'MUST' },
      'parses during a rotation': {
        description: 'as above, while a key that was replaced is still listed',
        level: 'MUST',
        needs: ['rotate'],
      },
      id: { description: 'the id as listed', level: 'MUST' },
      'key size': 'RSA with at least 2048 bits',
    },
  },
  'keys.rotation.served': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence:
      'After a key rotation the service lists and accepts the new certificate, and rejects data encrypted for a withdrawn one.',
    clause: 'Authentication',
    needs: ['rotate'],
    touches: ['key-rotation'],
    variants: {
      listed: 'the new certificate is listed',
      accepted: 'data encrypted with the new key is accepted',
      overlap: 'the old key works while it is listed',
      withdrawn: 'the old key is rejected after its withdrawal',
    },
  },
  'keys.list.previous-version-absent': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence: 'The service no longer serves the key resources of the previous version.',
    clause: 'Authentication',
    assumes: ['previous-version-path'],
    variants: {
      '/security/public-key': 'the key as DER',
      '/security/public-key/pem': 'the key as PEM',
      '/common/public-key': 'the key below the common path',
    },
  },
  'keys.list.production-calendar': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'The production environment lists its certificates from 1 February 2026.',
    clause: 'Authentication',
    needs: ['clock', 'env'],
    touches: ['environment-dates'],
    variants: {
      production: 'no certificate before that day',
      demo: 'the demo environment lists its certificates before that day',
    },
  },
} as const satisfies Record<string, Rule>
