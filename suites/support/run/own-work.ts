/**
 * The invoices that the running check has made, and the holders of permissions that it granted. In a context that other
 * checks share, a list has theirs too: the check looks at its own alone. One check runs in a worker at a time.
 */

let made = new Set<string>()
let sharing = false

/** A check starts; `shares` when it has no context to itself. */
export const startOwnWork = (shares: boolean): void => {
  made = new Set()
  sharing = shares
}

/** Whether the running check shares its context. */
export const sharesContext = (): boolean => sharing

/** Notes an invoice of the check, by its own number or by the one that the service gave it, or a holder of permissions. */
export const noteMade = (number: string): void => void made.add(number)

/** Whether a check has to look at an invoice, by its own number or by the one that the service gave it. */
const isOwn = (...numbers: readonly string[]): boolean =>
  !sharing || numbers.some((number) => made.has(number))

/** What a check has to look at among the documents of an export, by the numbers that the service gave them. */
export const ownNumbers = (svcNumbers: readonly string[]): readonly string[] =>
  svcNumbers.filter((number) => isOwn(number))

/** What a check has to look at among listed permissions: those of the holders that it granted any to. */
export const ofOwnHolders = <
  One extends { readonly authorizedIdentifier: { readonly value: string } },
>(
  listed: readonly One[],
): One[] => listed.filter(({ authorizedIdentifier: { value } }) => isOwn(value))

/** What a check has to look at among the invoices that a search found. */
export const ownOnly = <One extends { readonly invoiceNumber: string; readonly svcNumber: string }>(
  found: readonly One[],
): readonly One[] => found.filter(({ invoiceNumber, svcNumber }) => isOwn(invoiceNumber, svcNumber))
