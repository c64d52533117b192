import { archives } from './archive.ts'
import { authRequests } from './auth-request.ts'
import { base64Forms } from './base64.ts'
import { batches } from './batch.ts'
import { encryption } from './encryption.ts'
import { headerMalformations } from './headers.ts'
import { invoiceMalformations } from './invoices.ts'
import { jsonMalformations } from './json.ts'
import { jsonTexts } from './json-texts.ts'
import type { Malformation } from './malformation.ts'
import { metadata } from './metadata.ts'
import type { SubmissionMalformation } from './submission.ts'
import { sessionKeys } from './session-key.ts'
import { tokenEnvelopes } from './token-envelope.ts'

/** Every class of malformed submission: wrong encryption, metadata and Base64. */
export const submissionMalformations = (): readonly SubmissionMalformation[] => [
  ...encryption(),
  ...metadata(),
  ...base64Forms(),
]

/** Every class of everything, layer by layer. */
export const catalogue = (): readonly Malformation[] => [
  ...invoiceMalformations(),
  ...authRequests(),
  ...tokenEnvelopes(),
  ...sessionKeys(),
  ...submissionMalformations(),
  ...batches(),
  ...archives(),
  ...jsonMalformations(),
  ...jsonTexts,
  ...headerMalformations(),
]
