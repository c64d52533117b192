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
  'operations.status.isolated': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence: 'Nobody sees the work of another context.',
    clause: 'Authentication',
    needs: ['second'],
  },
} as const satisfies Record<string, Rule>
