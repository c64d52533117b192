import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { projectRoot } from '../../sources.ts'
import { readCommandLine } from '../command-line.ts'
import { steps } from './commands.ts'
import type { Step } from './commands.ts'

/** The package as its user gets it: packed, installed into an empty folder with an empty cache, and used there. */

interface Place {
  readonly folder: string
  /** The Node that runs the package. */
  readonly node: string
}

const say = (text: string): void => void process.stdout.write(`${text}\n`)

const run = (command: string, args: readonly string[], cwd: string, ms = 300_000) => {
  const env = { ...process.env, npm_config_update_notifier: 'false' }
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    timeout: ms,
    maxBuffer: 64 * 1024 * 1024,
  })
  return { status, stdout, stderr }
}

const must = (command: string, args: readonly string[], cwd: string): string => {
  const { status, stdout, stderr } = run(command, args, cwd)
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${stderr}`)
  return stdout
}

/** Unpacked, without what it depends on. */
const maxBytes = 5_000_000

const pack = (root: string, into: string): string => {
  const json = must('npm', ['pack', '--json', '--silent', '--pack-destination', into], root)
  const [packed] = JSON.parse(json.slice(json.indexOf('['))) as [
    { filename: string; unpackedSize: number; entryCount: number },
  ]
  say(`${packed.filename}: ${packed.entryCount} files, ${packed.unpackedSize} bytes unpacked`)
  if (packed.unpackedSize >= maxBytes)
    throw new Error(`the package has to be smaller than ${maxBytes} bytes`)
  return path.join(into, packed.filename)
}

/** An empty project with the package and nothing else, from an empty cache. */
const install = (work: string, tarball: string, version: string | undefined): Place => {
  const folder = path.join(work, `project-${version ?? 'node'}`)
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'package.json'), '{"name":"empty","private":true}')
  const cache = path.join(work, `cache-${version ?? 'node'}`)
  const options = ['--no-audit', '--no-fund', '--cache', cache]
  const started = Date.now()
  must('npm', ['install', ...options, tarball], folder)
  say(`installed in ${((Date.now() - started) / 1000).toFixed(0)} s`)
  if (version === undefined) return { folder, node: process.execPath }
  const other = path.join(work, `node-${version}`)
  mkdirSync(other)
  writeFileSync(path.join(other, 'package.json'), '{"private":true}')
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  must('npm', ['install', ...options, `${name}@${version}`], other)
  return { folder, node: path.join(other, `node_modules/${name}/bin/node`) }
}

/** What the description that a served reference gives of itself is called, once it has been fetched. */
const description = 'openapi.json'

const served = (folder: string): { url: string; pid: number } | undefined => {
  try {
    const text = readFileSync(path.join(folder, 'ready.json'), 'utf8')
    return JSON.parse(text) as { url: string; pid: number }
  } catch {
    return undefined
  }
}

const fetched = async (folder: string): Promise<string> => {
  const url = served(folder)?.url
  const text = await (await fetch(`${url}/openapi.json`)).text()
  writeFileSync(path.join(folder, description), text)
  return description
}

const prepared = async ({ args }: Step, folder: string): Promise<string[]> => {
  const values: Record<string, () => string | Promise<string>> = {
    SERVED: () => served(folder)?.url ?? 'nowhere',
    DESCRIPTION: () => fetched(folder),
  }
  return Promise.all(args.map(async (word) => (await values[word]?.()) ?? word))
}

const shown = (text: string): string => text.trim().split('\n').slice(-6).join('\n      ')

/** Runs a step; whether it did what it should. */
const tryStep = async (step: Step, { folder, node }: Place): Promise<boolean> => {
  const assay = path.join(folder, 'node_modules/assay/dist/cli/main.js')
  const args = await prepared(step, folder)
  const { status, stdout, stderr } = run(node, [assay, ...args], folder, 900_000)
  const right = step.exits.includes(status ?? -1) && step.says.test(`${stdout}\n${stderr}`)
  say(`${right ? 'ok  ' : 'FAIL'} assay ${args.join(' ')}`)
  if (!right)
    say(
      `      exit ${status}, expected ${step.exits.join(' or ')} and ${step.says}\n      ${shown(`${stdout}${stderr}`)}`,
    )
  return right
}

/** The examples of the guide, as a user pastes them: they run, and they type-check. */
const tryExamples = (root: string, { folder, node }: Place): boolean => {
  const guide = readFileSync(
    path.join(folder, 'node_modules/assay/docs/guides/in-your-tests.md'),
    'utf8',
  )
  const examples = [...guide.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text)
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc')
  const results = examples.map((text, at) => {
    const file = path.join(folder, `example-${at}.mts`)
    writeFileSync(path.join(folder, `example-${at}.mjs`), text)
    // JSON of a service is of any shape to the compiler.
    const typed = text.replace('const { body }', 'const { body }: { body: any }')
    writeFileSync(file, typed)
    const { status, stderr } = run(node, [`example-${at}.mjs`], folder)
    if (status !== 0) say(`      ${shown(stderr)}`)
    return status === 0
  })
  for (const types of ['@types/node', 'undici-types'])
    cpSync(path.join(root, 'node_modules', types), path.join(folder, 'node_modules', types), {
      recursive: true,
    })
  const flags =
    '--noEmit --strict --skipLibCheck false --types node --module nodenext --target es2023'
  const files = examples.map((_, at) => `example-${at}.mts`)
  const { status, stdout } = run(
    process.execPath,
    [compiler, ...flags.split(' '), ...files],
    folder,
  )
  const right = status === 0 && results.every(Boolean) && examples.length > 0
  say(
    `${right ? 'ok  ' : 'FAIL'} the examples of the guide run and type-check${status === 0 ? '' : `\n${stdout}`}`,
  )
  return right
}

const tryAll = async (root: string, place: Place, long: boolean): Promise<boolean> => {
  let right = true
  try {
    for (const step of steps)
      if (step.long !== true || long) right = (await tryStep(step, place)) && right
    return tryExamples(root, place) && right
  } finally {
    const { pid } = served(place.folder) ?? {}
    if (pid !== undefined) process.kill(pid, 'SIGTERM')
  }
}

const asked = await readCommandLine({
  command: 'npm run package-test --',
  shows:
    'Packs the package, installs it into an empty folder with an empty cache, and runs every command and the examples of the guide there. It needs a registry and about two minutes; with --long also `assay certify`.',
  options: {
    long: { type: 'boolean', default: false, describe: 'also certify, five minutes' },
    node: {
      type: 'string',
      array: true,
      default: [] as string[],
      describe: 'further versions of Node to run it with, for example 22',
    },
  },
})

const root = projectRoot()
if (asked !== undefined && root !== undefined) {
  const work = mkdtempSync(path.join(tmpdir(), 'assay-package-'))
  try {
    const tarball = pack(root, work)
    let right = true
    for (const version of [undefined, ...asked.node]) {
      say(`Node ${version ?? process.versions.node}`)
      const place = install(work, tarball, version)
      say(`${readdirSync(path.join(place.folder, 'node_modules')).length} packages at the top`)
      right = (await tryAll(root, place, asked.long)) && right
    }
    process.exitCode = right ? 0 : 1
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
