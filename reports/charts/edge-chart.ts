import type { BurstLine, ProbeLine, TraceLine } from '../../load/trace/line.ts'
import type { Figure } from './page.ts'
import { axis, drawSvg, palette } from './svg.ts'
import type { ChartOption } from './svg.ts'

/** Charts of probes of the limits: how many calls each threshold lets through, and when calls were refused. */

type Finding = ProbeLine['measured']

const windows = { second: palette.green, minute: palette.orange, hour: palette.blue } as const
type WindowName = keyof typeof windows

/** Pixels between the marks of one row. */
const gap = 7

interface Edge {
  readonly row: string
  readonly percent: number
  readonly isRight: boolean
}

const edgesOf = (findings: readonly Finding[], window: WindowName): readonly Edge[] =>
  findings.flatMap(({ probe, row, window: own, passed, maximum, verdict }) =>
    probe === 'edge' && own === window && passed !== undefined && maximum !== undefined
      ? [{ row, percent: (100 * passed) / maximum, isRight: verdict === 'pass' }]
      : [],
  )

const rowsAxis = (rows: readonly string[]): object => ({
  type: 'category',
  data: rows,
  inverse: true,
  splitLine: { show: true, lineStyle: { color: '#e6e9ed' } },
})

const thresholdsOption = (findings: readonly Finding[], rows: readonly string[]): ChartOption => ({
  grid: { left: 150, right: 40, top: 40, bottom: 56 },
  legend: { top: 4, itemGap: 32 },
  xAxis: axis('calls that pass, % of the threshold', {
    min: 0,
    max: ({ max }: { max: number }) => Math.max(120, max),
  }),
  yAxis: rowsAxis(rows),
  series: (Object.keys(windows) as WindowName[]).map((window, at) => ({
    name: window,
    type: 'scatter',
    symbolSize: 8,
    symbolOffset: [0, (at - 1) * gap],
    itemStyle: { color: windows[window] },
    data: edgesOf(findings, window).map(({ row, percent, isRight }) => ({
      value: [percent, row],
      ...(isRight ? {} : { symbol: 'diamond', symbolSize: 14, itemStyle: { color: palette.red } }),
    })),
    ...(at === 0
      ? {
          markLine: {
            silent: true,
            symbol: 'none',
            lineStyle: { color: palette.grey },
            label: { show: false },
            data: [{ xAxis: 100 }],
          },
        }
      : {}),
  })),
})

/** Maximum number of points in a row of the timeline. */
const maximumPoints = 300

const outcomes = [
  ['pass', 'passed', palette.green, -gap],
  ['429', 'limited', palette.red, 0],
  ['without an answer', 'unanswered', palette.orange, gap],
] as const

const timelineOption = (bursts: readonly BurstLine[], rows: readonly string[]): ChartOption => {
  const start = bursts.reduce((earliest, { begun }) => Math.min(earliest, begun), Infinity)
  const end = bursts.reduce((latest, { ended }) => Math.max(latest, ended), start)
  const [unit, length] =
    end - start > 3 * 3_600_000 ? (['h', 3_600_000] as const) : (['s', 1000] as const)
  const spread = Math.max(1, (end - start) / maximumPoints)
  const series = outcomes.flatMap(([name, count, color, offset]) => {
    const sums = new Map<string, { readonly at: number; readonly row: string; calls: number }>()
    for (const burst of bursts) {
      if (burst[count] === 0) continue
      const bucket = Math.floor((burst.begun - start) / spread)
      const key = `${bucket} ${burst.row}`
      const sum = sums.get(key) ?? { at: (bucket * spread) / length, row: burst.row, calls: 0 }
      sum.calls += burst[count]
      sums.set(key, sum)
    }
    if (sums.size === 0) return []
    return [
      {
        name,
        type: 'scatter',
        symbolOffset: [0, offset],
        itemStyle: { color },
        data: [...sums.values()].map(({ at, row, calls }) => ({
          value: [at, row],
          symbolSize: Math.min(14, 3 + Math.log2(calls)),
        })),
      },
    ]
  })
  return {
    grid: { left: 190, right: 40, top: 40, bottom: 56 },
    legend: { top: 4, itemGap: 32 },
    xAxis: axis(`time of the target, ${unit}`),
    yAxis: rowsAxis(rows),
    series,
  }
}

const heightOf = (rows: readonly string[]): number => 120 + 34 * rows.length

/** The figures of a run of probes. */
export const edgeFigures = (
  findings: readonly Finding[],
  trace: readonly TraceLine[],
): readonly Figure[] => {
  const bursts = trace.filter((line) => line.t === 'burst')
  const operations = [...new Set(bursts.map(({ row }) => row))]
  const rows = [
    ...new Set(
      findings.flatMap(({ probe, row, passed }) =>
        probe === 'edge' && passed !== undefined ? [row] : [],
      ),
    ),
  ]
  return [
    ...(rows.length === 0
      ? []
      : [
          {
            title: 'What each threshold lets through',
            caption:
              'One mark for each rule and window, 100 % as the contract says; a diamond departs from it.',
            svg: drawSvg(thresholdsOption(findings, rows), { width: 1100, height: heightOf(rows) }),
          },
        ]),
    ...(operations.length === 0
      ? []
      : [
          {
            title: 'Calls of the probes',
            caption:
              'Larger marks are more calls; each probe waits until earlier calls have left its windows.',
            svg: drawSvg(timelineOption(bursts, operations), {
              width: 1100,
              height: heightOf(operations),
            }),
          },
        ]),
  ]
}
