import type { Accepted } from '../dialect.ts'

/** Where the published description of API 2.7.0 is known to differ from the contract. */
export const accepted: readonly Accepted[] = [
  {
    kinds: ['operation-removed'],
    where: /^GET \/openapi\.json$/,
    reason: 'the description is published beside the interface and does not describe itself',
  },
  {
    kinds: ['field-removed'],
    where:
      /(rate-limits|limits\/context) .*\.(onlineSessionClose|batchSessionClose|anonymous|global|collectiveIdentifier)$|package\.compressionType$/,
    reason: 'later versions have these fields, which clients of 2.7.0 do not read',
  },
  {
    kinds: ['enum-narrowed', 'bounds-widened', 'pattern-changed'],
    where: /currency(Codes\[\])?$/,
    reason: 'the contract has the form of a currency code, not the list of those in use',
  },
  {
    kinds: ['bounds-widened'],
    where:
      /\.(token|encryptedToken|systemCode|schemaVersion|value|encryptedSymmetricKey|initializationVector|method|certificate|encryptedInvoiceContent|csr)$/,
    reason: 'the contract says that the text is not empty',
  },
  {
    kinds: ['bounds-narrowed'],
    where: /batchFile\.file(Parts|Size)$/,
    reason: 'too many parts, and a package that is too large, are refusals of their own',
  },
  {
    kinds: ['bounds-widened'],
    where: /\.(permissions|usage)$/,
    reason: 'the contract says that the list is not empty',
  },
  {
    kinds: ['bounds-narrowed', 'bounds-widened'],
    where: /allowedIps\.ip4\w+$/,
    reason: 'the description writes the length of these lists as minimum and maximum',
  },
  {
    kinds: ['format-changed'],
    where: /^GET \/security\/public-key-certificates answer\.\[\]\.certificate$/,
    reason: 'the specification allows PEM besides Base64',
  },
  {
    kinds: ['pattern-changed'],
    where: /\.certificateName$/,
    reason: 'the same characters, written without a needless escape',
  },
  {
    kinds: ['pattern-changed'],
    where: /\.vatUeIdentifier$/,
    reason: 'a filter, whose form the contract leaves open',
  },
  {
    kinds: ['enum-narrowed'],
    where: /subject(Person|Entity)Details\.subjectDetailsType$/,
    reason: 'one record for all permission queries, of which some have fewer kinds',
  },
  {
    kinds: ['field-removed'],
    where: /authorizationGrants\[\]\.subjectEntityDetails\.address$/,
    reason: 'one record for all permission queries; this one has no address',
  },
]
