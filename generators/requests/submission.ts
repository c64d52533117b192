import type fc from 'fast-check'
import type { Draw } from '../draw.ts'
import { drawn } from '../draw.ts'
import type { InvoiceOptions } from '../invoice/options.ts'
import { drawInvoice } from '../invoice/invoice.ts'
import { submissionMalformations } from '../faults/catalogue.ts'
import type {
  BrokenSubmission,
  SubmissionBody,
  SubmissionDraft,
  SubmissionMalformation,
} from '../faults/payload.ts'
import { drawBytes, submission as bodyOf } from '../faults/payload.ts'

/** The secret of a session: key (32 bytes) and initialization vector (16 bytes). Never for anything real. */
export interface Secret {
  readonly key: Uint8Array
  readonly iv: Uint8Array
}

const drawSecret = (draw: Draw): Secret => ({ key: drawBytes(draw, 32), iv: drawBytes(draw, 16) })

export const secret: fc.Arbitrary<Secret> = drawn(drawSecret)

export interface Submission extends SubmissionDraft {
  readonly body: SubmissionBody
}

function drawDraft(
  draw: Draw,
  options: InvoiceOptions,
  given: Secret | undefined,
): SubmissionDraft {
  const own = given ?? drawSecret(draw)
  return { xml: drawInvoice(options, draw).bytes, ...own, wrappedKey: drawBytes(draw, 256) }
}

/** Valid submissions: an invoice, encrypted under the given secret or a drawn one, and described truly. */
export function submission(options: InvoiceOptions, given?: Secret): fc.Arbitrary<Submission> {
  return drawn((draw) => {
    const draft = drawDraft(draw, options, given)
    return { ...draft, body: bodyOf(draft) }
  })
}

export interface MalformedSubmission extends BrokenSubmission {
  readonly malformation: SubmissionMalformation
  readonly draft: SubmissionDraft
}

/** Submissions with one fault each, of the given classes, else of all. */
export function malformedSubmission(
  options: InvoiceOptions,
  given?: Secret,
  classes: readonly SubmissionMalformation[] = submissionMalformations(),
): fc.Arbitrary<MalformedSubmission> {
  return drawn((draw) => {
    const malformation = draw.pick(classes)
    const draft = drawDraft(draw, options, given)
    return { malformation, draft, ...malformation.apply(draft, draw) }
  })
}
