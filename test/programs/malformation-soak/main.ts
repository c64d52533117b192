import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { sweepHeaders, sweepJson, sweepJsonTexts } from './calls.ts'
import { sweepInvoices } from './invoices.ts'
import { sweepAuthRequests, sweepSignatures, sweepTokens } from './logins.ts'
import { sweepPackages, sweepSessionKeys, sweepSubmissions } from './sessions.ts'
import type { SweepOptions, Tried } from './tried.ts'
import { sweepValid } from './valid.ts'

/**
 * `npm run malformation-soak`: many documents of every class of malformation against the reference with its limits off, in this
 * process, and many valid ones. Ends with 1 when anything did not end exactly as it is stated.
 */

const usage = `usage: npm run malformation-soak -- [--each 50] [--valid 20000] [--seed N] [--jobs N] [--json] [LAYER | CLASS ...]\n`

const sweeps = [
  (options: SweepOptions) => sweepValid('fa3', options),
  (options: SweepOptions) => sweepValid('fa2', options),
  (options: SweepOptions) => sweepInvoices('fa3', options),
  (options: SweepOptions) => sweepInvoices('fa2', options),
  sweepAuthRequests,
  sweepSignatures,
  sweepTokens,
  sweepSessionKeys,
  sweepSubmissions,
  sweepPackages,
  sweepJson,
  sweepJsonTexts,
  sweepHeaders,
]

function readOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      each: { type: 'string', default: '50' },
      valid: { type: 'string', default: '20000' },
      seed: { type: 'string', default: '1' },
      jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
      share: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
  const number = (name: string, text: string, least: number) => {
    const value = Number(text)
    if (!Number.isInteger(value) || value < least || value > 2 ** 31 - 1)
      throw new Error(`--${name}: expected a whole number from ${least}, received ${text}`)
    return value
  }
  return {
    each: number('each', values.each, 1),
    valid: number('valid', values.valid, 0),
    seed: number('seed', values.seed, -(2 ** 31)),
    jobs: number('jobs', values.jobs, 1),
    share: values.share === undefined ? undefined : number('share', values.share, 0),
    json: values.json,
    only: positionals,
  }
}

type Asked = ReturnType<typeof readOptions>

/** As a process that has a share of the classes: tells the parent about each. */
async function work({ share = 0, jobs, ...asked }: Asked): Promise<void> {
  // Nobody is left to tell.
  process.on('disconnect', () => process.exit(1))
  for (const sweep of sweeps)
    for await (const tried of sweep({ ...asked, share: [share, jobs] })) process.send?.(tried)
  process.removeAllListeners('disconnect')
  process.disconnect()
}

/** Everything that was tried, by as many processes as asked for. */
async function sweepAll(asked: Asked, onTried: (tried: Tried) => void): Promise<void> {
  const script = fileURLToPath(import.meta.url)
  await Promise.all(
    Array.from(
      { length: asked.jobs },
      (_, share) =>
        new Promise<void>((resolve, reject) => {
          const child = fork(script, [...process.argv.slice(2), `--share=${share}`], {
            env: { ...process.env, ASSAY_SEED: String(asked.seed) },
          })
          child.on('message', (tried: Tried) => onTried(tried))
          child.on('error', reject)
          child.on('exit', (code, signal) =>
            code === 0 ? resolve() : reject(new Error(`a share ended with ${code ?? signal}`)),
          )
        }),
    ),
  )
}

interface Row {
  classes: number
  documents: number
  notApplicable: number
  disagreements: number
}

const say = (text: string) => process.stderr.write(text)

function table(rows: ReadonlyMap<string, Row>): string {
  const lines = [
    ['layer', 'classes', 'documents', 'not applicable', 'disagreements'],
    ...[...rows].map(([layer, row]) => [
      layer,
      ...[row.classes, row.documents, row.notApplicable, row.disagreements].map((value) =>
        value.toLocaleString('en'),
      ),
    ]),
  ]
  const widths = lines[0]!.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)))
  return lines
    .map((line) =>
      line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))),
    )
    .map((line) => `${line.join('  ')}\n`)
    .join('')
}

/** Classes that share a name in two schemas are counted once for each. */
function add(rows: Map<string, Row>, { layer, documents, notApplicable, disagreements }: Tried) {
  const row = rows.get(layer) ?? { classes: 0, documents: 0, notApplicable: 0, disagreements: 0 }
  row.classes += 1
  row.documents += documents
  row.notApplicable += notApplicable
  row.disagreements += disagreements.length
  rows.set(layer, row)
}

async function main(asked: Asked): Promise<number> {
  const { seed, each, valid, only, json } = asked
  const replay = ['--each', each, '--valid', valid, '--seed', seed, ...only].join(' ')
  say(`seed ${seed}\n`)
  const rows = new Map<string, Row>()
  const disagreements: string[] = []
  const untried: string[] = []
  let [documents, told] = [0, 0]
  await sweepAll(asked, (tried) => {
    add(rows, tried)
    documents += tried.documents
    disagreements.push(...tried.disagreements)
    for (const line of tried.disagreements) say(`  ${line}\n`)
    if (tried.documents === 0) untried.push(`${tried.layer} ${tried.id}`)
    if (documents - told >= 5_000) {
      told = documents
      say(`${documents} documents, at ${tried.id}\n`)
    }
  })
  // Without a document nothing was shown.
  for (const id of untried) say(`  no document of ${id}\n`)
  const failed = disagreements.length + untried.length
  if (json) {
    const layers = Object.fromEntries(rows)
    const report = { seed, each, valid, documents, layers, disagreements, untried }
    process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`)
  } else {
    process.stdout.write(table(rows))
    process.stdout.write(
      `${documents.toLocaleString('en')} documents, ${disagreements.length} disagreements\n`,
    )
  }
  say(`seed ${seed}; again: npm run malformation-soak -- ${replay}\n`)
  return failed > 0 || documents === 0 ? 1 : 0
}

let asked: Asked | undefined
try {
  asked = readOptions()
} catch (error) {
  say(`sweep: ${(error as Error).message}\n${usage}`)
  process.exitCode = 2
}
if (asked?.share !== undefined) await work(asked)
else if (asked !== undefined)
  try {
    process.exitCode = await main(asked)
  } catch (error) {
    say(`sweep: ${(error as Error).message}\n`)
    process.exit(3)
  }
