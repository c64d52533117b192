// `npm run fuzz`: Schemathesis against the reference, with the OpenAPI description that it serves itself.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildAll } from './built.mjs'
import { install } from './install.mjs'
import { Explained, runJob, runLogged, runShown, say, tail } from './process.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const folder = join(root, '.cache/fuzz')

/** Pinned: another version draws other requests from the same seed. */
const schemathesis = 'schemathesis==4.32.5'

/** What every response is checked for. Which requests are right has its own checks in the suite. */
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
]

/** They end the session of the token that the run uses: every later response would be a 401. */
const excluded = ['auth.revokeCurrent', 'auth.revoke']

const help = `npm run fuzz -- [options]

Shows that the reference keeps its own OpenAPI description: Schemathesis calls every operation with
generated requests; every response must conform to the description, and none may be a 5xx. Needs
Python 3; installs its pinned version below .cache.

Options:
  --seconds  Duration, in seconds                   [default: 120]
  --seed     Seed of the requests                   [default: 1]
  --dialect  Dialect of the reference: svc or ksef  [default: svc]
  --help     Print this help

Exit codes: 0 no difference found; 1 a difference found; 2 wrong usage; 3 could not run.`

/** The options, or what is wrong with them. */
function readOptions(args) {
  const options = { seconds: 120, seed: 1, dialect: 'svc' }
  for (let at = 0; at < args.length; at += 2) {
    const [given, value] = [args[at], args[at + 1]]
    const name = given.replace(/^--/, '')
    if (!Object.hasOwn(options, name)) return `there is no option ${given}`
    if (value === undefined) return `${given}: expected a value, received none`
    options[name] = name === 'dialect' ? value : Number(value)
    if (name !== 'dialect' && !Number.isInteger(options[name]))
      return `${given}: expected an integer, received ${JSON.stringify(value)}`
  }
  return options
}

/** The path of the pinned program, installed where it is not there yet. */
async function prepare() {
  const python = ['python3', 'python'].find((name) => {
    const { status, stdout } = spawnSync(name, ['--version'], { encoding: 'utf8' })
    return status === 0 && stdout.startsWith('Python 3.')
  })
  if (python === undefined) {
    throw new Explained('Python 3 is not installed or not on PATH; Schemathesis needs it.')
  }
  const home = join(folder, schemathesis.replace(/\W+/g, '-'))
  const bin = join(home, process.platform === 'win32' ? 'Scripts' : 'bin')
  const program = join(bin, process.platform === 'win32' ? 'schemathesis.exe' : 'schemathesis')
  if (existsSync(program)) return program
  say(`fuzz: installing ${schemathesis} below .cache/fuzz`)
  const logFile = join(root, '.cache/logs/fuzz-install.log')
  const label = 'fuzz: install'
  const made = await runLogged(python, ['-m', 'venv', '--clear', home], { label, logFile })
  if (made.code !== 0) {
    throw new Explained(`${python} -m venv failed (is python3-venv installed?):\n${tail(made.log)}`)
  }
  const args = ['-m', 'pip', 'install', '--disable-pip-version-check', schemathesis]
  const got = await runLogged(join(bin, 'python'), args, { label, logFile })
  if (got.code !== 0) {
    throw new Explained(`pip could not install ${schemathesis}:\n${tail(got.log)}`)
  }
  return program
}

const load = (path) => import(pathToFileURL(join(root, 'dist', path)).href)

/** Logs in with the service token of the profile, as the tester does. */
async function accessToken({ url, contexts }, dialect) {
  const { createClient } = await load('lib/client.js')
  const { nodeCodec } = await load('lib/node/codec.js')
  const { createSend } = await load('lib/node/fetch.js')
  const { loginWithToken } = await load('lib/flows/login.js')
  const sender = createSend()
  try {
    const client = createClient({
      send: sender.send,
      baseUrl: url,
      dialect,
      codec: nodeCodec,
      polling: { everyMs: 50, times: 100 },
    })
    const [{ kind: type, value, token }] = contexts
    return (await loginWithToken(client, { context: { type, value }, token })).accessToken
  } finally {
    sender.close()
  }
}

async function fuzz({ seconds, seed, dialect: id }) {
  await install(root)
  const program = await prepare()
  buildAll()
  const { startServer } = await load('reference/server.js')
  const { dialectOf } = await load('contract/dialects.js')
  const dialect = dialectOf(id)
  if (dialect === undefined)
    throw new Explained(`--dialect: expected svc or ksef, received ${JSON.stringify(id)}.`)
  // The instant at which embedded runs start, so that a seed means the same on any day.
  const startAt = Date.parse('2026-06-15T08:00:00Z')
  const server = await startServer({ dialect: id, limits: 'off', seed, startAt })
  try {
    const bearer = await accessToken(server.profile, dialect)
    say(`fuzz: ${schemathesis} at ${server.url} for ${seconds} s, limits off, seed ${seed}`)
    const args = [
      'run',
      `${server.url}/openapi.json`,
      '--url',
      server.url,
      '--header',
      `Authorization: Bearer ${bearer}`,
      '--checks',
      checks.join(','),
      ...excluded.flatMap((operation) => ['--exclude-operation-id', operation]),
      '--max-time',
      String(seconds),
      '--seed',
      String(seed),
      '--request-timeout',
      '30',
      '--phases',
      'examples,coverage,fuzzing',
      '--continue-on-failure',
      '--no-shrink',
      '--warnings',
      'off',
      '--report',
      'ndjson',
      '--report-dir',
      join(folder, 'report'),
    ]
    const env = { ...process.env, PYTHONUTF8: '1', DO_NOT_TRACK: '1' }
    return await runShown(program, args, { cwd: folder, env })
  } finally {
    await server.close()
    say(`fuzz: seed ${seed}`)
  }
}

const args = process.argv.slice(2)
await runJob(async () => {
  if (args.includes('--help')) {
    console.log(help)
    return 0
  }
  const options = readOptions(args)
  if (typeof options !== 'string') return (await fuzz(options)) === 0 ? 0 : 1
  console.error(`npm run fuzz: ${options}. \`npm run fuzz -- --help\` shows the options.`)
  return 2
})
