import { availableParallelism } from 'node:os'
import { createInOrder } from './in-order.ts'
import type { Waiting } from './verifier-pool.ts'
import { createPool } from './verifier-pool.ts'
import type { Submission, Verdict } from './verify.ts'

/**
 * Verification on separate threads, so that the thread that answers calls does not parse documents. A verdict that
 * was found ahead is used only if the limits and dates that it rests on still apply when the document's turn comes.
 */
export interface Verifier {
  /** Starts the threads, which need a while before they can verify the first document. */
  start(): void
  /**
   * Begins to verify if a thread is up.
   * @param ready called when the verdict can be taken, or when none will come; in the order of the calls of `begin`
   * @returns whether it began; if not, `ready` is never called
   */
  begin(referenceNumber: string, submission: Submission, ready: () => void): boolean
  /** The verdict on a submission, once; undefined where none was found under its terms. */
  take(referenceNumber: string, submission: Submission): Verdict | undefined
  /** Drops verdicts that were not taken: their documents no longer exist. */
  forget(): void
  /** Threads that are ready for documents. */
  up(): number
  /** Verdicts of threads that were taken. */
  taken(): number
  /** Resolves when everything that was begun until now is ready. */
  idle(): Promise<void>
  close(): Promise<void>
}

/** One thread per core, up to eight; none on a single core, which gains nothing from them. */
export const defaultThreads = (): number => {
  const cores = availableParallelism()
  return cores === 1 ? 0 : Math.min(cores, 8)
}

/** Whether the verdict on one submission is the verdict on the other: same document, but the terms may differ. */
const sameTerms = (a: Submission, b: Submission): boolean =>
  a.today === b.today &&
  a.checkDigits === b.checkDigits &&
  a.limits.maxInvoiceBytes === b.limits.maxInvoiceBytes &&
  a.limits.maxInvoiceWithAttachmentBytes === b.limits.maxInvoiceWithAttachmentBytes

export const createVerifier = (threads: number): Verifier => {
  const found = new Map<string, { readonly submission: Submission; readonly verdict: Verdict }>()
  let taken = 0
  const waiting = createInOrder<Waiting>(({ referenceNumber, submission, verdict, ready }) => {
    if (verdict !== undefined) found.set(referenceNumber, { submission, verdict })
    ready()
  })
  const pool = createPool(threads, waiting)
  return {
    start: () => pool.start(),
    begin(referenceNumber, submission, ready) {
      pool.start()
      if (pool.up() === 0) return false
      pool.give(waiting.add({ referenceNumber, submission, ready }))
      return true
    },
    take(referenceNumber, submission) {
      const early = found.get(referenceNumber)
      found.delete(referenceNumber)
      if (early === undefined || !sameTerms(early.submission, submission)) return undefined
      taken++
      return early.verdict
    },
    forget: () => found.clear(),
    up: () => pool.up(),
    taken: () => taken,
    idle: () => waiting.idle(),
    close: () => pool.close(),
  }
}
