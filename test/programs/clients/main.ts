import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { spawn } from 'node:child_process'
import { makeInvoice } from '../../../generators/invoice/invoice.ts'
import { rngFor } from '../../../lib/random.ts'
import { startServer } from '../../../reference/server/server.ts'
import type { Server } from '../../../reference/server/server.ts'
import { projectRoot } from '../../sources.ts'
import { readCommandLine } from '../command-line.ts'
import type { ClientRow } from './rows.ts'
import { clientRows } from './rows.ts'

/** Installs each public client, runs its flow against the reference and prints versions and verdicts. */

const guide = 'docs/guides/connect-a-client.md'
const marks = ['<!-- clients: begin -->', '<!-- clients: end -->'] as const
const minutes = 60_000

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

/** Runs a program to its end, and returns what it printed. */
const runProgram = (
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> =>
  new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 10 * minutes,
    })
    let out = ''
    let err = ''
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
    child.on('error', (error) => resolve({ code: 127, out, err: error.message }))
    child.on('close', (code) => resolve({ code: code ?? 1, out, err }))
  })

interface Installed {
  readonly command: string
  readonly version: string
}

/** Installs a client into a folder. @returns what runs its flow, or why it cannot be installed */
const install = async (
  { registry, package: name, version, beside = [] }: ClientRow,
  folder: string,
): Promise<Installed | string> => {
  const last = (text: string) => text.trim().split('\n').at(-1) ?? ''
  if (registry === 'npm') {
    writeFileSync(path.join(folder, 'package.json'), '{ "private": true }')
    const wanted = version === undefined ? name : `${name}@${version}`
    const args = ['install', '--no-audit', '--no-fund', wanted, ...beside]
    const { code, err } = await runProgram('npm', args, { cwd: folder })
    if (code !== 0) return last(err)
    const manifest = path.join(folder, 'node_modules', name, 'package.json')
    const found = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
    return { command: process.execPath, version: found.version }
  }
  const made = await runProgram('python3', ['-m', 'venv', '.venv'], { cwd: folder })
  if (made.code !== 0) return last(made.err)
  const python = path.join(folder, '.venv', 'bin', 'python')
  const wanted = version === undefined ? name : `${name}==${version}`
  const args = ['-m', 'pip', 'install', '--quiet', wanted, ...beside]
  const { code, err } = await runProgram(python, args, { cwd: folder })
  if (code !== 0) return last(err)
  const show = `from importlib.metadata import version; print(version(${JSON.stringify(name)}))`
  const { out } = await runProgram(python, ['-c', show], { cwd: folder })
  return { command: python, version: out.trim() }
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

const examine = async (row: ClientRow, server: Server, flows: string): Promise<Result> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-client-'))
  try {
    const installed = await install(row, folder)
    if (typeof installed === 'string')
      return { row, version: row.version ?? 'newest', steps: [], problem: installed }
    // Modules are resolved from the folder of the flow.
    cpSync(flows, path.join(folder, 'flows'), { recursive: true })
    const { out, err } = await runProgram(installed.command, [path.join('flows', row.flow)], {
      cwd: folder,
      env: await environmentFor(server, folder, path.join(folder, 'flows')),
    })
    const steps = out.split('\n').flatMap(stepOf)
    const { version } = installed
    const problem = err.trim().split('\n').at(-1) ?? 'it printed nothing'
    return { row, version, steps, ...(steps.length === 0 && { problem }) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
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
  const flows = path.join(root, 'test/programs/clients/flows')
  mkdirSync(path.join(root, '.cache'), { recursive: true })
  // By name: some clients reject links to loopback addresses.
  const server = await startServer({ dialect: 'ksef', limits: 'off', host: hostname() })
  const results: Result[] = []
  try {
    for (const row of chosen) {
      process.stderr.write(`${row.registry} ${row.package} ${row.version ?? ''}\n`)
      results.push(await examine(row, server, flows))
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
