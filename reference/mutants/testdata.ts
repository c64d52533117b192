import type { Mutant } from '../mutant.ts'

/** Defects of test data and limit simulation. */
export const testdataMutants = {
  'testdata.entities.forgotten': {
    breaks: ['testdata.entities'],
    policy: { subjectKept: () => false },
  },
  'testdata.entities.never-removed': {
    breaks: ['testdata.entities'],
    policy: { removalTakesEffect: () => false },
  },
  'testdata.entities.made-twice': {
    breaks: ['testdata.entities'],
    policy: { subjectCreatable: () => true },
  },
  'testdata.permissions.not-granted': {
    breaks: ['testdata.permissions'],
    policy: { testGrantTakesEffect: () => false },
  },
  'testdata.permissions.never-revoked': {
    breaks: ['testdata.permissions'],
    policy: { testRevocationTakesEffect: () => false },
  },
  'testdata.attachments.never-allowed': {
    breaks: ['testdata.attachments'],
    policy: { consentGiven: () => false },
  },
  'testdata.attachments.never-denied': {
    breaks: ['testdata.attachments'],
    policy: { consentRevoked: () => false },
  },
  'testdata.everywhere': {
    breaks: ['testdata.only-in-test'],
    policy: { operationExists: () => true },
  },
  'testdata.limits.production-ignored': {
    breaks: ['testdata.limit-simulation'],
    policy: { productionRatesSet: () => false },
  },
  'testdata.limits.custom-ignored': {
    breaks: ['testdata.limit-simulation'],
    policy: { ownRatesSet: () => false },
  },
  'testdata.limits.never-restored': {
    breaks: ['testdata.limit-simulation'],
    policy: { ratesRestored: () => false },
  },
} as const satisfies Record<string, Mutant>
