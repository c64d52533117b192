import type { Rule } from '../types.ts'

/** Exports. */
export const exports = {
  'exports.create.accepted': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'Asking for an export gives a reference to follow.',
    clause: 'Endpoints > Invoices, operations and others',
    touches: ['export-body'],
  },
  'exports.status.moves-forward': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence:
      'An export is under way, then ready and later expired, or failed; it does not turn back.',
    clause: 'States and transitions > Export status codes',
    touches: ['export-states'],
  },
  'exports.package.content': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'The package, decrypted, is an archive of just the invoices asked for, unchanged to the byte.',
    clause: 'Resources and their fields > Export',
    rests: ['export-body'],
    variants: {
      decrypts: 'under the key of the caller',
      exact: 'exactly the matches',
      bytes: 'unchanged',
      parts: 'sizes and hashes as told',
    },
  },
  'exports.running-limit': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'One export more than may run at a time is answered by 21182.',
    clause: 'Errors',
    needs: ['provoke'],
    touches: ['code-21182'],
  },
  'exports.expiry': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'An expired export shows 210 and can no longer be downloaded.',
    clause: 'States and transitions > Export status codes',
    needs: ['clock'],
    touches: ['export-lifetime'],
    variants: { status: '210', package: 'gone' },
  },
  'exports.isolated': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence: 'Nobody sees the export of another context.',
    clause: 'Authentication',
    needs: ['second'],
  },
  'exports.hourly-limit': {
    level: 'MAY',
    binds: 'S',
    origin: 'assumed',
    sentence: 'A limit on exports in an hour holds where a target has one besides the rate table.',
    clause: 'Limits > Sizes and counts',
    needs: ['clock'],
    rests: ['export-hourly-limit'],
  },
} as const satisfies Record<string, Rule>
