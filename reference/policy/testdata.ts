import type { SubjectType } from '../model/entities.ts'

/** The status of attachments as a taxpayer reads it. */
export interface ConsentView {
  readonly isAttachmentAllowed: boolean
  readonly revokedDate: string | null
}

/** Decisions about test data. */
export const testdataPolicy = {
  // testdata.entities: created once, gone when removed
  subjectCreatable: (exists: boolean): boolean => !exists,
  subjectKept: (_type: SubjectType): boolean => true,
  removalTakesEffect: (): boolean => true,
  // testdata.permissions
  testGrantTakesEffect: (): boolean => true,
  testRevocationTakesEffect: (): boolean => true,
  // testdata.blocks: this context and no other, until it is unblocked
  contextBlocked: (blocked: boolean, _any: boolean): boolean => blocked,
  unblockingTakesEffect: (): boolean => true,
  // testdata.entities: credentials of the dead open nothing
  deceasedRefused: (): boolean => true,
  // testdata.attachments
  consentGiven: (): boolean => true,
  consentRevoked: (): boolean => true,
  consentEnds: (asked: number, _now: number): number => asked,
  consentShown: (view: ConsentView): ConsentView => view,
  // testdata.limit-simulation
  productionRatesSet: (): boolean => true,
  ownRatesSet: (): boolean => true,
  ratesRestored: (): boolean => true,
}
