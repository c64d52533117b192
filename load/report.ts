import { Counter, Trend } from 'k6/metrics'
import { formatLine } from './trace/line.ts'
import type { CallLine, TraceLine } from './trace/line.ts'

/** What k6 reports: the trace for Node, and metrics for k6's own outputs. */

declare const __ENV: Record<string, string>

/** Metrics are taken unless the caller knows that nothing reads them. */
const metricsRead = __ENV['ASSAY_METRICS'] !== 'none'

const accepted = new Counter('accepted')
const refused = new Counter('refused')
const unanswered = new Counter('unanswered')
const dropped = new Counter('dropped_arrivals')
const latency = new Trend('latency', true)
const fromIntendedStart = new Trend('from_intended_start', true)
const lag = new Trend('lag', true)

let print: (line: string) => void = (line) => console.log(line)

/** Prints by other means than the log of k6. */
export const reportBy = (printLine: (line: string) => void): void => {
  print = printLine
}

const measure = ({ status, due, begun, ended }: CallLine): void => {
  lag.add(Math.max(0, begun - due))
  if (status === 0) unanswered.add(1)
  else {
    latency.add(ended - begun)
    fromIntendedStart.add(Math.max(0, ended - due))
    if (status < 300) accepted.add(1)
    else refused.add(1, { status: String(status) })
  }
}

export const report = (line: TraceLine): void => {
  if (metricsRead) {
    if (line.t === 'call') measure(line)
    if (line.t === 'drop') dropped.add(1)
  }
  print(formatLine(line))
}
