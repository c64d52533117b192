import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { startReference } from '../../../../api/reference.ts'
import { svc } from '../../../../contract/dialects/svc.ts'
import { openapi } from '../../../../contract/openapi.ts'
import { rngFor, shuffled } from '../../../../lib/random.ts'
import { mutants } from '../../../../reference/mutants/mutants.ts'
import { readCommandLine } from '../../command-line.ts'
import { runProgram } from '../../run-program.ts'
import { installSchemathesis } from '../../schemathesis.ts'
import { enter } from '../served.ts'
import type { Effort } from './schemathesis.ts'
import { fuzz } from './schemathesis.ts'

/** Number of runs on the sound reference: what any of them reports is not a defect. */
const soundRuns = 2

const kindOf = (id: string): string => {
  if (mutants[id]?.generated !== true) return 'written by hand'
  return id.split('/')[1]!.split(':')[0]!
}

/** Half of them written by hand, half generated from the contract. */
const drawn = (count: number, seed: number): string[] => {
  const rng = rngFor({ seed, namespace: 'peers', rule: 'sample', variant: '' })
  const all = shuffled(rng, Object.keys(mutants))
  return [true, false].flatMap((isGenerated) =>
    all.filter((id) => (mutants[id]?.generated === true) === isGenerated).slice(0, count / 2),
  )
}

interface Peer {
  readonly command: string
  readonly folder: string
  readonly description: string
}

/** What Schemathesis reports of a reference with these defects. */
const reported = async (
  { command, folder, description }: Peer,
  effort: Effort,
  defects: readonly string[],
): Promise<Awaited<ReturnType<typeof fuzz>>> => {
  const own = mkdtempSync(path.join(folder, 'run-'))
  const service = await startReference({ limits: 'off', seed: effort.seed, defects })
  const contexts = service.contexts.map(({ nip, ...rest }) => ({ ...rest, value: nip }))
  try {
    const { accessToken, close } = await enter({ url: service.url, contexts })
    close()
    const target = { url: service.url, bearer: accessToken, description }
    return await fuzz(command, target, effort, own)
  } finally {
    await service.close()
  }
}

/** The suite's result for each defect; those that the dialect cannot have are left out. */
const bySuite = async (
  ids: readonly string[],
  seed: number,
  folder: string,
): Promise<ReadonlyMap<string, boolean>> => {
  const main = fileURLToPath(new URL('../../../../cli/main.js', import.meta.url))
  const out = path.join(folder, 'suite')
  const args = [main, 'mutate', ...ids, '--seed', String(seed), '--json', '--out', out]
  const { out: text, err } = await runProgram(process.execPath, args, { cwd: folder })
  if (text === '') throw new Error(`assay mutate printed no result: ${err}`)
  const { mutants: rows } = JSON.parse(text) as {
    mutants: { id: string; killed: boolean; notApplicable?: string }[]
  }
  return new Map(
    rows
      .filter(({ notApplicable }) => notApplicable === undefined)
      .map(({ id, killed }) => [id, killed]),
  )
}

interface Row {
  readonly id: string
  readonly kind: string
  readonly schemathesis: readonly string[]
  readonly suite: boolean
}

const compared = async (
  count: number,
  effort: Effort,
  folder: string,
  say: (text: string) => void,
): Promise<Row[]> => {
  const description = path.join(folder, 'openapi.json')
  writeFileSync(description, JSON.stringify(openapi(svc)))
  const peer = { command: await installSchemathesis(), folder, description }
  const all = drawn(count, effort.seed)
  say(`the suite: ${all.length} defects`)
  const suite = await bySuite(all, effort.seed, folder)
  const ids = all.filter((id) => suite.has(id))
  const onSound = new Set<string>()
  for (let run = 1; run <= soundRuns; run++) {
    const { failures, calls } = await reported(peer, effort, [])
    for (const failure of failures) onSound.add(failure)
    say(
      `the sound reference, run ${run} of ${soundRuns}: ${calls} calls, ${failures.length} reports`,
    )
  }
  const rows: Row[] = []
  for (const id of ids) {
    const found = await reported(peer, effort, [id]).then(
      ({ failures }) => failures.filter((failure) => !onSound.has(failure)),
      // Nothing works any more, not even the login: that counts as noticed, too.
      (error: unknown) => [String(error).split('\n')[0]!],
    )
    rows.push({ id, kind: kindOf(id), schemathesis: found, suite: suite.get(id) === true })
    say(`${rows.length} of ${ids.length}: ${id}: ${found[0] ?? 'not noticed'}`)
  }
  return rows
}

const table = (rows: readonly Row[]): string => {
  const line = (name: string, own: readonly Row[]): string =>
    `| ${name} | ${own.length} | ${own.filter(({ schemathesis }) => schemathesis.length > 0).length} | ${own.filter(({ suite }) => suite).length} |`
  const kinds = [...new Set(rows.map(({ kind }) => kind))].toSorted()
  return [
    '| kind of defect | defects | Schemathesis | assay |',
    '| --- | --- | --- | --- |',
    ...kinds.map((kind) =>
      line(
        kind,
        rows.filter((row) => row.kind === kind),
      ),
    ),
    line('together', rows),
    '',
  ].join('\n')
}

const asked = await readCommandLine({
  command: 'npm run bench:peers --',
  shows:
    'Puts known defects of the reference before Schemathesis, a fuzzer of APIs, and before the suite, and prints a table of who notices how many. Installs Schemathesis into .cache (Python 3.10 or later).',
  options: {
    defects: { type: 'number', default: 60, describe: 'Defects to draw, half of them generated' },
    examples: { type: 'number', default: 10, describe: 'Test cases of the fuzzer per operation' },
    seed: { type: 'number', default: 1, describe: 'Seed of the draw and of both tools' },
    out: { type: 'string', describe: 'File for the rows, NDJSON' },
  },
})
if (asked !== undefined) {
  const { defects, examples, seed, out } = asked
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-peers-'))
  try {
    const rows = await compared(defects, { seed, examples }, folder, (text) =>
      process.stderr.write(`${text}\n`),
    )
    if (out !== undefined) {
      mkdirSync(path.dirname(path.resolve(out)), { recursive: true })
      writeFileSync(out, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    }
    process.stdout.write(table(rows))
  } catch (error) {
    process.stderr.write(`bench:peers: ${String(error)}\n`)
    process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
