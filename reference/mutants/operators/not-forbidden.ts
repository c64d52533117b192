/** What an operator yields and the contract does not forbid, with the reason. */
const reasons: readonly (readonly [pattern: RegExp, reason: string])[] = []

/** Why the contract does not forbid a generated mutant; undefined where it does. */
export const notForbidden = (id: string): string | undefined =>
  reasons.find(([pattern]) => pattern.test(id))?.[1]
