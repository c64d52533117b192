import type { RateRuleId } from '../../contract/limits.ts'
import type { Measured } from '../../load/probes/job.ts'
import type { TraceLine } from '../../load/trace/line.ts'
import type { Io } from '../io.ts'
import { usageError } from '../io.ts'
import { didYouMean } from '../nearest.ts'
import type { Wanted } from '../load/target.ts'
import { storeRun } from '../load/stored.ts'
import type { Places } from '../load/stored.ts'
import { edgePage } from './edge-report.ts'
import { maximumSecondsOf, prepareJobs } from './jobs.ts'
import { addressesOf, withProbedTarget } from './run-probes.ts'
import { rows } from './subjects.ts'
import type { EdgeResult } from './edge-result.ts'

export interface EdgeArgs {
  readonly rules: readonly string[]
  readonly realHour: boolean
  readonly namespace: string
}

/** Rows that were asked for; all of them when none was. */
export const rowsOf = (asked: readonly string[]): readonly RateRuleId[] => {
  for (const row of asked)
    if (!rows.some((known) => known === row))
      throw usageError(
        `--rules: there is no rate rule ${JSON.stringify(row)}.${didYouMean(row, rows)} Expected some of ${rows.join(', ')}`,
      )
  return asked.length === 0 ? rows : rows.filter((row) => asked.includes(row))
}

const named = ({ probe, row, window }: Measured): string =>
  `${probe} ${row}${window === undefined ? '' : ` per ${window}`}`

const conclude = (
  findings: readonly Measured[],
): Pick<EdgeResult, 'totals' | 'verdict' | 'reasons'> => {
  const of = (verdict: Measured['verdict']) => findings.filter((one) => one.verdict === verdict)
  const reasons = [...of('fail'), ...of('inconclusive')].map(
    (one) => `${one.verdict}: ${named(one)}: expected ${one.expected}; ${one.actual}`,
  )
  const totals: Partial<Record<Measured['verdict'], number>> = {}
  for (const { verdict } of findings) totals[verdict] = (totals[verdict] ?? 0) + 1
  const isDoubtful = of('inconclusive').length > 0 || of('pass').length === 0
  const verdict = of('fail').length > 0 ? 'fail' : isDoubtful ? 'inconclusive' : 'pass'
  return { totals, verdict, reasons }
}

export const runEdge = async (
  wanted: Wanted,
  { rules, realHour, namespace }: EdgeArgs,
  io: Io,
): Promise<{ readonly result: EdgeResult; readonly trace: readonly TraceLine[] }> => {
  const asked = rowsOf(rules)
  const started = new Date().toISOString()
  return withProbedTarget(wanted, io, async (target) => {
    const { callers, virtual, simulates, noteSet, place } = target
    io.err(`seed ${wanted.seed}; preparing the probes, ${virtual ? 'virtual' : 'real'} time\n`)
    const jobs = await prepareJobs({
      callers,
      rows: asked,
      virtual,
      realHour,
      simulates,
      onSet: noteSet,
    })
    const count = jobs.lanes.flat().length
    let done = 0
    const onLine = (line: TraceLine) => {
      if (line.t !== 'probe' || line.measured.probe === 'retry-after') return
      done += 1
      io.err(`${named(line.measured)}: ${line.measured.verdict} (${done} of about ${count})\n`)
    }
    const trace = [
      ...(await target.run('limit-edge', jobs.lanes, {
        maximumSeconds: maximumSecondsOf(jobs.lanes, virtual),
        onLine,
      })),
    ]
    const addresses = addressesOf(place)
    const skipped: Measured[] = [...jobs.skipped]
    if (jobs.keys.length > 0 && addresses.length > 1 && !io.signal.aborted)
      trace.push(
        ...(await target.run('limit-edge', jobs.keys, { maximumSeconds: 120, addresses, onLine })),
      )
    else
      skipped.push({
        probe: 'keys',
        row: asked[0] ?? 'default',
        verdict: 'not-verifiable',
        expected: 'each context and each address has the whole limit for itself',
        actual: 'needs two contexts, and two source addresses (`addresses` of the profile)',
      })
    const findings = [
      ...trace.flatMap((line) => (line.t === 'probe' ? [line.measured] : [])),
      ...skipped,
    ]
    const requests = trace.reduce(
      (sum, line) => (line.t === 'burst' ? sum + line.passed + line.limited : sum),
      0,
    )
    const result: EdgeResult = {
      id: `${started.replace(/[-:]|\.\d+/g, '')}-limit-edge-${namespace}`,
      scenario: 'limit-edge',
      seed: wanted.seed,
      target: wanted.target === undefined ? 'the embedded reference' : place.profile.url,
      time: virtual ? 'virtual' : 'real',
      started,
      finished: new Date().toISOString(),
      requests,
      findings,
      ...conclude(findings),
    }
    return { result, trace }
  })
}

export const storeEdge = async (
  places: Places,
  result: EdgeResult,
  trace: readonly TraceLine[],
): Promise<string> => storeRun(places, result, trace, await edgePage(result, trace))
