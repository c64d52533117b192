import type { FamilyRow } from '../family-row.ts'

/** Families of checks about sessions as a whole. */
export const sessionsFamilies = {
  'pending session': {
    file: 'families/sessions/pending-sessions.spec.ts',
    needs: ['failures', 'clock'],
    assumes: ['session-status', 'session-states', 'invoice-states', 'paging'],
  },
  'reason of a failure': {
    file: 'families/sessions/reasons.spec.ts',
    assumes: ['batch-package', 'invoice-status', 'invoice-states', 'session-status', 'code-440'],
  },
  'ended session': {
    file: 'families/sessions/ended-sessions.spec.ts',
    assumes: ['session-states'],
  },
  'refused calls': {
    file: 'families/sessions/refused-changes.spec.ts',
    needs: ['clock'],
    assumes: ['session-states', 'session-status', 'session-kinds', 'batch-package'],
  },
  'session ended by its time': {
    file: 'families/sessions/ends-by-time.spec.ts',
    needs: ['clock'],
    assumes: ['session-states', 'session-status', 'receipt-paths'],
  },
  'ended package': {
    file: 'families/sessions/ended-sessions.spec.ts',
    needs: ['failures'],
    assumes: ['session-states', 'batch-package'],
  },
  'final state': {
    file: 'families/sessions/final-states.spec.ts',
    needs: ['clock'],
    assumes: ['batch-package', 'session-status', 'session-states', 'session-kinds'],
  },
  'dates of a list': {
    file: 'families/sessions/many-sessions.spec.ts',
    needs: ['clock'],
    assumes: ['paging', 'query-range'],
  },
  'session search': {
    file: 'families/sessions/session-searches.spec.ts',
    needs: ['clock', 'bulk'],
    assumes: ['paging', 'session-states'],
  },
  'reader of a session': {
    file: 'families/sessions/session-readers.spec.ts',
    needs: ['testdata'],
    assumes: ['session-status'],
  },
  opening: {
    file: 'families/sessions/openings.spec.ts',
    assumes: ['session-key-check', 'form-code-form', 'export-body', 'session-status'],
  },
  'sessions of a context': {
    file: 'families/sessions/many-sessions.spec.ts',
    needs: ['clock'],
    assumes: ['paging', 'session-states', 'session-status'],
  },
} as const satisfies Readonly<Record<string, FamilyRow>>
