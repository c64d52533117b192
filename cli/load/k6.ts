import path from 'node:path'
import { withoutMetrics } from '../../load/assignment.ts'
import { entryOf, k6Environment } from '../../load/engine.ts'
import type { K6 } from '../../load/engine.ts'
import { optionsOf } from '../../load/segment.ts'
import type { Segment } from '../../load/segment.ts'
import { parseLine } from '../../load/trace/line.ts'
import type { TraceLine } from '../../load/trace/line.ts'
import { runChild } from '../child.ts'
import type { Io } from '../io.ts'
import { couldNotRun } from '../io.ts'
import { built } from '../root.ts'

/** k6's own exit codes of runs that went well: a threshold was crossed, or the user ended it. */
const endings = { 99: 'threshold', 105: 'interrupted' } as const

export interface K6Run {
  readonly trace: readonly TraceLine[]
  /** Why the run ended before its time; undefined when it did not. */
  readonly endedBy: 'threshold' | 'interrupted' | 'k6 failed' | undefined
  /** What k6 said last, where it failed: one line. */
  readonly complaint?: string
}

export interface K6Options {
  readonly assignment: string
  /** Variables by which k6 finds its way to the service. */
  readonly network: Readonly<Record<string, string>>
  /** Further arguments of `k6 run`, for example outputs. */
  readonly arguments?: readonly string[]
  /** Whether k6 may end the run by the thresholds of the assignment; else it need not keep every measurement. */
  readonly thresholds?: boolean
  /** Directory for k6's own dashboard, where it is wanted. */
  readonly dashboard?: string
  /** The part of the load of this process; all of it when absent. */
  readonly segment?: Segment
  readonly onLine: (line: TraceLine) => void
}

/** The message of an error in k6's log, without its stack. */
const complaintIn = (said: readonly string[]): string =>
  said
    .map((line) => line.trim())
    .find((line) => line !== '' && !/^(?:at|running at) |^\w+\[\d/.test(line)) ?? 'it said nothing'

const segmentArguments = (segment: Segment | undefined): readonly string[] => {
  if (segment === undefined) return []
  const { executionSegment, executionSegmentSequence } = optionsOf(segment)
  return [
    `--execution-segment=${executionSegment}`,
    `--execution-segment-sequence=${executionSegmentSequence}`,
    // As k6-operator tags its runners: outputs can distinguish them.
    `--tag=instance_id=${segment.index + 1}`,
  ]
}

/** k6's own dashboard as a file, without its web server. */
const dashboardTo = ({ dashboard, segment }: K6Options): Readonly<Record<string, string>> => {
  if (dashboard === undefined) return {}
  const part = segment === undefined ? '' : `-${segment.index + 1}`
  return {
    K6_WEB_DASHBOARD: 'true',
    K6_WEB_DASHBOARD_PORT: '-1',
    K6_WEB_DASHBOARD_PERIOD: '1s',
    K6_WEB_DASHBOARD_EXPORT: path.join(dashboard, `k6-dashboard${part}.html`),
  }
}

/** Whether an output, the dashboard or a threshold reads the metrics of k6. */
const readsMetrics = (
  { arguments: given = [], dashboard, thresholds }: K6Options,
  env: Io['env'],
) =>
  thresholds === true ||
  dashboard !== undefined ||
  given.includes('--out') ||
  [env['K6_OUT'], env['K6_WEB_DASHBOARD']].some(Boolean)

/** Time to close sessions and follow them to their ends, after an interruption. */
const graceMs = 120_000

/** Calls `onLine` for every whole line of a text that comes in pieces. */
const byLine = (onLine: (line: string) => void): ((text: string) => void) => {
  let begun = ''
  return (text) => {
    const lines = (begun + text).split('\n')
    begun = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  }
}

/** Runs k6 on an assignment and reads what it reports. */
export const runK6 = async (k6: K6, options: K6Options, io: Io): Promise<K6Run> => {
  const trace: TraceLine[] = []
  if (io.signal.aborted) return { trace, endedBy: 'interrupted' }
  const said: string[] = []
  const read = (text: string): void => {
    const line = parseLine(text)
    if (line !== undefined) {
      trace.push(line)
      options.onLine(line)
      return
    }
    said.push(text)
    if (io.env['ASSAY_VERBOSE']) io.err(`${text}\n`)
  }
  const readers = { out: byLine(read), err: byLine(read) }
  const { code } = await runChild(
    {
      command: k6.path,
      args: [
        'run',
        '--quiet',
        '--no-color',
        '--summary-mode=disabled',
        '--log-format=raw',
        ...(options.thresholds === true ? [] : ['--no-thresholds']),
        // Two processes cannot listen on one port.
        '--address=',
        ...segmentArguments(options.segment),
        ...(options.arguments ?? []),
        path.join(built, 'load', entryOf(k6)),
      ],
      env: {
        ...k6Environment(),
        ...io.env,
        ...options.network,
        ...dashboardTo(options),
        ...(readsMetrics(options, io.env) ? {} : withoutMetrics),
        ASSAY_ASSIGNMENT: options.assignment,
      },
      onText: (text, stream) => readers[stream](text),
      keeps: false,
      graceMs,
    },
    io.signal,
  )
  const endedBy =
    code !== null && code in endings ? endings[code as keyof typeof endings] : undefined
  if (code === 0 || endedBy !== undefined) return { trace, endedBy }
  const complaint = `k6 ended with ${code ?? 'a signal'}: ${complaintIn(said)}`
  // What it measured before counts.
  if (trace.some(({ t }) => t === 'call')) return { trace, endedBy: 'k6 failed', complaint }
  throw couldNotRun(`${complaint}. ASSAY_VERBOSE=1 shows its log`)
}
