import type { Rule } from '../types.ts'

/** Certificates of the service. */
export const certificates = {
  'certificates.enrol': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence: 'An application for a certificate ends in one that authenticates.',
    clause: 'Authentication',
    needs: ['provoke'],
    rests: ['certificate-module'],
    variants: {
      issued: 'the application ends well',
      authenticates: 'the certificate opens the service',
      usage: 'the certificate says what its key is for',
    },
  },
  'certificates.two-years': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'The service issues no certificate for longer than two years.',
    clause: 'Authentication',
    touches: ['certificate-module'],
  },
  'certificates.revoke': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence: 'A revoked certificate is shown as such and opens nothing.',
    clause: 'What the service does',
    needs: ['provoke'],
    rests: ['certificate-module'],
    variants: { listed: 'shown as revoked', refused: 'opens nothing' },
  },
  'certificates.limits': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence: 'Applications and certificates are limited, to what the limits of the subject say.',
    clause: 'Limits > Rate limits',
    needs: ['provoke'],
    rests: ['certificate-module', 'limits-bodies'],
    variants: { agree: 'both answers agree', enforced: 'one more is refused' },
  },
  'certificates.listed': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'The list of certificates shows those of the caller, as they were issued and used, narrowed by every filter that is given.',
    clause: 'Authentication',
    needs: ['provoke'],
    rests: ['certificate-module'],
    variants: {
      described: 'what is told is what was issued',
      narrowed: 'by each filter',
      own: 'none of another subject',
      pages: 'over several pages',
      fetched: 'whoever it belongs to gets the document, nobody else',
    },
  },
} as const satisfies Record<string, Rule>
