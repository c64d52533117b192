import type { Latency, Measured } from './plan.ts'

interface Metric {
  readonly values?: Readonly<Record<string, number>>
  readonly thresholds?: Readonly<Record<string, { readonly ok: boolean }>>
}

const trend = (metric: Metric | undefined): Latency => {
  const values = metric?.values ?? {}
  return {
    p50: values['med'] ?? 0,
    p95: values['p(95)'] ?? 0,
    p99: values['p(99)'] ?? 0,
    max: values['max'] ?? 0,
  }
}

/** k6's metrics as the numbers of a load run. */
export const measuredOf = (metrics: Readonly<Record<string, unknown>>): Measured => {
  const metric = (name: string) => metrics[name] as Metric | undefined
  const count = (name: string) => metric(name)?.values?.['count'] ?? 0
  const value = (name: string) => metric(name)?.values?.['value'] ?? 0
  const refused: Record<string, number> = {}
  for (const [name, found] of Object.entries(metrics)) {
    const code = /^refused\{code:(.+)\}$/.exec(name)?.[1]
    const times = (found as Metric).values?.['count'] ?? 0
    if (code !== undefined && times > 0) refused[code] = times
  }
  const named = Object.values(refused).reduce((sum, times) => sum + times, 0)
  const other = count('refused') - named
  if (other > 0) refused['other'] = other
  const crossed = Object.entries(metrics).flatMap(([name, found]) =>
    Object.entries((found as Metric).thresholds ?? {})
      .filter(([, { ok }]) => !ok)
      .map(([bound]) => `${name}: ${bound}`),
  )
  return {
    requests: count('submissions'),
    accepted: count('accepted'),
    refused,
    unanswered: count('unanswered'),
    dropped: count('dropped_iterations'),
    latencyMs: trend(metric('latency')),
    fromIntendedStart: trend(metric('from_intended_start')),
    lagMs: trend(metric('lag')),
    seconds: value('run_seconds'),
    session: {
      status: value('session_status'),
      invoices: value('session_invoices'),
      succeeded: value('session_succeeded'),
      failed: value('session_failed'),
    },
    receipt: { pages: value('receipt_pages'), documents: value('receipt_documents') },
    crossed,
  }
}
