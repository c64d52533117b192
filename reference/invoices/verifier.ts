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
  /** Forgets verdicts that nobody took: the documents are gone. */
  forget(): void
  /** Threads that are ready for documents. */
  up(): number
  /** Verdicts of theirs that were taken. */
  taken(): number
  /** Resolves when everything that was begun until now is ready. */
  idle(): Promise<void>
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
  thread: Worker | undefined
  verdict: Verdict | undefined
  done: boolean
}

/** Documents in a message: enough to share its price, few enough that the first are not kept from going on. */
const inMessage = 32

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
  /** All that were started, those that are not up yet too. */
  const all: Worker[] = []
  /** Documents in hand of each thread that is up. */
  const inHand = new Map<Worker, number>()
  /** In the order of their beginnings, until they are ready. */
  const queue: Waiting[] = []
  /** Those of them that no thread has yet. */
  let pending: Waiting[] = []
  const byId = new Map<number, Waiting>()
  const found = new Map<string, { readonly submission: Submission; readonly verdict: Verdict }>()
  let idlers: { readonly id: number; readonly resolve: () => void }[] = []
  let started = false
  let asking = false
  let last = 0
  let released = 0
  let taken = 0

  /** Lets documents go on in the order in which they came, whichever thread was quicker. */
  const release = (): void => {
    let count = 0
    for (; queue[count]?.done; count++) {
      const { referenceNumber, submission, verdict, ready, id } = queue[count]!
      byId.delete(id)
      released = id
      if (verdict !== undefined) found.set(referenceNumber, { submission, verdict })
      ready()
    }
    queue.splice(0, count)
    const rested = idlers.filter(({ id }) => id <= released)
    idlers = idlers.filter(({ id }) => id > released)
    for (const { resolve } of rested) resolve()
  }
  /** Gives threads what they can take: so much that they need not wait for the next message. */
  const ask = (): void => {
    asking = false
    let at = 0
    for (const [thread, count] of inHand) {
      if (count > inMessage) continue
      const mine = pending.slice(at, at + inMessage)
      if (mine.length === 0) break
      at += mine.length
      for (const waiting of mine) waiting.thread = thread
      inHand.set(thread, count + mine.length)
      thread.postMessage(mine.map(({ id, submission }): Question => ({ id, submission })))
    }
    if (at === 0) return
    pending = pending.slice(at)
    // Until all are busy, or nothing is left.
    ask()
  }
  const lose = (thread: Worker): void => {
    if (!inHand.delete(thread)) return
    const none = inHand.size === 0
    for (const waiting of queue)
      if (waiting.thread === thread || (none && waiting.thread === undefined)) waiting.done = true
    if (none) pending = []
    release()
  }
  const take = (findings: readonly Finding[]): void => {
    for (const { id, verdict } of findings) {
      const waiting = byId.get(id)
      if (waiting === undefined) continue
      waiting.done = true
      waiting.verdict = verdict
    }
    release()
  }
  const start = (): void => {
    if (started) return
    started = true
    for (let n = 0; n < threads; n++) {
      const thread = new Worker(new URL('./verifier-thread.js', import.meta.url))
      thread.unref()
      all.push(thread)
      thread.once('message', () => {
        inHand.set(thread, 0)
        thread.on('message', (findings: readonly Finding[]) => {
          inHand.set(thread, (inHand.get(thread) ?? 0) - findings.length)
          ask()
          take(findings)
        })
      })
      // What it had in hand is verified where it would be without threads.
      thread.on('error', () => lose(thread))
      thread.on('exit', () => lose(thread))
    }
  }

  return {
    start,
    begin(referenceNumber, submission, ready) {
      start()
      if (inHand.size === 0) return false
      const waiting: Waiting = {
        id: ++last,
        referenceNumber,
        submission,
        ready,
        thread: undefined,
        verdict: undefined,
        done: false,
      }
      queue.push(waiting)
      pending.push(waiting)
      byId.set(waiting.id, waiting)
      if (!asking) setImmediate(ask)
      asking = true
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
    up: () => inHand.size,
    taken: () => taken,
    idle: () =>
      released === last
        ? Promise.resolve()
        : new Promise((resolve) => idlers.push({ id: last, resolve })),
    async close() {
      for (const waiting of queue) waiting.done = true
      await Promise.all(all.map((thread) => thread.terminate()))
    },
  }
}
