import type { FamilyRow } from '../family-row.ts'

/** Families of checks about every operation: its requests, paths and references. */
export const operationsFamilies = {
  'spelled date of certificates': {
    file: 'families/operations/date-spellings.spec.ts',
    needs: ['provoke', 'clock'],
    assumes: ['query-range', 'certificate-module'],
  },
  'spelled end of a certificate': {
    file: 'families/operations/date-spellings.spec.ts',
    needs: ['provoke', 'clock', 'testdata'],
    assumes: ['query-range', 'certificate-module', 'testdata-paths'],
  },
  'every operation': { file: 'families/operations/every-operation.spec.ts' },
  'every operation on test data': {
    file: 'families/operations/every-operation.spec.ts',
    needs: ['testdata'],
  },
  'described query parameter': { file: 'families/operations/described-parameters.spec.ts' },
  'optional body left out': { file: 'families/operations/null-fields.spec.ts' },
  'null for a field left out': {
    file: 'families/operations/null-fields.spec.ts',
    assumes: ['null-fields'],
  },
  'null for a field of test data left out': {
    file: 'families/operations/null-fields.spec.ts',
    needs: ['testdata'],
    assumes: ['null-fields'],
  },
  'reference of another kind': {
    file: 'families/operations/other-kinds.spec.ts',
    assumes: ['session-kinds', 'session-status', 'invoice-status', 'receipt-paths', 'export-body'],
  },
  'foreign resource': { file: 'families/operations/foreign-resources.spec.ts', needs: ['second'] },
  'same caller in another context': {
    file: 'families/operations/foreign-resources.spec.ts',
    needs: ['second'],
    assumes: ['permission-grants'],
  },
  'counted together': {
    file: 'families/operations/aliases.spec.ts',
    needs: ['provoke', 'clock'],
    assumes: ['alias-counting'],
  },
  'text as it was given': {
    file: 'families/operations/texts.spec.ts',
    assumes: ['permission-queries'],
  },
  'awkward text': { file: 'families/operations/awkward-texts.spec.ts' },
  'changed link': {
    file: 'families/operations/signed-links.spec.ts',
    assumes: ['receipt-link', 'batch-package'],
  },
  'spelled date': {
    file: 'families/operations/date-spellings.spec.ts',
    needs: ['clock', 'bulk'],
    assumes: ['query-range', 'session-states', 'metadata-answer', 'query-filters', 'date-types'],
  },
  'other spelling beyond a limit': {
    file: 'families/operations/aliases.spec.ts',
    needs: ['provoke'],
  },
  'other spelling of limits': {
    file: 'families/operations/aliases.spec.ts',
    needs: ['testdata'],
    assumes: ['limit-simulation', 'limits-bodies'],
  },
  'other spelling': { file: 'families/operations/aliases.spec.ts', needs: ['second'] },
  'malformed request': { file: 'families/operations/malformed-requests.spec.ts' },
  'malformed request for test data': {
    file: 'families/operations/malformed-requests.spec.ts',
    needs: ['testdata'],
  },
} as const satisfies Readonly<Record<string, FamilyRow>>
