import { runEdge } from '../../../cli/limits/edge.ts'
import type { Benchmark } from './benchmark.ts'

/** Exactness of the probes: what the limiter of the reference lets through, call by call. */
export const probes: Benchmark = {
  id: 'probes',
  what: 'calls of the probes at the limiter of the reference, and miscounts',
  async run(_scale, say) {
    const io = {
      out: () => undefined,
      err: () => undefined,
      env: process.env,
      cwd: process.cwd(),
      interactive: false,
      signal: new AbortController().signal,
    }
    const wanted = { target: undefined, seed: 1 }
    const asked = { rules: ['queryMetadata'], realHour: false, namespace: 'bench' }
    const began = performance.now()
    const { result, trace } = await runEdge(wanted, asked, io)
    const seconds = (performance.now() - began) / 1000
    const counted = result.findings.filter(
      ({ passed, maximum }) => passed !== undefined && maximum !== undefined,
    )
    const miscounts = counted.reduce(
      (sum, { passed = 0, maximum = 0 }) => sum + Math.abs(passed - maximum),
      0,
    )
    say(`${counted.length} counts of ${result.requests} calls, verdict ${result.verdict}`)
    const calls = trace.reduce(
      (sum, line) => (line.t === 'burst' ? sum + line.passed + line.limited : sum),
      0,
    )
    return [
      { what: 'calls, preparation included', value: calls / seconds, unit: '/s' },
      { what: 'counts at a threshold', value: counted.length },
      { what: 'miscounts', value: miscounts, aim: { max: 0 } },
    ]
  },
}
