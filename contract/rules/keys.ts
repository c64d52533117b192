import type { Rule } from '../types.ts'

/** Public key certificates. */
export const keys = {
  'keys.list.public': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence:
      'The certificates for encryption can be read by anyone and say what they are for and how long they last.',
    clause: 'Endpoints > Authentication and security',
  },
  'keys.list.usages': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence:
      'Every entry names what it is for, and for both purposes there is one that is valid at present.',
    clause:
      'Resources and their fields > Public key certificate entry (element of the array returned by the certificate list)',
  },
  'keys.list.certificates-parse': {
    level: 'SHOULD',
    binds: 'S',
    origin: 'derived',
    sentence:
      'Every listed certificate can be read, agrees with the dates beside it, and holds a strong RSA key.',
    clause:
      'Resources and their fields > Public key certificate entry (element of the array returned by the certificate list)',
    variants: {
      parses: 'PEM or Base64 of DER, dates as listed',
      'key size': 'RSA of 2048 bits or more',
    },
  },
  'keys.rotation.served': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence:
      'When keys change, the new one is listed and in use, and what is encrypted for a withdrawn one is refused clearly.',
    clause: 'Authentication',
    needs: ['rotate'],
    touches: ['key-rotation'],
    variants: {
      listed: 'the new certificate appears',
      works: 'keys under it are accepted',
      overlap: 'the old one works as long as it is listed',
      withdrawn: 'afterwards it is refused',
    },
  },
  'keys.list.previous-version-absent': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence: 'The former way to get a single key is gone.',
    clause: 'Authentication',
    rests: ['previous-version-path'],
  },
  'keys.list.production-calendar': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'Production lists its certificates as of the first of February 2026.',
    clause: 'Authentication',
    needs: ['clock', 'env'],
  },
} as const satisfies Record<string, Rule>
