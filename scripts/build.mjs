// Builds dist/: TypeScript of both projects, the files that are read at run time, and the list of checks.
// Does nothing when the sources have not changed since the last good build.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { listChecks } from './checks.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(root, 'dist')
const stampFile = join(dist, '.stamp')

/** The TypeScript projects; both write into the same tree. */
const projects = ['tsconfig.json', 'load/tsconfig.json']

/** What is not TypeScript and is needed beside the compiled files; missing ones are left out. */
const assets = [
  'package.json',
  'contract/xsd',
  'contract/vectors',
  'load/engine',
  'suites/coverage.json',
  'suites/killers.json',
]

const notSources = new Set(['node_modules', 'dist', 'docs', 'reports/out', 'test-results'])

/**
 * Builds when needed.
 * @param {{ onProgress?: (message: string) => void }} [options]
 * @returns {{ ok: boolean, skipped: boolean, errors: string }} `errors`: what tsc said, or Playwright, or variants without a check
 */
export function build({ onProgress = () => {} } = {}) {
  const stamp = sourceStamp()
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) {
    return { ok: true, skipped: true, errors: '' }
  }
  // A sibling of dist, so that source maps point to the same places; what still runs from the old
  // dist meanwhile keeps its files until the exchange.
  const work = join(root, `.dist-${process.pid}`)
  rmSync(work, { recursive: true, force: true })
  try {
    let errors = ''
    for (const project of projects) {
      onProgress(`tsc -p ${project}`)
      errors += compile(project, work)
    }
    for (const asset of assets) {
      if (existsSync(join(root, asset))) copyAsset(asset, work)
    }
    if (!errors) {
      onProgress('playwright test --list')
      errors = writeChecks(work)
    }
    // npm sets this when it links the package; a build must not take it away again.
    const command = join(work, 'cli/main.js')
    if (existsSync(command)) chmodSync(command, 0o755)
    // A build with errors takes the place too, so that nothing stale can run by mistake, but
    // without a stamp: the next build starts anew.
    if (!errors) writeFileSync(join(work, '.stamp'), stamp)
    exchange(work)
    return { ok: !errors, skipped: false, errors }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function compile(project, outDir) {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const result = spawnSync(process.execPath, [tsc, '-p', project, '--outDir', outDir], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (result.error) return `${project}: ${result.error.message}\n`
  if (result.status === 0) return ''
  return result.stdout + result.stderr || `${project}: tsc ended with ${result.status}\n`
}

// The names of files, rules and fields would be most of the list, written with each check.
function byFile(checks) {
  const files = new Map()
  for (const { file, rule, variant = '', cost, covers } of checks) {
    const rules = files.get(file) ?? new Map()
    files.set(file, rules)
    const row = [variant, cost ?? null, ...(covers === undefined ? [] : [covers])]
    rules.set(rule, [...(rules.get(rule) ?? []), cost || covers ? row : variant])
  }
  return Object.fromEntries([...files].map(([file, rules]) => [file, Object.fromEntries(rules)]))
}

function writeChecks(outDir) {
  const { checks, errors } = listChecks(outDir)
  if (errors) return errors
  const { packCosts } = compiled(outDir, 'cli/check/costs.js')
  const { withShownCells } = compiled(outDir, 'cli/coverage/showing.js')
  const { formOf } = compiled(outDir, 'suites/support/checks/other-forms.js')
  // Those in other forms follow from the table of forms.
  const first = checks.filter(({ variant }) => formOf(variant) === undefined)
  // Packed into the list of checks, which has their names already.
  const list = packCosts(tableOf('costs.json'), withShownCells(first, tableOf('coverage.json')))
  // Names and numbers that are much alike: in short, they are a fifth.
  writeFileSync(join(outDir, 'checks.json.gz'), gzipSync(JSON.stringify(byFile(list.checks))))
  writeFileSync(join(outDir, 'suites/costs.json.gz'), gzipSync(JSON.stringify(list.table)))
  return uncheckedVariants(outDir, checks)
}

const tableOf = (name) => JSON.parse(readFileSync(join(root, 'suites', name), 'utf8'))

const compiled = (outDir, file) => createRequire(import.meta.url)(join(outDir, file))

// By the compiled function itself: the tests look for the same.
function uncheckedVariants(outDir, checks) {
  const unchecked = compiled(outDir, 'suites/support/checks/unchecked.js').uncheckedVariants(checks)
  return unchecked.length === 0
    ? ''
    : `variants that a rule declares and no check has:\n  ${unchecked.join('\n  ')}\n`
}

// Another build may put its own dist there between the two calls; the last one wins.
function exchange(work, attempts = 5) {
  rmSync(dist, { recursive: true, force: true })
  try {
    renameSync(work, dist)
  } catch (error) {
    if (attempts === 0 || !['ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error
    exchange(work, attempts - 1)
  }
}

function copyAsset(asset, outDir) {
  const target = join(outDir, asset)
  mkdirSync(dirname(target), { recursive: true })
  // Tables with a row for each check would be a tenth larger as they are written.
  if (asset.endsWith('.json'))
    writeFileSync(target, JSON.stringify(JSON.parse(readFileSync(join(root, asset), 'utf8'))))
  else cpSync(join(root, asset), target, { recursive: true })
}

// Names and contents of everything that tsc or the copy reads, and the versions of the tools.
function sourceStamp() {
  const hash = createHash('sha256').update(process.version)
  const files = [
    'package-lock.json',
    'scripts/build.mjs',
    'scripts/checks.mjs',
    ...projects,
    ...sources(root),
    ...[...assets, 'suites/costs.json'].flatMap((asset) => filesBelow(join(root, asset))),
  ]
  for (const file of [...new Set(files)].toSorted((a, b) => (a < b ? -1 : 1))) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

function sources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    const name = relative(root, path)
    if (entry.name.startsWith('.') || notSources.has(name)) return []
    if (entry.isDirectory()) return sources(path)
    return name.endsWith('.ts') ? [name] : []
  })
}

function filesBelow(path) {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [relative(root, path)]
  return readdirSync(path).flatMap((name) => filesBelow(join(path, name)))
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const started = Date.now()
  const say = (message) =>
    console.error(`[${((Date.now() - started) / 1000).toFixed(1).padStart(5)}s] ${message}`)
  if (!existsSync(join(root, 'node_modules/typescript'))) {
    console.error(
      'The dependencies are not installed: run `npm ci` first (`npm test` does so itself).',
    )
    process.exit(3)
  }
  const { ok, skipped, errors } = build({ onProgress: say })
  if (errors) console.error(errors.trimEnd())
  say(skipped ? 'dist is up to date' : ok ? 'dist is built' : 'dist is built, with errors')
  process.exit(ok ? 0 : 1)
}
