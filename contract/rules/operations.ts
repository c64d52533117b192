import type { Rule } from '../types.ts'

/** Asynchronous operations. */
export const operations = {
  'operations.status.reports': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'The service reports the progress and the outcome of asynchronous work under its reference number.',
    clause: 'Endpoints > Invoices, operations and others',
    ends: ['operation'],
    assumes: ['operation-status'],
    variants: {
      'to completion': 'until it has finished',
      'in progress': { description: 'in progress initially', needs: ['clock'] },
      revocation: 'a revocation',
      unknown: 'an unknown reference is rejected',
    },
  },
  'operations.status.kept': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'A status remains available for its retention period and is removed afterwards; the status of a session is kept permanently.',
    clause: 'States and transitions > Authentication process',
    needs: ['clock'],
    assumes: ['retention'],
    variants: {
      export: 'an export',
      operation: 'an operation on permissions',
      application: { description: 'an application for a certificate', needs: ['provoke'] },
      session: 'a session, permanently',
    },
  },
  'operations.status.isolated': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence: 'A caller cannot see the asynchronous work of another context.',
    clause: 'Authentication',
    needs: ['second'],
    variants: {
      'for whom it is about': 'the receiver of a permission, while it is granted and afterwards',
      'once it has failed': 'work that ended in an error',
    },
  },
} as const satisfies Record<string, Rule>
