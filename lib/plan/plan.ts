import { companionsOf } from './companions.ts'
import type { Companion } from './companions.ts'
import { cyclesOf, waitsOf } from './cycles.ts'
import type { Repeat } from './cycles.ts'
import type { Design, Mode } from './design.ts'
import { shareOf } from './design.ts'
import { scheduleBatch, scheduleOnline } from './sessions.ts'
import type { Schedule } from './sessions.ts'
import { NeverFree } from './timetable.ts'
import type { Bound } from './timetable.ts'

/** The fastest legal way to send invoices. Times are milliseconds. */
export interface SendingPlan {
  readonly design: Design
  readonly pairs: number
  /** Undefined where no schedule exists; `problems` says why. */
  readonly schedule: Schedule | undefined
  readonly cycles: readonly Repeat[]
  /** What calls wait for, the longest wait first. */
  readonly waits: readonly { readonly bound: Bound; readonly ms: number; readonly from: number }[]
  readonly companions: readonly Companion[]
  /** Why it cannot be done, or not in time. */
  readonly problems: readonly string[]
  /** What a user must know before relying on it. */
  readonly remarks: readonly string[]
  readonly alternatives: readonly Alternative[]
}

interface Alternative {
  readonly change: string
  readonly design: Design
  readonly ms: number
}

const scheduleOf = (design: Design): Schedule =>
  design.mode === 'batch' ? scheduleBatch(design) : scheduleOnline(design)

const attempt = (design: Design): Schedule | NeverFree => {
  try {
    return scheduleOf(design)
  } catch (error) {
    if (error instanceof NeverFree) return error
    throw error
  }
}

/** Milliseconds from the first call to the last one; infinite where no schedule exists. */
export const durationOf = (design: Design): number => {
  const schedule = attempt(design)
  return schedule instanceof NeverFree ? Infinity : schedule.ends
}

/**
 * Plans the sending. `auto` takes the mode that ends first, interactive where both end together.
 * @param deadlineMs the plan has a problem when it ends later
 */
export function planSending(
  wanted: Omit<Design, 'mode'> & { readonly mode: Mode | 'auto' },
  deadlineMs?: number,
): SendingPlan {
  const mode = wanted.mode === 'auto' ? fastestMode(wanted) : wanted.mode
  const design: Design = { ...wanted, mode }
  const found = attempt(design)
  const schedule = found instanceof NeverFree ? undefined : found
  const ends = schedule?.ends ?? Infinity
  const late = deadlineMs !== undefined && ends > deadlineMs
  return {
    design,
    pairs: shareOf(design).pairs,
    schedule,
    cycles: schedule === undefined ? [] : cyclesOf(schedule.bursts),
    waits: schedule === undefined ? [] : waitsOf(schedule.bursts),
    companions: schedule === undefined ? [] : companionsOf(design, schedule),
    problems: [
      ...(found instanceof NeverFree ? [`${found.message}: no invoice can be sent this way`] : []),
      ...(late && schedule !== undefined ? ['it ends after the deadline'] : []),
      ...tooLarge(design),
    ],
    remarks: remarksOn(design, schedule),
    alternatives: alternativesTo(design, ends, late ? deadlineMs : undefined),
  }
}

function fastestMode(wanted: Omit<Design, 'mode'>): Mode {
  const online = durationOf({ ...wanted, mode: 'online' })
  const batch = durationOf({ ...wanted, mode: 'batch' })
  return batch < online ? 'batch' : 'online'
}

function tooLarge({ invoiceBytes, limits }: Design): readonly string[] {
  const maxBytes = limits.value('invoice.bytes')
  return invoiceBytes <= maxBytes
    ? []
    : [`an invoice of ${invoiceBytes} bytes exceeds the limit of ${maxBytes} bytes`]
}

function remarksOn(design: Design, schedule: Schedule | undefined): readonly string[] {
  const remarks: string[] = []
  if (design.contexts > 1)
    remarks.push(
      'An invoice is sent in the context of its seller: more contexts help only with invoices of other sellers.',
    )
  if (design.addresses > 1)
    remarks.push(
      'Each address counts separately, but the operator may block a context that calls from many addresses.',
    )
  if (design.mode === 'batch' && design.uploadRate === undefined)
    remarks.push('Uploads are not rate-limited; their time is not counted (give --upload-mbit).')
  if (design.mode === 'batch')
    remarks.push(
      'The service processes a package after its session closes; that time is not counted.',
    )
  if (design.mode === 'online' && schedule !== undefined && schedule.ends > 0)
    remarks.push(
      'The target counts a call when it arrives: send each burst 100 ms later than the schedule says.',
    )
  return remarks
}

function alternativesTo(
  design: Design,
  ends: number,
  deadlineMs: number | undefined,
): readonly Alternative[] {
  const other: Mode = design.mode === 'online' ? 'batch' : 'online'
  const changes: { readonly change: string; readonly design: Design }[] = [
    {
      change: other === 'batch' ? 'send in batch sessions' : 'send in interactive sessions',
      design: { ...design, mode: other },
    },
    {
      change: 'twice as many contexts',
      design: { ...design, contexts: design.contexts * 2 },
    },
    ...(deadlineMs === undefined ? [] : enoughContexts(design, deadlineMs)),
  ]
  return changes
    .map((change) => ({ ...change, ms: durationOf(change.design) }))
    .filter(({ ms }) => ms < ends)
    .toSorted((a, b) => a.ms - b.ms)
}

/** The smallest number of contexts that meets a deadline, if any number does. */
function enoughContexts(
  design: Design,
  deadlineMs: number,
): readonly { readonly change: string; readonly design: Design }[] {
  const meets = (contexts: number) => durationOf({ ...design, contexts }) <= deadlineMs
  let high = Math.max(1, Math.ceil(design.invoices / design.addresses))
  if (!meets(high)) return []
  let low = design.contexts
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (meets(middle)) high = middle
    else low = middle
  }
  return [{ change: `${high} contexts meet the deadline`, design: { ...design, contexts: high } }]
}
