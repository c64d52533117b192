/**
 * Verification on threads of its own, so that the thread that answers calls does not parse documents. A verdict that
 * is found early is only taken where it was found on the terms that are in force when the document's turn comes.
 */

import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Submission, Verdict } from './verify.ts'

export interface Verifier {
  /** Starts the threads: they take a while until the first document can be given to them. */
  start(): void
  /**
   * Begins to verify, where a thread is there to do it.
   * @param ready called when the verdict can be taken, or when none will come; in the order of the beginnings
   * @returns whether it began; if not, `ready` is never called
   */
  begin(referenceNumber: string, submission: Submission, ready: () => void): boolean
  /** The verdict on a submission, once; undefined where none was found on its terms. */
  take(referenceNumber: string, submission: Submission): Verdict | undefined
  /** Threads that are ready for documents. */
  readonly up: number
  /** Verdicts of theirs that were taken. */
  readonly taken: number
  close(): Promise<void>
}

/** What a thread is asked, several at once, because each message has its price. */
export interface Question {
  readonly id: number
  readonly submission: Submission
}

/** An answer without a verdict: the thread could not find one. */
export interface Finding {
  readonly id: number
  readonly verdict?: Verdict
}

interface Waiting {
  readonly id: number
  readonly referenceNumber: string
  readonly submission: Submission
  readonly ready: () => void
  thread: Worker
  verdict?: Verdict
  done: boolean
}

/** As many as the machine has cores, up to eight: most of the work is theirs. A single core gains nothing from them. */
export const usualThreads = (): number => {
  const cores = availableParallelism()
  return cores === 1 ? 0 : Math.min(cores, 8)
}

/** Whether a verdict on one submission is the verdict on the other: the document is the same, the terms may not be. */
const sameTerms = (a: Submission, b: Submission): boolean =>
  a.today === b.today &&
  a.checkDigits === b.checkDigits &&
  a.limits.maxInvoiceBytes === b.limits.maxInvoiceBytes &&
  a.limits.maxInvoiceWithAttachmentBytes === b.limits.maxInvoiceWithAttachmentBytes

/** A pool of threads; until they are up, nothing is begun. */
export const createVerifier = (threads: number): Verifier => {
  const up: Worker[] = []
  const loads = new Map<Worker, number>()
  const queue: Waiting[] = []
  const byId = new Map<number, Waiting>()
  const found = new Map<string, { readonly submission: Submission; readonly verdict: Verdict }>()
  let started = false
  let last = 0
  let asked: Waiting[] = []
  let taken = 0

  /** Lets documents go on in the order in which they came, whichever thread was quicker. */
  const release = (): void => {
    while (queue[0]?.done) {
      const { referenceNumber, submission, verdict, ready, id } = queue.shift()!
      byId.delete(id)
      if (verdict !== undefined) found.set(referenceNumber, { submission, verdict })
      ready()
    }
  }
  const lose = (thread: Worker): void => {
    loads.delete(thread)
    const at = up.indexOf(thread)
    if (at >= 0) up.splice(at, 1)
    for (const waiting of queue) if (waiting.thread === thread) waiting.done = true
    release()
  }
  const start = (): void => {
    if (started) return
    started = true
    for (let n = 0; n < threads; n++) {
      const thread = new Worker(new URL('./verifier-thread.js', import.meta.url))
      thread.unref()
      thread.once('message', () => {
        up.push(thread)
        loads.set(thread, 0)
        thread.on('message', (findings: readonly Finding[]) => {
          loads.set(thread, (loads.get(thread) ?? 0) - findings.length)
          for (const { id, verdict } of findings) {
            const waiting = byId.get(id)
            if (waiting === undefined) continue
            waiting.done = true
            if (verdict !== undefined) waiting.verdict = verdict
          }
          release()
        })
      })
      // What it had in hand is verified where it would be without threads.
      thread.on('error', () => lose(thread))
      thread.on('exit', () => lose(thread))
    }
  }
  const leastBusy = (): Worker | undefined =>
    up.toSorted((a, b) => (loads.get(a) ?? 0) - (loads.get(b) ?? 0))[0]
  const ask = (): void => {
    const questions = new Map<Worker, Question[]>()
    for (const { id, submission, thread } of asked) {
      const mine = questions.get(thread)
      if (mine === undefined) questions.set(thread, [{ id, submission }])
      else mine.push({ id, submission })
    }
    asked = []
    for (const [thread, mine] of questions) thread.postMessage(mine)
  }

  return {
    start,
    begin(referenceNumber, submission, ready) {
      start()
      const thread = leastBusy()
      if (thread === undefined) return false
      const waiting: Waiting = {
        id: ++last,
        referenceNumber,
        submission,
        ready,
        thread,
        done: false,
      }
      loads.set(thread, (loads.get(thread) ?? 0) + 1)
      queue.push(waiting)
      byId.set(waiting.id, waiting)
      if (asked.push(waiting) === 1) setImmediate(ask)
      return true
    },
    take(referenceNumber, submission) {
      const early = found.get(referenceNumber)
      found.delete(referenceNumber)
      if (early === undefined || !sameTerms(early.submission, submission)) return undefined
      taken++
      return early.verdict
    },
    get up() {
      return up.length
    },
    get taken() {
      return taken
    },
    async close() {
      for (const waiting of queue) waiting.done = true
      await Promise.all(up.map((thread) => thread.terminate()))
    },
  }
}
