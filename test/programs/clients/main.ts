import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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
import { guide, rewriteTable } from './guide.ts'
import { install } from './install.ts'
import type { ClientRow } from './rows.ts'
import { clientRows } from './rows.ts'
import { runProgram } from '../run-program.ts'
import type { Result, Step } from './table.ts'
import { tableAfter, tableOf } from './table.ts'

/** Installs each public client, runs its flow against the reference and prints versions and verdicts. */

const like = { dialect: 'ksef', limits: 'off' } as const

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
      return {
        row,
        version: row.version ?? 'newest',
        steps: [],
        problem: installed,
        isMissing: true,
      }
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

const options = await readCommandLine({
  command: 'npm run clients --',
  shows:
    'Installs each public client that the registries have, runs its flow against `assay serve --dialect ksef` and prints versions and verdicts.',
  takes: { name: 'packages', describe: 'names of packages; all of them when absent' },
  options: {
    update: {
      type: 'boolean',
      default: false,
      describe: `Write the table into ${guide}; a client that is not run keeps its line`,
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
  process.stdout.write(`${tableOf(results)}\n`)
  if (options.update) {
    rewriteTable(root, (before) => {
      const { table, kept } = tableAfter(before, clientRows, results)
      for (const { client, reason } of kept)
        process.stderr.write(`${client}: its line is kept as it was: ${reason}\n`)
      return table
    })
    await runProgram('npx', ['oxfmt', guide], { cwd: root })
  }
  const failed = results.some(
    ({ steps, problem }) => problem !== undefined || steps.some(({ failure }) => failure),
  )
  process.exitCode = failed || results.length === 0 ? 1 : 0
}
