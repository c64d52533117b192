import type { FamilyRow } from '../family-row.ts'

/** Families of checks that something is unaffected when time passes or something else beside it changes. */
export const isolationFamilies = {
  'answer of its own': {
    file: 'families/isolation/own-answers.spec.ts',
    needs: ['failures', 'clock', 'second'],
    assumes: [
      'export-body',
      'invoice-status',
      'operation-status',
      'permission-grants',
      'permission-queries',
      'service-tokens',
      'session-status',
    ],
  },
  'login after a refused one': {
    file: 'families/isolation/refused-before.spec.ts',
    needs: ['token'],
    assumes: ['authentication-states', 'service-tokens'],
  },
  'login after one in another context': {
    file: 'families/isolation/refused-before.spec.ts',
    needs: ['token', 'second'],
    assumes: ['authentication-states', 'service-tokens'],
  },
  'once more': {
    file: 'families/isolation/once-more.spec.ts',
    assumes: ['invoice-status', 'invoice-states', 'code-440'],
  },
  'refused before': { file: 'families/isolation/refused-before.spec.ts' },
  'once more later': { file: 'families/isolation/once-more.spec.ts', needs: ['clock', 'token'] },
  'months later': {
    file: 'families/isolation/months-later.spec.ts',
    needs: ['clock', 'second'],
    assumes: [
      'permission-grants',
      'permission-queries',
      'service-tokens',
      'metadata-answer',
      'session-status',
      'receipt-paths',
    ],
  },
  namesake: {
    file: 'families/isolation/namesakes.spec.ts',
    assumes: ['login-sessions', 'service-tokens'],
  },
  neighbour: {
    file: 'families/isolation/neighbours.spec.ts',
    assumes: [
      'permission-grants',
      'login-sessions',
      'service-tokens',
      'session-status',
      'session-states',
      'invoice-status',
      'export-body',
      'operation-status',
      'certificate-module',
    ],
  },
  'neighbour of another': {
    file: 'families/isolation/neighbours.spec.ts',
    needs: ['testdata', 'second'],
    assumes: [
      'login-sessions',
      'service-tokens',
      'session-status',
      'session-states',
      'export-body',
    ],
  },
  'neighbour of a failure': {
    file: 'families/isolation/neighbours.spec.ts',
    assumes: [
      'login-sessions',
      'session-status',
      'session-states',
      'batch-package',
      'invoice-states',
      'export-body',
    ],
  },
  'context of the same taxpayer': {
    file: 'families/isolation/kin.spec.ts',
    needs: ['second'],
    assumes: ['permission-grants'],
  },
} as const satisfies Readonly<Record<string, FamilyRow>>
