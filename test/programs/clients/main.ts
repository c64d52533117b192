import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { makeInvoice } from '../../../generators/invoice/invoice.ts'
import { rngFor } from '../../../lib/random.ts'
import { startServer } from '../../../reference/server/server.ts'
import type { Server } from '../../../reference/server/server.ts'
import { projectRoot } from '../../sources.ts'
import { readCommandLine } from '../command-line.ts'
import { openDetour } from './detour.ts'
import { install } from './install.ts'
import type { ClientRow } from './rows.ts'
import { clientRows } from './rows.ts'
import { runProgram } from './run-program.ts'

/** Installs each public client, runs its flow against the reference and prints versions and verdicts. */

const guide = 'docs/guides/connect-a-client.md'
const like = { dialect: 'ksef', limits: 'off' } as const
const marks = ['<!-- clients: begin -->', '<!-- clients: end -->'] as const

interface Step {
  readonly name: string
  /** Absent where the step succeeded. */
  readonly failure?: string
}

interface Result {
  readonly row: ClientRow
  readonly version: string
  readonly steps: readonly Step[]
  /** Why nothing could be run. */
  readonly problem?: string
}

const stepOf = (line: string): Step[] => {
  const [, state, name = '', failure] = /^(ok|failed) ([^:]+)(?:: (.*))?$/.exec(line) ?? []
  if (state === undefined) return []
  return [state === 'ok' ? { name } : { name, failure: failure ?? 'no reason' }]
}

/** What a flow is told of the service: a context that no other flow uses, and two invoices of it. */
const environmentFor = async (server: Server, folder: string, flows: string) => {
  const { value, token, certificate, key } = await server.reference.control.createContext({})
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Warsaw' }).format(Date.now())
  const rng = rngFor({ seed: Number(value) % 2 ** 31, rule: 'clients', variant: '', namespace: '' })
  const invoices = [1, 2].map((place) => {
    const file = path.join(folder, `invoice-${place}.xml`)
    const options = { seller: value, number: `${value}/${place}`, issueDate: today }
    writeFileSync(file, makeInvoice({ ...options, profile: 'services' }, rng.int32()))
    return file
  })
  return {
    ASSAY_ORIGIN: server.origin,
    ASSAY_NIP: value,
    ASSAY_TOKEN: token,
    ASSAY_CERTIFICATE: certificate,
    ASSAY_KEY: key,
    ASSAY_INVOICES: invoices.join(','),
    PYTHONPATH: flows,
  }
}

const examine = async (
  row: ClientRow,
  server: Server,
  root: string,
  beside: Readonly<Record<string, string>> = {},
): Promise<Result> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-client-'))
  const flows = path.join(folder, 'flows')
  try {
    // Modules are resolved from the folder of the flow.
    cpSync(path.join(root, 'test/programs/clients/flows'), flows, { recursive: true })
    const cache = path.join(root, '.cache')
    const installed = await install(row, { client: folder, cache })
    if (typeof installed === 'string')
      return { row, version: row.version ?? 'newest', steps: [], problem: installed }
    const { command, version } = installed
    const [program = '', ...args] = command
    const { out, err } = await runProgram(program, args, {
      cwd: folder,
      env: { ...(await environmentFor(server, folder, flows)), ...beside },
    })
    const steps = out.split('\n').flatMap(stepOf)
    const problem = err.trim().split('\n').at(-1) ?? 'it printed nothing'
    return { row, version, steps, ...(steps.length === 0 && { problem }) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A client that knows no other address than a host name has a service of its own, which says that it is this host. */
const examineThere = async (row: ClientRow, host: string, root: string): Promise<Result> => {
  const server = await startServer({ ...like, publicUrl: `https://${host}` })
  const detour = await openDetour(host, new URL(server.origin))
  try {
    return await examine(row, server, root, detour.environment)
  } finally {
    detour.close()
    await server.close()
  }
}

const cell = (text: string): string =>
  text.replaceAll('|', '\\|').replaceAll('\n', ' ').slice(0, 160)

const tableOf = (results: readonly Result[]): string =>
  [
    '| registry | client | version | works | fails |',
    '| --- | --- | --- | --- | --- |',
    ...results.map(({ row, version, steps, problem }) => {
      const works = steps.filter(({ failure }) => failure === undefined).map(({ name }) => name)
      const fails = steps.flatMap(({ name, failure }) =>
        failure === undefined ? [] : [`${name} (${failure})`],
      )
      const failed = problem === undefined ? fails.join('; ') : `not run: ${problem}`
      return `| ${row.registry} | \`${row.package}\` | ${version} | ${cell(works.join(', '))} | ${cell(failed)} |`
    }),
  ].join('\n')

/** Puts the table between its marks. */
const updateGuide = async (root: string, table: string): Promise<void> => {
  const file = path.join(root, guide)
  const text = readFileSync(file, 'utf8')
  const [begin, end] = marks.map((mark) => text.indexOf(mark))
  if (begin === undefined || end === undefined || begin < 0 || end < begin)
    throw new Error(`${guide} lacks the marks ${marks.join(' and ')}`)
  writeFileSync(file, `${text.slice(0, begin)}${marks[0]}\n\n${table}\n\n${text.slice(end)}`)
  await runProgram('npx', ['prettier', '--write', guide], { cwd: root })
}

const options = await readCommandLine({
  command: 'npm run clients --',
  shows:
    'Installs each public client that the registries have, runs its flow against `assay serve --dialect ksef` and prints versions and verdicts.',
  takes: { name: 'packages', describe: 'names of packages; all of them when absent' },
  options: {
    update: {
      type: 'boolean',
      default: false,
      describe: `Write the table into ${guide}`,
    },
  },
})

if (options !== undefined) {
  const root = projectRoot()
  if (root === undefined) throw new Error('this program runs from a clone of the sources')
  const asked = new Set(options.arguments)
  const chosen = clientRows.filter((row) => asked.size === 0 || asked.has(row.package))
  mkdirSync(path.join(root, '.cache'), { recursive: true })
  // By name: some clients reject links to loopback addresses.
  const server = await startServer({ ...like, host: hostname() })
  const results: Result[] = []
  try {
    for (const row of chosen) {
      process.stderr.write(`${row.registry} ${row.package} ${row.version ?? ''}\n`)
      const { host } = row
      results.push(
        await (host === undefined ? examine(row, server, root) : examineThere(row, host, root)),
      )
    }
  } finally {
    await server.close()
  }
  const table = tableOf(results)
  process.stdout.write(`${table}\n`)
  if (options.update) await updateGuide(root, table)
  const failed = results.some(
    ({ steps, problem }) => problem !== undefined || steps.some(({ failure }) => failure),
  )
  process.exitCode = failed || results.length === 0 ? 1 : 0
}
