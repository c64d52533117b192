import { Worker } from 'node:worker_threads'
import type { InOrder } from './in-order.ts'
import type { Submission, Verdict } from './verify.ts'

/** A document for a thread. A message holds several, because each message has its cost. */
export interface Question {
  readonly id: number
  readonly submission: Submission
}

/** The answer of a thread, without a verdict where it could not find one. */
export interface Finding {
  readonly id: number
  readonly verdict?: Verdict
}

export interface Waiting {
  readonly referenceNumber: string
  readonly submission: Submission
  /** Called when the verdict can be taken, or when none will come. */
  readonly ready: () => void
  verdict?: Verdict | undefined
}

/** Threads that verify documents. */
export interface Pool {
  /** Threads that are ready for documents. */
  up(): number
  start(): void
  /** Gives the item of this number to a thread; there must be one. */
  give(number: number): void
  close(): Promise<void>
}

/** Documents in a message: enough to share its cost, few enough that the first are soon verified. */
const inMessage = 32

export const createPool = (threads: number, waiting: InOrder<Waiting>): Pool => {
  const all: Worker[] = []
  /** The documents of each thread that is up, in the order in which it answers. */
  const inHand = new Map<Worker, number[]>()
  /** Those that no thread has yet. */
  let pending: number[] = []
  let asking = false

  /** Gives threads enough documents that they need not wait for the next message. */
  const ask = (): void => {
    asking = false
    let at = 0
    for (const [thread, mine] of inHand) {
      if (mine.length > inMessage) continue
      const given = pending.slice(at, at + inMessage)
      if (given.length === 0) break
      at += given.length
      mine.push(...given)
      thread.postMessage(
        given.map((id): Question => ({ id, submission: waiting.get(id)!.submission })),
      )
    }
    if (at === 0) return
    pending = pending.slice(at)
    // Until all are busy, or nothing is left.
    ask()
  }
  /** The service itself verifies what a lost thread had. */
  const lose = (thread: Worker): void => {
    const lost = inHand.get(thread)
    if (lost === undefined) return
    inHand.delete(thread)
    if (inHand.size === 0) {
      lost.push(...pending)
      pending = []
    }
    waiting.finish(lost)
  }
  const answered = (thread: Worker, findings: readonly Finding[]): void => {
    inHand.get(thread)?.splice(0, findings.length)
    ask()
    for (const { id, verdict } of findings) {
      const item = waiting.get(id)
      if (item !== undefined) item.verdict = verdict
    }
    waiting.finish(findings.map(({ id }) => id))
  }

  return {
    up: () => inHand.size,
    start() {
      while (all.length < threads) {
        const thread = new Worker(new URL('./verifier-thread.js', import.meta.url))
        thread.unref()
        all.push(thread)
        thread.once('message', () => {
          inHand.set(thread, [])
          thread.on('message', (findings: readonly Finding[]) => answered(thread, findings))
        })
        thread.on('error', () => lose(thread))
        thread.on('exit', () => lose(thread))
      }
    },
    give(number) {
      pending.push(number)
      if (!asking) setImmediate(ask)
      asking = true
    },
    async close() {
      await Promise.all(all.map((thread) => thread.terminate()))
    },
  }
}
