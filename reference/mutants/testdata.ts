import type { Mutant } from './mutant.ts'

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
  'testdata.blocks.without-effect': {
    breaks: ['testdata.blocks'],
    policy: { contextBlocked: () => false },
  },
  'testdata.blocks.for-ever': {
    breaks: ['testdata.blocks'],
    policy: { unblockingTakesEffect: () => false },
  },
  'testdata.blocks.everybody': {
    breaks: ['testdata.blocks'],
    policy: { contextBlocked: (_, any) => any },
  },
  'testdata.entities.the-dead-log-in': {
    breaks: ['testdata.entities'],
    policy: { deceasedRefused: () => false },
  },
  'testdata.attachments.denied-at-once': {
    breaks: ['testdata.attachments'],
    policy: { consentEnds: (_, now) => now },
  },
  'testdata.attachments.told-as-denied': {
    breaks: ['testdata.attachments'],
    policy: { consentShown: (view) => ({ ...view, isAttachmentAllowed: false }) },
  },
  'testdata.attachments.end-not-told': {
    breaks: ['testdata.attachments'],
    policy: { consentShown: (view) => ({ ...view, revokedDate: null }) },
  },
  'testdata.limits.one-kind-for-both': {
    breaks: ['testdata.limit-simulation'],
    policy: { sessionBounds: ({ online }) => online },
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
