import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { readCommandLine } from '../command-line.ts'
import { soakHeaders, soakJson, soakJsonTexts } from './calls.ts'
import { soakInvoices } from './invoices.ts'
import { soakAuthRequests, soakSignatures, soakTokens } from './logins.ts'
import { soakPackages, soakSessionKeys, soakSubmissions } from './sessions.ts'
import type { SoakOptions, Tried } from './tried.ts'
import { soakValid } from './valid.ts'

const soaks = [
  (options: SoakOptions) => soakValid('fa3', options),
  (options: SoakOptions) => soakValid('fa2', options),
  (options: SoakOptions) => soakInvoices('fa3', options),
  (options: SoakOptions) => soakInvoices('fa2', options),
  soakAuthRequests,
  soakSignatures,
  soakTokens,
  soakSessionKeys,
  soakSubmissions,
  soakPackages,
  soakJson,
  soakJsonTexts,
  soakHeaders,
]

const program = {
  command: 'npm run malformation-soak --',
  shows:
    'Shows that every malformation is rejected as it states, and that valid invoices are accepted: sends many documents of each class, and many valid ones, to the reference with its limits off.',
  takes: { name: 'classes', describe: 'layers, classes or prefixes; every class when absent' },
  options: {
    each: { type: 'number', default: 50, describe: 'Documents of each class' },
    valid: { type: 'number', default: 20_000, describe: 'Valid documents of each schema' },
    seed: { type: 'number', default: 1, describe: 'Seed of the documents' },
    jobs: {
      type: 'number',
      default: Math.min(2, availableParallelism()),
      describe: 'Processes that share the classes',
    },
    json: { type: 'boolean', default: false, describe: 'Print the report as JSON' },
    // What the program passes to the processes that it starts.
    share: { type: 'number', hidden: true },
  },
} as const

const readOptions = async () => {
  const asked = await readCommandLine(program)
  return asked && { ...asked, only: asked.arguments }
}

type Asked = NonNullable<Awaited<ReturnType<typeof readOptions>>>

/** Runs as a process with a share of the classes: reports each to the parent. */
async function work({ share = 0, jobs, ...asked }: Asked): Promise<void> {
  // Nobody is left to tell.
  process.on('disconnect', () => process.exit(1))
  for (const soak of soaks)
    for await (const tried of soak({ ...asked, share: [share, jobs] })) process.send?.(tried)
  process.removeAllListeners('disconnect')
  process.disconnect()
}

/** Everything that was tried, by as many processes as asked for. */
async function soakAll(asked: Asked, onTried: (tried: Tried) => void): Promise<void> {
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
  await soakAll(asked, (tried) => {
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

const asked = await readOptions()
if (asked?.share !== undefined) await work(asked)
else if (asked !== undefined)
  try {
    process.exitCode = await main(asked)
  } catch (error) {
    say(`malformation-soak: ${(error as Error).message}\n`)
    process.exit(3)
  }
