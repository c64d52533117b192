import { cpus } from 'node:os'
import process from 'node:process'
import { parseArgs } from 'node:util'
import type { Benchmark, Measurement } from './benchmark.ts'
import { reaches } from './benchmark.ts'
import { generators } from './generators.ts'
import { memory } from './memory.ts'
import { reads } from './reads.ts'
import { store } from './store.ts'
import { submission } from './submission.ts'

/** `npm run bench -- [--json] [--scale 0.1] [id ...]`: ratios within one run, printed and never asserted. */

const benchmarks: readonly Benchmark[] = [generators, submission, reads, store, memory]

const usage = `usage: npm run bench -- [--json] [--scale NUMBER] [${benchmarks.map(({ id }) => id).join(' | ')} ...]\n`

const options = () => {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        scale: { type: 'string', default: '1' },
      },
    })
    const scale = Number(values.scale)
    const unknown = positionals.filter((id) => !benchmarks.some((one) => one.id === id))
    if (!(scale > 0 && scale <= 1))
      throw new Error(`--scale: a number up to 1, not ${values.scale}`)
    if (unknown.length > 0) throw new Error(`no benchmark is called ${unknown.join(', ')}`)
    return { json: values.json, scale, ids: positionals }
  } catch (error) {
    process.stderr.write(`bench: ${(error as Error).message}\n${usage}`)
    return undefined
  }
}

const shown = (value: number): string =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)

const row = ({ id }: Benchmark, measurement: Measurement): string => {
  const { what, value, unit = '', aim } = measurement
  const goal =
    aim === undefined ? '' : 'least' in aim ? `at least ${aim.least}` : `at most ${aim.most}`
  const reached = reaches(measurement)
  const verdict = reached === undefined ? '' : reached ? 'reached' : 'missed'
  return `${id.padEnd(12)}${what.padEnd(42)}${`${shown(value)} ${unit}`.padEnd(14)}${goal.padEnd(14)}${verdict}`.trimEnd()
}

const main = async (): Promise<number> => {
  const asked = options()
  if (asked === undefined) return 2
  const { json, scale, ids } = asked
  const machine = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`
  const results: (Pick<Benchmark, 'id' | 'what'> & { measurements: readonly Measurement[] })[] = []
  for (const benchmark of benchmarks) {
    if (ids.length > 0 && !ids.includes(benchmark.id)) continue
    const { id, what } = benchmark
    process.stderr.write(`${id}: ${what}\n`)
    const measurements = await benchmark.run(scale, (text) => process.stderr.write(`  ${text}\n`))
    results.push({ id, what, measurements })
    if (!json)
      for (const measurement of measurements)
        process.stdout.write(`${row(benchmark, measurement)}\n`)
  }
  if (json) process.stdout.write(`${JSON.stringify({ machine, scale, results }, undefined, 2)}\n`)
  else process.stdout.write(`${machine}\n`)
  return 0
}

process.exitCode = await main()
