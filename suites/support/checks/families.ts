import { authFamilies } from './families/auth.ts'
import { credentialsFamilies } from './families/credentials.ts'
import { invoicesFamilies } from './families/invoices.ts'
import { isolationFamilies } from './families/isolation.ts'
import { listsFamilies } from './families/lists.ts'
import { operationsFamilies } from './families/operations.ts'
import { packagesFamilies } from './families/packages.ts'
import { permissionsFamilies } from './families/permissions.ts'
import { searchesFamilies } from './families/searches.ts'
import { sequencesFamilies } from './families/sequences.ts'
import { sessionsFamilies } from './families/sessions.ts'
import { testdataFamilies } from './families/testdata.ts'
import { workFamilies } from './families/work.ts'
import type { FamilyRow } from './family-row.ts'

/** Families of checks: a loop registers each for many rules, so that they live in one file and not with their rules. */
export const families = {
  ...authFamilies,
  ...credentialsFamilies,
  ...permissionsFamilies,
  ...testdataFamilies,
  ...invoicesFamilies,
  ...packagesFamilies,
  ...sessionsFamilies,
  ...searchesFamilies,
  ...listsFamilies,
  ...operationsFamilies,
  ...isolationFamilies,
  ...workFamilies,
  ...sequencesFamilies,
} as const satisfies Readonly<Record<string, FamilyRow>>

export type Family = keyof typeof families

/** The family of that name. */
export const familyOf = (name: string): FamilyRow | undefined =>
  Object.hasOwn(families, name) ? families[name as Family] : undefined
