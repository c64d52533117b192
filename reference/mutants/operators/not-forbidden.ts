/** What an operator yields and the contract does not forbid, with the reason. */
const reasons: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [
    /field:sessions\.failed\.invoices\.(svcNumber|acquisitionDate|permanentStorageDate|upoDownloadUrl|upoDownloadUrlExpirationDate)\.(?!missing)/,
    'A failed invoice has no service number, no receipt and no date of acquisition or storage to change.',
  ],
  [
    /field:sessions\.failed\.invoices\.status\.code\.(success|pending)-as-/,
    'The list of failed invoices contains no invoice that is accepted or in progress.',
  ],
  [
    /field:sessions\.(failed|invoices)\.invoices\.sessionReferenceNumber\.of-first-row$/,
    'Every row of the list belongs to the same session.',
  ],
  [
    /field:sessions\.invoices\.invoices\.upoDownloadUrlExpirationDate\.of-first-row$/,
    'The receipt links of one answer may expire at the same instant.',
  ],
  [
    /field:invoices\.statusBySvcNumber\.(original|status\.code\.(failure|pending)-as-)/,
    'Only an accepted invoice has a service number: it is no duplicate, has not failed and is not in progress.',
  ],
  [
    /page:(certificates\.query|sessions\.(list|invoices|failed))\.(backwards|first-two-swapped)$/,
    'The order of the list is not specified.',
  ],
  [
    /page:permissions\.querySubordinateRoles\.(backwards|first-two-swapped)$/,
    'The roles of a unit begin at the same instant, and their order is not specified.',
  ],
  [
    /page:permissions\.queryEu\.first-two-swapped$/,
    'A grant of EU administration creates several permissions at the same instant, whose order is not specified.',
  ],
]

/** Why the contract does not forbid a generated mutant; undefined where it does. */
export const notForbidden = (id: string): string | undefined =>
  reasons.find(([pattern]) => pattern.test(id))?.[1]
