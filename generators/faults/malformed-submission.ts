import type fc from 'fast-check'
import { drawn } from '../draw/arbitrary.ts'
import type { InvoiceOptions } from '../invoice/options.ts'
import type { Secret, SubmissionDraft } from '../requests/payload.ts'
import { drawSubmission } from '../requests/submission.ts'
import { submissionMalformations } from './catalogue.ts'
import type { BrokenSubmission, SubmissionMalformation } from './submission.ts'

export interface MalformedSubmission extends BrokenSubmission {
  readonly malformation: SubmissionMalformation
  readonly draft: SubmissionDraft
}

/** Submissions with one fault each, of the given classes or of all. */
export function malformedSubmission(
  options: InvoiceOptions,
  given?: Secret,
  classes: readonly SubmissionMalformation[] = submissionMalformations(),
): fc.Arbitrary<MalformedSubmission> {
  return drawn((draw) => {
    const malformation = draw.pick(classes)
    const draft = drawSubmission(draw, options, given)
    return { malformation, draft, ...malformation.apply(draft, draw) }
  })
}
