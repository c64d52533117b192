/** Parts of a body that have no meaning in the contract: two responses that differ only in them are equivalent. */

/** Fields that are texts for people, by schema: a service may word them differently in every response. */
export const spokenFields: ReadonlySet<string> = new Set(
  ['StatusInfo', 'InvoiceStatusInfo'].flatMap((schema) => [
    `${schema}.description`,
    `${schema}.details`,
  ]),
)

/** The ends of addresses, by schema and field: every response may have a fresh address, with its own expiry. */
export const addressEnds: ReadonlySet<string> = new Set([
  'InvoiceStatus.upoDownloadUrlExpirationDate',
  'ReceiptPage.downloadUrlExpirationDate',
  'ExportPart.expirationDate',
])
