import { CustomChart, LineChart, ScatterChart } from 'echarts/charts'
import {
  DatasetComponent,
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
  TitleComponent,
} from 'echarts/components'
import { init, use } from 'echarts/core'
import type { EChartsCoreOption } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'

/** Charts as SVG, drawn without a browser. The one file that knows the chart library. */

use([
  CustomChart,
  LineChart,
  ScatterChart,
  DatasetComponent,
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
  TitleComponent,
  SVGRenderer,
])

export type ChartOption = EChartsCoreOption

export interface ChartSize {
  readonly width: number
  readonly height: number
}

/** Colours that also differ in lightness, so that they stay distinct in print and for colour-blind readers. */
export const palette = {
  blue: '#1f5fa8',
  orange: '#e07b00',
  green: '#2c7a51',
  red: '#c0283d',
  grey: '#7a828c',
  sky: '#7fb5e6',
} as const

const font = { fontFamily: 'system-ui, sans-serif', fontSize: 12, color: '#2b3138' }

/** Draws one chart. The same option gives the same SVG. */
export function drawSvg(option: ChartOption, { width, height }: ChartSize): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height })
  try {
    chart.setOption({ animation: false, textStyle: font, backgroundColor: '#ffffff', ...option })
    // A fixed width would not shrink on a narrow screen.
    return chart
      .renderToSVGString({ useViewBox: true })
      .replace('<svg ', `<svg role="img" style="max-width:100%;height:auto" `)
  } finally {
    chart.dispose()
  }
}

/** A value axis with its name. */
export const axis = (name: string, extra: object = {}): object => ({
  type: 'value',
  name,
  nameLocation: 'middle',
  nameGap: 32,
  splitLine: { lineStyle: { color: '#e6e9ed' } },
  ...extra,
})
