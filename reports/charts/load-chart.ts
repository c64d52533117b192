import type { Window } from '../../contract/types.ts'
import type { CallLine, TraceLine } from '../../load/trace/line.ts'
import { callsOf, quantile } from '../../load/trace/latency.ts'
import type { Figure } from './page.ts'
import { axis, drawSvg, palette } from './svg.ts'
import type { ChartOption } from './svg.ts'
import { chartWords } from './words.ts'
import type { ChartWords } from './words.ts'

/** Charts of a load run, from its trace. */

type Point = readonly [number, number]

/** Maximum number of bars or points in a chart. */
const maximumBuckets = 240

interface Buckets {
  /** Length of a bucket, seconds. */
  readonly seconds: number
  /** The calls that were due in each bucket. */
  readonly calls: readonly (readonly CallLine[])[]
  readonly dropped: readonly number[]
  readonly start: number
}

const bucketsOf = (trace: readonly TraceLine[]): Buckets => {
  const calls = callsOf(trace)
  const drops = trace.filter((line) => line.t === 'drop')
  const due = [...calls, ...drops].map((line) => line.due)
  const start = Math.min(...due)
  const span = (Math.max(...due) - start) / 1000
  const seconds = Math.max(1, Math.ceil(span / maximumBuckets))
  const count = Math.floor(span / seconds) + 1
  const place = (line: { readonly due: number }) => Math.floor((line.due - start) / 1000 / seconds)
  const perBucket: CallLine[][] = Array.from({ length: count }, () => [])
  for (const call of calls) perBucket[place(call)]?.push(call)
  const dropped = Array.from({ length: count }, () => 0)
  for (const drop of drops) dropped[place(drop)] = (dropped[place(drop)] ?? 0) + 1
  return { seconds, calls: perBucket, dropped, start }
}

const line = (name: string, color: string, data: readonly Point[], extra: object = {}): object => ({
  name,
  type: 'line',
  showSymbol: data.length < 3,
  lineStyle: { width: 2, color },
  itemStyle: { color },
  data,
  ...extra,
})

const option = (
  words: ChartWords,
  yName: string,
  series: readonly object[],
  y: object = {},
): ChartOption => ({
  grid: { left: 80, right: 24, top: 40, bottom: 56 },
  legend: { top: 4, itemGap: 32 },
  xAxis: axis(words.seconds),
  yAxis: axis(yName, { nameGap: 56, ...y }),
  series,
})

const outcomeOption = (words: ChartWords, { seconds, calls, dropped }: Buckets): ChartOption => {
  const { series } = words
  const rate = (holds: (call: CallLine) => boolean): readonly Point[] =>
    calls.map((some, at): Point => [at * seconds, some.filter(holds).length / seconds])
  const step = { step: 'middle' }
  const rows = [
    [series.calls, palette.grey, rate(() => true)],
    [series.accepted, palette.green, rate(({ status }) => status >= 200 && status < 300)],
    ['429', palette.red, rate(({ status }) => status === 429)],
    [series.otherRefusals, palette.orange, rate(({ status }) => status >= 300 && status !== 429)],
    [series.unanswered, palette.blue, rate(({ status }) => status === 0)],
    [
      series.dropped,
      palette.sky,
      dropped.map((count, at): Point => [at * seconds, count / seconds]),
    ],
  ] as const
  const seen = rows.filter(
    ([name, , data]) =>
      name === series.calls || name === '429' || data.some(([, value]) => value > 0),
  )
  return option(
    words,
    words.aSecond,
    seen.map(([name, color, data]) => line(name, color, data, step)),
  )
}

const latencyOption = (words: ChartWords, { seconds, calls }: Buckets): ChartOption => {
  const percentile = (q: number): readonly Point[] =>
    calls.flatMap((some, at): Point[] => {
      const values = some
        .filter(({ status }) => status !== 0)
        .map(({ due, ended }) => Math.max(0, ended - due))
        .toSorted((a, b) => a - b)
      return values.length === 0 ? [] : [[at * seconds, Math.max(1, quantile(values, q))]]
    })
  return option(
    words,
    words.milliseconds,
    [
      line('p50', palette.green, percentile(0.5)),
      line('p95', palette.orange, percentile(0.95)),
      line('p99', palette.red, percentile(0.99)),
    ],
    { type: 'log', min: 1 },
  )
}

const inFlightOption = (words: ChartWords, { calls, start }: Buckets): ChartOption => {
  const changes = calls
    .flat()
    .flatMap(({ begun, ended }): [number, number][] => [
      [begun, 1],
      [ended, -1],
    ])
    .toSorted(([a, x], [b, y]) => a - b || x - y)
  const peaks = new Map<number, number>()
  const spread = ((changes.at(-1)?.[0] ?? start) - start) / (maximumBuckets * 4) || 1
  let inFlight = 0
  for (const [at, change] of changes) {
    inFlight += change
    const bucket = Math.floor((at - start) / spread)
    peaks.set(bucket, Math.max(peaks.get(bucket) ?? 0, inFlight))
  }
  const data = [...peaks].map(([bucket, peak]): Point => [(bucket * spread) / 1000, peak])
  return option(words, words.invoices, [
    line(words.series.inFlight, palette.blue, data, { step: 'end' }),
  ])
}

const spans = { perSecond: 1000, perMinute: 60_000, perHour: 3_600_000 } as const
const colours = {
  perSecond: palette.green,
  perMinute: palette.orange,
  perHour: palette.red,
} as const

/** How full each window of the first context is after each call that it let through. */
const paceOption = (
  words: ChartWords,
  { calls, start }: Buckets,
  window: Window,
  contexts: number,
): ChartOption => {
  const passed = calls
    .flat()
    .filter(({ status, session = 0 }) => status !== 429 && session % contexts === 0)
    .map(({ begun }) => begun)
    .toSorted((a, b) => a - b)
  const every = Math.max(1, Math.floor(passed.length / 1500))
  const series = (Object.keys(spans) as (keyof typeof spans)[]).map((key) => {
    let from = 0
    const points = passed.flatMap((at, place): Point[] => {
      while ((passed[from] ?? 0) <= at - spans[key]) from += 1
      if (place % every !== 0 && place !== passed.length - 1) return []
      return [[(at - start) / 1000, (100 * (place - from + 1)) / window[key]]]
    })
    return line(`${words.windows[key]}: ${window[key]}`, colours[key], points, { step: 'end' })
  })
  return option(words, words.windowUsed, series, { min: 0 })
}

const size = { width: 1100, height: 340 }

/**
 * The figures of a run.
 * @param window thresholds of each context, where calls are limited
 * @param contexts number of contexts that the sessions are assigned to in turn
 */
export const loadFigures = (
  trace: readonly TraceLine[],
  window: Window | undefined,
  contexts = 1,
  words: ChartWords = chartWords.en,
): readonly Figure[] => {
  if (callsOf(trace).length === 0) return []
  const buckets = bucketsOf(trace)
  const { seconds } = buckets
  return [
    {
      title: words.outcomes,
      caption: words.outcomesCaption(seconds),
      svg: drawSvg(outcomeOption(words, buckets), size),
    },
    {
      title: words.latency,
      caption: words.latencyCaption(seconds),
      svg: drawSvg(latencyOption(words, buckets), size),
    },
    ...(window === undefined
      ? []
      : [
          {
            title: words.pace,
            caption: words.paceCaption(contexts),
            svg: drawSvg(paceOption(words, buckets, window, contexts), size),
          },
        ]),
    {
      title: words.underWay,
      caption: words.underWayCaption,
      svg: drawSvg(inFlightOption(words, buckets), size),
    },
  ]
}
