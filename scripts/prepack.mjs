// Makes dist/ ready to be packed: built, written in short, with the types of the programmatic interface. npm runs it
// before `npm pack`.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from './build.mjs'
import { inShort, isShortened } from './short.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(root, 'dist')

const { ok, errors } = build({ onProgress: (message) => console.error(message) })
if (!ok) {
  console.error(errors)
  process.exit(1)
}
const topOf = (file) => relative(dist, file).split(sep)[0]

/** Declarations that are short where the compiler's would have every row of a table. */
const short = {
  'contract/endpoints.ts': async () => {
    const { operationIds } = await import(join(dist, 'contract/endpoints.js'))
    return `export type OperationId = ${operationIds.map((id) => `'${id}'`).join(' | ')};\n`
  },
}

await writeInShort()

const entries = readdirSync(join(root, 'api')).filter((name) => name.endsWith('.ts'))
// Beside the sources: from elsewhere tsc would not find the types of packages.
const work = mkdtempSync(join(root, '.types-'))
try {
  const problems = writeDeclarations(work)
  const copied = new Set()
  for (const entry of entries) await copyWithImports(join('api', entry), work, copied)
  // Files that no entry leads to may hold what cannot be declared: no user sees it.
  const concerned = problems.filter((line) => copied.has(line.split('(')[0]))
  if (concerned.length > 0) throw new Error(concerned.join('\n'))
  console.error(`${copied.size} files of declarations`)
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** Writes scripts and schemas in short. Source maps, which are not packed, go stale by this. */
async function writeInShort() {
  rmSync(join(dist, '.stamp'), { force: true })
  const packed = readdirSync(dist, { recursive: true })
    .map((name) => join(dist, name))
    .filter((file) => isShortened(file) && topOf(file) !== 'test')
  for (const file of packed) {
    writeFileSync(file, await inShort(file, readFileSync(file, 'utf8')))
  }
  console.error(`${packed.length} files written in short`)
}

/** What tsc says against the declarations, line by line; it writes them all the same. */
function writeDeclarations(outDir) {
  const project = join(outDir, 'tsconfig.json')
  const config = {
    extends: '../tsconfig.json',
    compilerOptions: {
      declaration: true,
      emitDeclarationOnly: true,
      sourceMap: false,
      removeComments: false,
      rootDir: '..',
      outDir: '.',
    },
    include: [],
    exclude: [],
    files: entries.map((entry) => `../api/${entry}`),
  }
  writeFileSync(project, JSON.stringify(config))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const result = spawnSync(process.execPath, [tsc, '-p', project], { cwd: root, encoding: 'utf8' })
  return result.stdout.split('\n').filter((line) => line.includes('error TS'))
}

/** Copies a declaration and those that it imports; the others describe what cannot be imported. */
async function copyWithImports(source, from, copied) {
  if (copied.has(source)) return
  copied.add(source)
  const name = source.replace(/\.ts$/, '.d.ts')
  const text = (await short[source]?.()) ?? readFileSync(join(from, name), 'utf8')
  // Older compilers do not find the declaration behind an import that ends with .ts.
  const rewritten = text
    .replaceAll(/(from '|import\(')(\.[^']+)\.ts'/g, "$1$2.js'")
    .replaceAll(/(from "|import\(")(\.[^"]+)\.ts"/g, '$1$2.js"')
  const target = join(dist, name)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, rewritten)
  for (const [, path] of text.matchAll(/(?:from |import\()["'](\.[^"']+\.ts)["']/g))
    await copyWithImports(join(dirname(source), path), from, copied)
}
