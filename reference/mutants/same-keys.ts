import { policy } from '../policy/policy.ts'
import type { Mutant } from './mutant.ts'

/** Defects of a further certificate for the same key, or under the same name. */

/** A further certificate that has the same as another is valid twice as long. */
export const longerWhenRenewed = (same: 'publicKey' | 'name'): Mutant => {
  let isRenewed = false
  return {
    at: ['enrollment'],
    tables: {
      enrollments: {
        read(found, _key, { certificates }) {
          isRenewed = [...certificates.values()].some((one) => one[same] === found?.[same])
          return found
        },
      },
    },
    policy: { certificateDays: (years) => policy.certificateDays(isRenewed ? 2 * years : years) },
  }
}

/** Whether a certificate is revoked is looked up by its key. */
export const revokedWithItsKey: Mutant = {
  at: ['auth.xades', 'authentication'],
  tables: {
    certificates: {
      find: (found, index, _value, table) =>
        index === 'fingerprint'
          ? found.map(
              (one) =>
                [...table.values()].find(
                  ({ publicKey, revoking }) =>
                    publicKey === one.publicKey && revoking !== undefined,
                ) ?? one,
            )
          : found,
    },
  },
}
