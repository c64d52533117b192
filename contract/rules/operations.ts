import type { Rule } from '../types.ts'

/** Asynchronous operations. */
export const operations = {
  'operations.status.reports': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence: 'The progress and the end of asynchronous work can be read under its reference.',
    clause: 'Endpoints > Invoices, operations and others',
    rests: ['operation-status'],
  },
  'operations.status.kept': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'A status can be read for as long as it is kept, and is gone afterwards; that of a session is kept for good.',
    clause: 'States and transitions > Authentication process',
    needs: ['clock'],
    rests: ['retention'],
  },
  'operations.status.isolated': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence: 'Nobody sees the work of another context.',
    clause: 'Authentication',
    needs: ['second'],
  },
} as const satisfies Record<string, Rule>
