import type { Mutant } from './mutant.ts'

/** Defects in how long a consent to attachments lasts. */

/** A consent that was withdrawn before keeps its earlier end. */
export const withdrawnOnce: Mutant = {
  tables: {
    consents: {
      write: (next, before) =>
        next.revokedAt === undefined || before?.revokedAt === undefined
          ? next
          : { ...next, revokedAt: before.revokedAt },
    },
  },
}

/** A consent that is given again while it lasts keeps its end. */
export const endKept: Mutant = {
  at: ['testdata.allowAttachments'],
  tables: {
    consents: {
      write: (next, before) =>
        before?.revokedAt === undefined ? next : { ...next, revokedAt: before.revokedAt },
    },
  },
}

/** A withdrawal from a later date counts at once. */
export const deniedAtOnce: Mutant = {
  tables: {
    consents: {
      write: (next) => (next.revokedAt === undefined ? next : { ...next, revokedAt: next.givenAt }),
    },
  },
}
