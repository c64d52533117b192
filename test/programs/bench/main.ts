import { cpus } from 'node:os'
import process from 'node:process'
import { readCommandLine } from '../command-line.ts'
import type { Benchmark, Measurement } from './benchmark.ts'
import { reaches } from './benchmark.ts'
import { generator } from './generator.ts'
import { generators } from './generators.ts'
import { memory } from './memory.ts'
import { probes } from './probes.ts'
import { reads } from './reads.ts'
import { store } from './store.ts'
import { submission } from './submission.ts'

const benchmarks: readonly Benchmark[] = [
  generators,
  submission,
  reads,
  store,
  memory,
  generator,
  probes,
]

const program = {
  command: 'npm run bench --',
  shows:
    'Measures the generators, the reference and its memory, and the load, as ratios within one run. Prints aims beside the values and never fails for missing one.',
  takes: { name: 'ids', describe: `${benchmarks.map(({ id }) => id).join(', ')}; all when absent` },
  options: {
    json: { type: 'boolean', default: false, describe: 'Print the results as JSON' },
    scale: {
      type: 'string',
      default: '1',
      describe: 'Size of each benchmark, above 0 and up to 1',
    },
  },
} as const

const options = async () => {
  const asked = await readCommandLine(program)
  if (asked === undefined) return undefined
  const scale = Number(asked.scale)
  const unknown = asked.arguments.filter((id) => !benchmarks.some((one) => one.id === id))
  const problem =
    scale > 0 && scale <= 1
      ? unknown.length === 0
        ? undefined
        : `there is no benchmark ${unknown.join(', ')}`
      : `--scale: expected a number above 0 and up to 1, received ${asked.scale}`
  if (problem === undefined) return { json: asked.json, scale, ids: asked.arguments }
  process.stderr.write(`bench: ${problem}\n`)
  process.exitCode = 2
  return undefined
}

const shown = (value: number): string =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)

const row = ({ id }: Benchmark, measurement: Measurement): string => {
  const { what, value, unit = '', aim } = measurement
  const goal = aim === undefined ? '' : 'min' in aim ? `at least ${aim.min}` : `at most ${aim.max}`
  const reached = reaches(measurement)
  const verdict = reached === undefined ? '' : reached ? 'reached' : 'missed'
  return `${id.padEnd(12)}${what.padEnd(42)}${`${shown(value)} ${unit}`.padEnd(14)}${goal.padEnd(14)}${verdict}`.trimEnd()
}

type Asked = NonNullable<Awaited<ReturnType<typeof options>>>

const main = async ({ json, scale, ids }: Asked): Promise<number> => {
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

const asked = await options()
if (asked !== undefined) process.exitCode = await main(asked)
