import type { Design } from './design.ts'
import { shareOf } from './design.ts'
import { createLanes } from './lanes.ts'
import { boundOf, createBursts, place } from './timetable.ts'
import type { Burst } from './timetable.ts'

/** One session of the schedule; times are milliseconds from the start of the plan. */
export interface PlannedSession {
  readonly opened: number
  readonly closed: number
  readonly invoices: number
}

/** What one (context, address) does: the largest share, which ends last. */
export interface Schedule {
  /** The calls that determine the pace: submissions, or the openings and closings of batch sessions. */
  readonly bursts: readonly Burst[]
  readonly sessions: readonly PlannedSession[]
  /** When the last call is made. */
  readonly ends: number
}

/** Time before the end of an interactive session's life in which it is closed and no longer used. */
const closingMargin = 60_000

/**
 * Interactive sessions: each invoice is a call. A session opens when the next invoice needs one, and closes after its
 * last one: when it is full, or about to expire.
 * @throws {NeverFree} when a threshold is 0
 */
export function scheduleOnline(design: Design): Schedule {
  const { limits } = design
  const lane = createLanes(limits)
  const submit = lane('invoiceSubmit')
  const open = lane('onlineOpen')
  const close = lane('onlineClose')
  const maxInvoices = limits.value('session.invoices')
  const life = limits.value('session.onlineLifetime') * 1000 - closingMargin
  const { bursts, add } = createBursts()
  const sessions: PlannedSession[] = []
  let current: { opened: number; invoices: number } | undefined
  let t = 0
  const end = () => {
    if (current === undefined) return
    const { at } = place(close, t)
    sessions.push({ ...current, closed: at })
    current = undefined
  }
  for (let invoice = 0; invoice < shareOf(design).largest; invoice += 1) {
    const waiting = submit.windows.exceeded(t)
    let bound = boundOf(submit.rule, waiting)
    const due = waiting?.until ?? t
    if (current !== undefined && (current.invoices === maxInvoices || due >= current.opened + life))
      end()
    if (current === undefined && due !== Infinity) {
      const opening = place(open, due)
      if (opening.at > due) bound = opening.bound
      current = { opened: opening.at, invoices: 0 }
      t = opening.at
    }
    const submission = place(submit, t)
    t = submission.at
    if (current !== undefined) current.invoices += 1
    add(t, submission.bound ?? bound)
  }
  end()
  return { bursts, sessions, ends: Math.max(t, sessions.at(-1)?.closed ?? 0) }
}

/**
 * Batch sessions: a package of invoices each, uploaded one after the other, so that they share no bandwidth.
 * @throws {NeverFree} when a threshold is 0
 */
export function scheduleBatch(design: Design): Schedule {
  const { limits, uploadRate, invoiceBytes } = design
  const batch = createLanes(limits)('batch')
  const { pairs, largest } = shareOf(design)
  const perPackage = invoicesOfPackage(design)
  const { bursts, add } = createBursts()
  const sessions: PlannedSession[] = []
  let t = 0
  for (let left = largest; left > 0; left -= perPackage) {
    const invoices = Math.min(left, perPackage)
    const opening = place(batch, t)
    add(opening.at, opening.bound)
    const seconds = uploadRate === undefined ? 0 : (invoices * invoiceBytes) / (uploadRate / pairs)
    const closing = place(batch, opening.at + Math.ceil(seconds * 1000))
    add(closing.at, closing.bound)
    sessions.push({ opened: opening.at, closed: closing.at, invoices })
    t = closing.at
  }
  return { bursts, sessions, ends: t }
}

/** Invoices that fit one batch session, by number and by size. Compression is not counted on. */
const invoicesOfPackage = ({ limits, invoiceBytes }: Design): number => {
  const bytes = Math.min(
    limits.value('batch.packageBytes'),
    limits.value('batch.parts') * limits.value('batch.partBytes'),
  )
  return Math.max(1, Math.min(limits.value('session.invoices'), Math.floor(bytes / invoiceBytes)))
}
