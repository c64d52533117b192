import type fc from 'fast-check'
import { drawn } from '../draw/arbitrary.ts'
import type { Draw } from '../draw/draw.ts'
import { drawBytes } from '../draw/draw.ts'
import { drawInvoice } from '../invoice/invoice.ts'
import type { InvoiceOptions } from '../invoice/options.ts'
import type { Secret, SubmissionBody, SubmissionDraft } from './payload.ts'
import { submission as bodyOf } from './payload.ts'

const drawSecret = (draw: Draw): Secret => ({ key: drawBytes(draw, 32), iv: drawBytes(draw, 16) })

export interface Submission extends SubmissionDraft {
  readonly body: SubmissionBody
}

/** An invoice to be submitted under the given secret, or under a drawn one. */
export function drawSubmission(
  draw: Draw,
  options: InvoiceOptions,
  given?: Secret,
): SubmissionDraft {
  const own = given ?? drawSecret(draw)
  return { xml: drawInvoice(options, draw).bytes, ...own, wrappedKey: drawBytes(draw, 256) }
}

/** Valid submissions: an invoice, encrypted under the given secret or a drawn one, and described correctly. */
export function submission(options: InvoiceOptions, given?: Secret): fc.Arbitrary<Submission> {
  return drawn((draw) => {
    const draft = drawSubmission(draw, options, given)
    return { ...draft, body: bodyOf(draft) }
  })
}
