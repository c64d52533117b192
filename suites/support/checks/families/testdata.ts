import type { FamilyRow } from '../family-row.ts'

/** Families of checks about what test data set. */
export const testdataFamilies = {
  'setter of limits': {
    file: 'families/testdata/limit-setters.spec.ts',
    assumes: ['limits-bodies', 'permission-grants', 'service-tokens'],
  },
  'blocked context': {
    file: 'families/testdata/blocked-contexts.spec.ts',
    assumes: ['permission-grants'],
  },
  'blocked context of a token': {
    file: 'families/testdata/blocked-contexts.spec.ts',
    needs: ['token'],
    assumes: ['permission-grants', 'service-tokens'],
  },
  'neighbour of test data': {
    file: 'families/testdata/test-data-neighbours.spec.ts',
    needs: ['testdata', 'second'],
    assumes: ['testdata-paths'],
  },
  'done twice': {
    file: 'families/testdata/done-twice.spec.ts',
    needs: ['testdata'],
    assumes: ['testdata-paths'],
  },
  'role of a taxpayer': {
    file: 'families/testdata/roles.spec.ts',
    needs: ['testdata', 'second'],
    assumes: ['testdata-paths', 'permission-queries'],
  },
  'power of a bailiff': { file: 'families/testdata/bailiffs.spec.ts', assumes: ['service-tokens'] },
} as const satisfies Readonly<Record<string, FamilyRow>>
