import { receivingVariants } from './receiving-variants.ts'
import type { Variant } from './variant.ts'

/** Fields that this client knows of the answer to a submission. */
const known = new Set(['referenceNumber', 'validUntil'])
const opening = (body: unknown): boolean =>
  typeof body !== 'object' ||
  body === null ||
  !('referenceNumber' in body) ||
  'status' in body ||
  'authenticationToken' in body ||
  'partUploadRequests' in body ||
  Object.keys(body).every((name) => known.has(name))

/**
 * Broken variants of the model client, each one decision away from it and wrong for one reason that real clients have:
 * the mutants of the examination. `assay mutate --client` runs them; each is convicted under its rule, and no other.
 */
export const variants: readonly Variant[] = [
  {
    id: 'sends-again-blindly',
    breaks: 'client.outcome.unknown-resolved',
    title: 'sends a document again when no answer came, without finding out',
    conduct: { afterSilence: 'send again' },
    ordeals: ['submit-answer-lost-after'],
  },
  {
    id: 'gives-another-number',
    breaks: 'client.outcome.unknown-resolved',
    title: 'sends a document under another number when no answer came',
    conduct: { afterSilence: 'send under another number' },
    ordeals: ['submit-answer-lost-after'],
  },
  {
    id: 'forgets-at-a-crash',
    breaks: 'client.outcome.unknown-resolved',
    title: 'keeps its outbox in memory, and sends everything again after a crash',
    conduct: { remembers: false },
    ordeals: ['killed-after-submit'],
  },
  {
    id: 'creates-tokens-again',
    breaks: 'client.outcome.unknown-resolved',
    title: 'creates another service token when no answer came, and leaves the first one valid',
    conduct: { revokesLostTokens: false },
    ordeals: ['token-answer-lost'],
  },
  {
    id: 'hammers-at-the-limit',
    breaks: 'client.limits.respected',
    title: 'calls again 100 ms after a 429',
    conduct: { waitAfterLimit: () => 100 },
    ordeals: ['limit-on-submit'],
  },
  {
    id: 'waits-half',
    breaks: 'client.limits.respected',
    title: 'reads Retry-After as if it were half as long',
    conduct: { waitAfterLimit: (ms) => ms / 2 },
    ordeals: ['limit-on-submit'],
  },
  {
    id: 'sends-in-bursts',
    breaks: 'client.limits.respected',
    title: 'sends as fast as it can, and lets the service stop it',
    conduct: { paces: false },
    ordeals: ['burst'],
  },
  {
    id: 'takes-the-first-key',
    breaks: 'client.keys.chosen',
    title: 'takes the first certificate of the list, whatever it is for',
    conduct: { chooseKey: (keys) => keys[0] },
    ordeals: ['wrong-usage-first'],
  },
  {
    id: 'ignores-key-dates',
    breaks: 'client.keys.chosen',
    title: 'takes the first certificate of the usage, expired or not',
    conduct: { chooseKey: (keys, usage) => keys.find((key) => key.usage.includes(usage)) },
    ordeals: ['expired-key-listed'],
  },
  {
    id: 'keeps-its-keys',
    breaks: 'client.keys.rotation',
    title: 'reads the certificates once and never again',
    conduct: { readsKeysAgain: false },
    ordeals: ['key-rotated-before-open'],
  },
  {
    id: 'sends-duplicates-again',
    breaks: 'client.duplicates.never-resent',
    title: 'sends a duplicate once more',
    conduct: { duplicate: 'send again' },
    ordeals: ['duplicate-of-earlier-run'],
  },
  {
    id: 'renumbers-duplicates',
    breaks: 'client.duplicates.never-resent',
    title: 'sends a duplicate again under another number',
    conduct: { duplicate: 'send under another number' },
    ordeals: ['duplicate-of-earlier-run'],
  },
  {
    id: 'takes-duplicates-for-rejected',
    breaks: 'client.duplicates.kept',
    title: 'takes a duplicate for a rejected document',
    conduct: { duplicate: 'rejected' },
    ordeals: ['duplicate-of-earlier-run'],
  },
  {
    id: 'numbers-duplicates-wrongly',
    breaks: 'client.duplicates.kept',
    title: 'keeps the reference of the second submission instead of the number of the first',
    conduct: { duplicateNumber: (_, reference) => reference },
    ordeals: ['duplicate-of-earlier-run'],
  },
  {
    id: 'shows-token-to-storage',
    breaks: 'client.tokens.by-stage',
    title: 'sends its access token to signed addresses',
    conduct: { uploadBearer: (access) => access },
    ordeals: ['quiet-batch'],
  },
  {
    id: 'puts-token-in-address',
    breaks: 'client.tokens.by-stage',
    title: 'adds its access token to the address of a receipt',
    conduct: { receiptAddress: (link, access) => `${link}?access=${access}` },
    ordeals: ['quiet-day'],
  },
  {
    id: 'confuses-its-tokens',
    breaks: 'client.tokens.by-stage',
    title: 'reads the limits with the authentication token',
    conduct: { bearerForLimits: ({ authentication }) => authentication },
    ordeals: ['quiet-day'],
  },
  {
    id: 'never-renews',
    breaks: 'client.tokens.refreshed',
    title: 'goes on with an access token that the service refused',
    conduct: { renewsBefore: undefined, replacesRefusedToken: false },
    ordeals: ['access-token-expires'],
  },
  {
    id: 'gives-up-with-its-refresh-token',
    breaks: 'client.tokens.refreshed',
    title: 'gives up when the refresh token is refused',
    conduct: { logsInAnew: false },
    ordeals: ['refresh-token-expires'],
  },
  {
    id: 'never-authenticates-again',
    breaks: 'client.tokens.reauthenticated',
    title: 'gives up when the authentication token ran out',
    conduct: { startsAuthenticationAgain: false },
    ordeals: ['authentication-token-expires'],
  },
  {
    id: 'breaks-lines',
    breaks: 'client.encryption.right',
    title: 'writes Base64 in lines of 76 characters',
    conduct: {
      submission: (body) => ({
        ...body,
        encryptedInvoiceContent: body.encryptedInvoiceContent.replace(/.{76}/g, '$&\r\n'),
      }),
    },
    ordeals: ['quiet-day'],
  },
  {
    id: 'encrypts-with-another-vector',
    breaks: 'client.encryption.right',
    title: 'encrypts with an IV of zeros instead of that of the session',
    conduct: { vector: () => new Uint8Array(16) },
    ordeals: ['quiet-day'],
  },
  {
    id: 'hashes-the-wrong-bytes',
    breaks: 'client.encryption.right',
    title: 'declares the hash of the encrypted bytes as that of the document',
    conduct: { submission: (body) => ({ ...body, invoiceHash: body.encryptedInvoiceHash }) },
    ordeals: ['quiet-day'],
  },
  {
    id: 'writes-sizes-as-text',
    breaks: 'client.requests.well-formed',
    title: 'writes the size of a document as a string, not as a number',
    conduct: { submission: (body) => ({ ...body, invoiceSize: String(body.invoiceSize) }) },
    ordeals: ['quiet-day'],
  },
  {
    id: 'polls-without-pause',
    breaks: 'client.polling.bounded',
    title: 'asks for outcomes every 10 ms',
    conduct: { pollAfter: () => 10, paces: true },
    ordeals: ['slow-processing'],
  },
  {
    id: 'never-stops-polling',
    breaks: 'client.polling.bounded',
    title: 'goes on asking after it was told the outcome',
    conduct: { looksAfterTheEnd: 8 },
    ordeals: ['slow-processing'],
  },
  {
    id: 'takes-receipt-for-acceptance',
    breaks: 'client.polling.bounded',
    title: 'counts a document as issued when its submission was answered',
    conduct: { trustsSubmission: true, fetchesReceipts: true },
    ordeals: ['rejected-for-schema'],
  },
  {
    id: 'records-the-number-of-another',
    breaks: 'client.outcome.exactly-once',
    title: 'writes down the number of the first document for each of them',
    conduct: { recordedNumber: (own, before) => before[0] ?? own },
    ordeals: ['quiet-day'],
  },
  {
    id: 'leaves-sessions-open',
    breaks: 'client.receipt.fetched',
    title: 'never closes a session',
    conduct: { closesSessions: false },
    ordeals: ['quiet-day'],
  },
  {
    id: 'fetches-no-receipts',
    breaks: 'client.receipt.fetched',
    title: 'does not fetch receipts',
    conduct: { fetchesReceipts: false },
    ordeals: ['quiet-day'],
  },
  {
    id: 'gives-up-on-expired-links',
    breaks: 'client.receipt.fetched',
    title: 'gives up when the link to a receipt has expired',
    conduct: { asksForFreshLink: false },
    ordeals: ['receipt-link-expired'],
  },
  {
    id: 'storms-after-faults',
    breaks: 'client.faults.survived',
    title: 'repeats a failed call at once, up to a dozen times',
    conduct: { waitAfterFailure: (failures) => (failures > 12 ? undefined : 5) },
    ordeals: ['maintenance'],
  },
  {
    id: 'gives-up-at-once',
    breaks: 'client.faults.survived',
    title: 'gives up at the first 5xx',
    conduct: { waitAfterFailure: () => undefined },
    ordeals: ['fault-500'],
  },
  {
    id: 'rejects-unknown-fields',
    breaks: 'client.fields.unknown-ignored',
    title: 'refuses an answer that holds a field it does not know',
    conduct: { understands: opening },
    ordeals: ['unknown-fields'],
  },
  {
    id: 'rejects-unknown-codes',
    breaks: 'client.fields.unknown-ignored',
    title: 'gives up on a status code that it does not know',
    conduct: { unknownCode: 'error' },
    ordeals: ['unknown-codes'],
  },
  {
    id: 'takes-unknown-codes-for-success',
    breaks: 'client.fields.unknown-ignored',
    title: 'counts a document as issued when its status has a code that it does not know',
    conduct: { unknownCode: 'success' },
    ordeals: ['unknown-codes'],
  },
  ...receivingVariants,
]

/** The variant with an id; throws when there is none. */
export function variantOf(id: string): Variant {
  const found = variants.find((variant) => variant.id === id)
  if (found === undefined) throw new Error(`no variant is called ${id}`)
  return found
}
