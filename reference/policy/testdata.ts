/** Decisions about test data. */
export const testdataPolicy = {
  // testdata.entities: created once
  subjectCreatable: (exists: boolean): boolean => !exists,
}
