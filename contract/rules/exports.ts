import type { Rule } from '../types.ts'

/** Exports. */
export const exports = {
  'exports.create.accepted': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'The service accepts an export request and returns a reference number.',
    clause: 'Endpoints > Invoices, operations and others',
    ends: ['export'],
    touches: ['export-body'],
    variants: {
      'distinct references': 'every export has its own reference number',
      'each role': { description: 'for each role of the caller', assumes: ['export-body'] },
      'open end': { description: 'for a range without an end', assumes: ['query-range'] },
      'without the permission': {
        description: 'rejected without InvoiceRead',
        needs: ['testdata'],
      },
      'missing field': {
        description: 'rejected without a required field',
        assumes: ['export-body'],
      },
      'too wide': {
        description: 'rejected for a range that is too wide',
        assumes: ['query-range'],
      },
      reversed: { description: 'rejected for a reversed range', assumes: ['query-range'] },
    },
  },
  'exports.status.moves-forward': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence:
      'An export moves from in progress to ready and later expired, or to failed, never backwards.',
    clause: 'States and transitions > Export status codes',
    ends: ['export'],
    touches: ['export-states'],
    variants: {
      'to completion': 'until it is ready',
      'in progress': { description: 'in progress initially', needs: ['clock'] },
      'to expiry': { description: 'until it has expired', needs: ['clock'] },
    },
  },
  'exports.package.content': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'The decrypted package is an archive of exactly the matching invoices, byte for byte.',
    clause: 'Resources and their fields > Export',
    ends: ['export'],
    assumes: ['export-body'],
    variants: {
      decrypts: { description: "with the caller's key", needs: ['fresh'] },
      exact: { description: 'exactly the matches', needs: ['fresh'] },
      hundreds: {
        description: 'exactly the matches, more than the largest page of a search',
        needs: ['fresh', 'bulk'],
      },
      'of another context': {
        description: 'no invoices of another context',
        needs: ['fresh', 'second'],
      },
      bytes: 'unchanged content',
      'tar.gz': 'unchanged content in a tar archive',
      parts: { description: 'sizes and hashes as reported', needs: ['fresh'] },
      described: { description: 'its form, size and dates as reported', needs: ['fresh'] },
      metadata: { description: 'the metadata file of the package', needs: ['fresh'] },
    },
  },
  'exports.running-limit': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence:
      'The service answers one export more than the permitted number of concurrent exports with code 21182.',
    clause: 'Errors',
    ends: ['export'],
    needs: ['provoke'],
    touches: ['code-21182'],
    variants: {
      'at the limit and above': {
        description: 'accepted at the limit, rejected above',
        needs: ['clock', 'testdata'],
      },
      'after completion': {
        description: 'accepted again after an export has finished',
        needs: ['clock', 'testdata'],
      },
      'per context': { description: 'counted per context', needs: ['clock', 'testdata', 'second'] },
      'per subject': { description: 'counted per subject', needs: ['clock', 'testdata'] },
    },
  },
  'exports.expiry': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'An expired export reports 210 and can no longer be downloaded.',
    clause: 'States and transitions > Export status codes',
    ends: ['export'],
    needs: ['clock'],
    touches: ['export-lifetime'],
    variants: {
      status: 'reports 210',
      package: 'the package is no longer available',
      'as stated': 'at the moments that its status states',
      link: 'the download link expires',
      dates: {
        description: 'the stated ends are those of the lifetimes',
        assumes: ['export-body', 'export-lifetime'],
      },
    },
  },
  'exports.isolated': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence: 'A caller can neither see nor download an export of another context.',
    clause: 'Authentication',
    needs: ['second'],
    variants: {
      status: 'the status',
      'once expired': { description: 'the status, once it has expired', needs: ['clock'] },
      content: { description: 'the content', needs: ['fresh'] },
      'modified link': 'a link with a modified path',
      'foreign signature': 'the signature of another link',
      'modified signature': 'a signature with one character changed',
    },
  },
  'exports.hourly-limit': {
    level: 'MAY',
    binds: 'S',
    origin: 'assumed',
    sentence: 'A target with an hourly limit on exports besides the rate table enforces it.',
    clause: 'Limits > Sizes and counts',
    needs: ['clock'],
    assumes: ['export-hourly-limit'],
  },
} as const satisfies Record<string, Rule>
