import type { SubjectType } from '../entities.ts'

/** Decisions about test data. */
export const testdataPolicy = {
  // testdata.entities: created once, gone when removed
  subjectCreatable: (exists: boolean): boolean => !exists,
  subjectKept: (_type: SubjectType): boolean => true,
  removalTakesEffect: (): boolean => true,
  // testdata.permissions
  testGrantTakesEffect: (): boolean => true,
  testRevocationTakesEffect: (): boolean => true,
  // testdata.attachments
  consentGiven: (): boolean => true,
  consentRevoked: (): boolean => true,
  // testdata.limit-simulation
  productionRatesSet: (): boolean => true,
  ownRatesSet: (): boolean => true,
  ratesRestored: (): boolean => true,
}
