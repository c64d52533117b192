import type { OperationId } from '../../contract/endpoints.ts'
import type { Authentication } from '../model/entities.ts'
import type { Mutant } from './mutant.ts'

/** For such logins, a permission that the subject was granted in any context counts in each. */
export const grantedAnywhere = (
  at: readonly OperationId[] | undefined,
  isSuch: (login: Authentication) => boolean = () => true,
): Mutant => {
  let isMeant = false
  return {
    ...(at && { at }),
    tables: {
      authentications: {
        read(found) {
          isMeant = found !== undefined && isSuch(found)
          return found
        },
      },
      grants: {
        find: (found, index, _value, table) =>
          isMeant && index === 'context' ? [...table.values()] : found,
      },
    },
  }
}
