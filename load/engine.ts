// Where the k6 binary comes from. k6 is not an npm package, so the project pins it as a Go module
// (engine/go.mod, engine/go.sum) and builds it once into a cache, with its own module.

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  access,
  constants,
  mkdir,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cacheFolder } from '../lib/node/cache-folder.ts'

/** The k6 that the load scripts are written for; the same version is in `engine/go.mod`. */
export const k6Version = 'v2.2.0'

export type K6 = {
  /** Absolute path of an executable that answered `version` with k6 v2. */
  path: string
  /** As the binary prints it, such as `v2.2.0`. */
  version: string
  source: 'K6_BINARY' | 'PATH' | 'cache' | 'go build' | 'release archive'
  /** It has the module of `engine/`, which reads prepared files where they lie; k6 alone holds them in memory. */
  streams: boolean
}

/** The module that the load runs in, below `load/`. */
export const entryOf = ({ streams }: Pick<K6, 'streams'>): string =>
  streams ? 'main-streamed.js' : 'main.js'

/** Why there is no k6, and what the user can do about it; both are whole sentences. */
/** `buildable`: it was not looked for beyond this machine, and Go may build it. */
export type MissingK6 = { missing: string; advice: string; buildable?: true }

export type FindK6Options = {
  /** May k6 be built or downloaded (a minute, and the network the first time)? */
  build: boolean
  /** Called before and during every slow step. */
  onProgress?: (message: string) => void
  env?: NodeJS.ProcessEnv
}

type Archive = { file: string; sha256: string }

// The release's archives. The sums are the ones that several independent projects pin for this
// version; docs/decisions/0003-k6-from-go-module.md says how they were checked.
const archives: Record<string, Archive> = {
  'linux-x64': {
    file: 'k6-v2.2.0-linux-amd64.tar.gz',
    sha256: 'b5a8003c86f35f5cd5ceef1490312c48e587696c94d998cefc6d7b3b4cb1597d',
  },
  'linux-arm64': {
    file: 'k6-v2.2.0-linux-arm64.tar.gz',
    sha256: '4ecd64cadcc792402d16293836115480419c4447c032858f564852d98f1bf54c',
  },
  'darwin-x64': {
    file: 'k6-v2.2.0-macos-amd64.zip',
    sha256: '45a08590511c8a6a9c6331645e60c41624924e848e29472e87c60ac956d50372',
  },
  'darwin-arm64': {
    file: 'k6-v2.2.0-macos-arm64.zip',
    sha256: '37a028506bf13578de66c906296803775df28cc2504b1a8c5d786b2803e757c7',
  },
  'win32-x64': {
    file: 'k6-v2.2.0-windows-amd64.zip',
    sha256: 'ceb2b1e1cf9dbe1303c6c33ec83ffda86dda5c610b4def92064d3c7ebae8d9f4',
  },
}

const advice =
  'Install k6 v2 (https://grafana.com/docs/k6/latest/set-up/install-k6/) and put it on PATH or name it in K6_BINARY, or install Go 1.25 or newer with access to its module proxy.'

const here = dirname(fileURLToPath(import.meta.url))
const moduleFolder = join(here, 'engine')
const executable = process.platform === 'win32' ? 'k6.exe' : 'k6'
const platform = `${process.platform}-${process.arch}`

/**
 * Finds k6 v2: `K6_BINARY`, `PATH`, the cache, and with `build` also a build of the pinned Go module
 * or the official release archive. Never throws: what is missing comes back as a reason.
 */
export async function findK6(options: FindK6Options): Promise<K6 | MissingK6> {
  const env = options.env ?? process.env
  const onProgress = options.onProgress ?? (() => undefined)

  if (env.K6_BINARY) {
    // An explicitly named binary is never replaced by another one.
    const named = await probe(env.K6_BINARY, 'K6_BINARY')
    if (named) return named
    return {
      missing: `K6_BINARY names ${env.K6_BINARY}, which is not a k6 v2 that runs here.`,
      advice: 'Correct K6_BINARY or unset it.',
    }
  }
  for (const folder of (env.PATH ?? '').split(delimiter).filter(Boolean)) {
    const found = await probe(join(folder, executable), 'PATH')
    if (found) return found
  }
  const build = `${k6Version}-${await sourcesId()}-${platform}`
  const target = join(cacheFolder(env), 'k6', build, executable)
  const cached = await probe(target, 'cache')
  if (cached) return cached
  if (!options.build) {
    return { missing: 'k6 v2 is neither on PATH nor in the cache.', advice, buildable: true }
  }

  const reasons: string[] = []
  for (const [source, obtain] of [
    ['go build', buildModule],
    ['release archive', unpackRelease],
  ] as const) {
    try {
      return await install(target, source, (folder) => obtain(folder, env, onProgress))
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      onProgress(`k6 by ${source}: ${reason}`)
      reasons.push(`${source}: ${reason}`)
    }
  }
  return { missing: `k6 ${k6Version} could not be had. ${reasons.join(' ')}`, advice }
}

/**
 * The environment to run k6 in: k6 reports usage to its maker by default, and with Go's default setting it spends
 * a seventh of its time on garbage collection, because each virtual user has all scripts in memory.
 */
export function k6Environment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return { GOGC: '200', ...env, K6_NO_USAGE_REPORT: 'true' }
}

/** A hash of the sources of our build of k6, so that the cache never confuses two builds. */
async function sourcesId(): Promise<string> {
  const hash = createHash('sha256')
  for (const file of ['go.mod', 'go.sum', 'main.go', 'files.go'])
    hash.update(await readFile(join(moduleFolder, file)))
  return hash.digest('hex').slice(0, 8)
}

async function probe(path: string, source: K6['source']): Promise<K6 | undefined> {
  try {
    await access(path, constants.X_OK)
    if (!(await stat(path)).isFile()) return undefined
    const { output } = await run(path, ['version'], { env: k6Environment() })
    const version = /^k6(?:\.exe)? (v2\.\S+)/m.exec(output)?.[1]
    if (version === undefined) return undefined
    return { path, version, source, streams: output.includes('k6/x/assay') }
  } catch {
    return undefined
  }
}

// Everything happens in a separate folder beside the target; only a binary that has answered is
// renamed into place, so no reader ever sees a partial file.
async function install(
  target: string,
  source: K6['source'],
  obtain: (folder: string) => Promise<string>,
): Promise<K6> {
  const folder = dirname(target)
  await mkdir(folder, { recursive: true })
  await removeLeftovers(folder)
  const work = join(folder, `.work-${process.pid}-${source.replace(' ', '-')}`)
  await mkdir(work, { recursive: true })
  try {
    const made = await probe(await obtain(work), source)
    if (!made) throw new Error('the result does not run here.')
    if (made.version !== k6Version) throw new Error(`the result is ${made.version}.`)
    await rename(made.path, target)
    return { ...made, path: target }
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function removeLeftovers(folder: string): Promise<void> {
  const hourAgo = Date.now() - 3_600_000
  const names = (await readdir(folder)).filter((name) => name.startsWith('.work-'))
  await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }))
      if (mtimeMs < hourAgo) await rm(path, { recursive: true, force: true })
    }),
  )
}

async function buildModule(
  folder: string,
  env: NodeJS.ProcessEnv,
  onProgress: (message: string) => void,
): Promise<string> {
  const binary = join(folder, executable)
  const goEnv: NodeJS.ProcessEnv = {
    ...env,
    CGO_ENABLED: '0',
    GOFLAGS: '-mod=readonly',
    GOWORK: 'off',
  }
  if (!env.HOME && process.platform !== 'win32') {
    // Go refuses to start without a place for its own caches.
    goEnv.GOPATH = env.GOPATH ?? join(cacheFolder(env), 'go')
    goEnv.GOCACHE = env.GOCACHE ?? join(cacheFolder(env), 'go-build')
  }
  onProgress(`building k6 ${k6Version} with Go, about a minute the first time`)
  const args = ['build', '-trimpath', '-buildvcs=false', '-ldflags=-s -w', '-o', binary]
  const { code, output } = await run('go', [...args, '.'], {
    cwd: moduleFolder,
    env: goEnv,
    onSecond: (seconds) => seconds % 15 === 0 && onProgress(`still building k6 (${seconds} s)`),
  }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(error.code === 'ENOENT' ? 'Go is not installed.' : error.message)
  })
  if (code !== 0) throw new Error(`go build ended with ${code}: ${lastLines(output, 3)}.`)
  return binary
}

async function unpackRelease(
  folder: string,
  _env: NodeJS.ProcessEnv,
  onProgress: (message: string) => void,
): Promise<string> {
  const archive = archives[platform]
  if (!archive) throw new Error(`no archive with a known checksum for ${platform}.`)
  const url = `https://github.com/grafana/k6/releases/download/${k6Version}/${archive.file}`
  onProgress(`downloading ${url}`)
  const response = await fetch(url, { signal: AbortSignal.timeout(180_000) }).catch(() => {
    throw new Error(`${url} cannot be reached from here.`)
  })
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`)
  const bytes = Buffer.from(await response.arrayBuffer())
  const sum = createHash('sha256').update(bytes).digest('hex')
  if (sum !== archive.sha256) {
    throw new Error(
      `${archive.file} has SHA-256 ${sum}, not the pinned ${archive.sha256}: refused.`,
    )
  }
  const file = join(folder, archive.file)
  await writeFile(file, bytes)
  // tar reads zip archives too on the systems that get one (macOS, Windows).
  const { code, output } = await run('tar', ['-xf', file, '-C', folder])
  if (code !== 0) throw new Error(`tar ended with ${code}: ${lastLines(output, 2)}.`)
  return join(folder, archive.file.replace(/\.(?:tar\.gz|zip)$/, ''), executable)
}

type RunOptions = {
  cwd?: string
  env?: NodeJS.ProcessEnv
  onSecond?: (seconds: number) => void
}

function run(
  command: string,
  args: string[],
  { cwd, env, onSecond }: RunOptions = {},
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    let seconds = 0
    const timer = setInterval(() => onSecond?.(++seconds), 1000)
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output = (output + chunk).slice(-20_000)
      })
    }
    child.on('error', (error) => {
      clearInterval(timer)
      reject(error)
    })
    child.on('close', (code) => {
      clearInterval(timer)
      resolve({ code, output })
    })
  })
}

function lastLines(text: string, count: number): string {
  return text.trim().split('\n').slice(-count).join(' | ')
}
