import type { Measured } from '../../load/plan.ts'

/** Milliseconds that submissions may leave late before the generator itself is in doubt. */
const lagBound = 1000

export interface LoadVerdict {
  readonly verdict: 'pass' | 'fail' | 'inconclusive'
  readonly reasons: readonly string[]
  /** Accepted by the service and not in the closed session. */
  readonly lost: number
  /** In the session more often than accepted. */
  readonly doubled: number
}

/**
 * What a load run says of the service. Counting comes first: nothing that was accepted may be lost or doubled,
 * and the receipt names as many documents as succeeded. A generator that lagged proves nothing about speed.
 */
export const judgeLoad = (measured: Measured, planned: number): LoadVerdict => {
  const { session, receipt } = measured
  const certain = measured.unanswered === 0
  const lost = Math.max(0, measured.accepted - session.invoices)
  // An answer that never came may have been an acceptance.
  const doubled = Math.max(0, session.invoices - measured.accepted - measured.unanswered)
  const failures = [
    lost > 0 && `${lost} accepted invoices are not in the session`,
    doubled > 0 && `${doubled} invoices are in the session more often than accepted`,
    session.failed > 0 && `${session.failed} valid invoices were rejected`,
    session.status !== 200 && `the session ended with ${session.status}, expected 200`,
    session.status === 200 &&
      receipt.documents !== session.succeeded &&
      `the receipt names ${receipt.documents} documents, ${session.succeeded} succeeded`,
    ...measured.crossed.map((bound) => `threshold crossed: ${bound}`),
  ].filter((reason) => typeof reason === 'string')
  const doubts = [
    measured.requests < planned &&
      `${planned - measured.requests} of ${planned} submissions were not made`,
    measured.dropped > 0 && `${measured.dropped} arrivals were dropped: too few virtual users`,
    measured.lagMs.p99 > lagBound &&
      `the generator lagged (p99 ${Math.round(measured.lagMs.p99)} ms): measure on a machine with more room`,
    !certain && `${measured.unanswered} submissions had no answer`,
  ].filter((reason) => typeof reason === 'string')
  const verdict = failures.length > 0 ? 'fail' : doubts.length > 0 ? 'inconclusive' : 'pass'
  return { verdict, reasons: [...failures, ...doubts], lost, doubled }
}
