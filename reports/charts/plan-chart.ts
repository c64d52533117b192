import type { SendingPlan } from '../../lib/plan/plan.ts'
import { axis, drawSvg, palette } from './svg.ts'
import type { ChartOption } from './svg.ts'

/** The chart of a plan: invoices over time, and how full each window of the sending is. */

const units = [
  ['s', 1000],
  ['min', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
] as const

const unitOf = (ms: number): (typeof units)[number] =>
  units.findLast(([, length]) => ms >= 3 * length) ?? units[0]

type Point = readonly [number, number]

/** At most `count` points, the first and the last among them. */
const thinned = (points: readonly Point[], count: number): readonly Point[] => {
  const step = Math.ceil(points.length / count)
  return points.filter((_, at) => at % step === 0 || at === points.length - 1)
}

/** Invoices sent up to each time, by the plan and at the average pace. */
const progressOption = (plan: SendingPlan): ChartOption => {
  const { schedule, design } = plan
  const ends = schedule?.ends ?? 0
  const [unit, length] = unitOf(ends)
  let sent = 0
  const calls = (schedule?.bursts ?? []).reduce((sum, burst) => sum + burst.calls, 0)
  const points = (schedule?.bursts ?? []).map(({ at, calls: more }): Point => {
    sent += more
    return [at / length, Math.round((sent * design.invoices) / Math.max(1, calls))]
  })
  return {
    grid: { left: 80, right: 24, top: 40, bottom: 56 },
    legend: { top: 4, itemGap: 32 },
    xAxis: axis(`time, ${unit}`),
    yAxis: axis('invoices', { nameGap: 60 }),
    series: [
      {
        name: 'invoices sent',
        type: 'line',
        step: 'end',
        showSymbol: false,
        lineStyle: { width: 2, color: palette.blue },
        itemStyle: { color: palette.blue },
        areaStyle: { color: palette.sky, opacity: 0.25 },
        data: thinned([[0, 0], ...points], 1500),
      },
      {
        name: 'average pace',
        type: 'line',
        showSymbol: false,
        lineStyle: { width: 1, type: 'dashed', color: palette.grey },
        itemStyle: { color: palette.grey },
        data: [
          [0, 0],
          [ends / length, design.invoices],
        ],
      },
    ],
  }
}

const spans = { second: 1000, minute: 60_000, hour: 3_600_000 } as const
const colours = { second: palette.green, minute: palette.orange, hour: palette.red } as const

/** How full each window is in the first part of the plan, whose rhythm repeats. */
const fullnessOption = (plan: SendingPlan): ChartOption => {
  const rule = plan.design.mode === 'online' ? 'invoiceSubmit' : 'batch'
  const thresholds = plan.design.limits.rate(rule)
  const stretch = Math.max(1000, Math.min(plan.schedule?.ends ?? 0, 2.2 * spans.hour))
  const times = (plan.schedule?.bursts ?? [])
    .filter(({ at }) => at <= stretch)
    .flatMap(({ at, calls }) => Array.from({ length: calls }, () => at))
  const [unit, length] = unitOf(stretch)
  const series = (['second', 'minute', 'hour'] as const).flatMap((window) => {
    const threshold = {
      second: thresholds?.perSecond,
      minute: thresholds?.perMinute,
      hour: thresholds?.perHour,
    }[window]
    if (threshold === undefined || threshold === 0) return []
    const moments = [...new Set(times.flatMap((at) => [at, at + spans[window]]))]
      .filter((at) => at <= stretch)
      .toSorted((a, b) => a - b)
    let from = 0
    let to = 0
    const points = moments.map((moment): Point => {
      while (to < times.length && (times[to] ?? 0) <= moment) to += 1
      while (from < to && (times[from] ?? 0) <= moment - spans[window]) from += 1
      return [moment / length, (100 * (to - from)) / threshold]
    })
    return [
      {
        name: `${window}: ${threshold}`,
        type: 'line',
        step: 'end',
        showSymbol: false,
        lineStyle: { width: window === 'second' ? 1 : 2, color: colours[window] },
        itemStyle: { color: colours[window] },
        data: points,
      },
    ]
  })
  return {
    grid: { left: 80, right: 24, top: 40, bottom: 56 },
    legend: { top: 4, itemGap: 32 },
    xAxis: axis(`time, ${unit}`, { max: Math.ceil(stretch / length) }),
    yAxis: axis('window used, %', { max: 110, nameGap: 48 }),
    series,
  }
}

export const planFigures = (
  plan: SendingPlan,
): readonly { readonly title: string; readonly caption: string; readonly svg: string }[] => [
  {
    title: 'Invoices over time',
    caption: 'All contexts and addresses together, at the earliest legal times.',
    svg: drawSvg(progressOption(plan), { width: 1100, height: 360 }),
  },
  {
    title: 'How full the windows are',
    caption:
      'One context and address, the first stretch of the plan; 100 % lets no further call through.',
    svg: drawSvg(fullnessOption(plan), { width: 1100, height: 360 }),
  },
]
