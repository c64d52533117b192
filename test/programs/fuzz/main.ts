import { mkdirSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { runChild } from '../../../cli/child.ts'
import { dialectOf } from '../../../contract/dialects.ts'
import { startServer } from '../../../reference/server/server.ts'
import { enter } from '../bench/served.ts'
import { readCommandLine } from '../command-line.ts'
import { installSchemathesis } from '../schemathesis.ts'

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

/** The instant at which embedded runs start, so that a seed means the same on any day. */
const startAt = Date.parse('2026-06-15T08:00:00Z')

interface Effort {
  readonly seconds: number
  readonly seed: number
  readonly dialect: 'svc' | 'ksef'
}

const say = (text: string) => process.stderr.write(`fuzz: ${text}\n`)

/** @returns whether every response conforms to the description */
const fuzz = async ({ seconds, seed, dialect }: Effort, stop: AbortSignal): Promise<boolean> => {
  const command = await installSchemathesis()
  const folder = path.resolve('.cache', 'fuzz')
  mkdirSync(folder, { recursive: true })
  const server = await startServer({ dialect, limits: 'off', seed, startAt })
  try {
    const { accessToken, close } = await enter(server.profile, dialectOf(dialect))
    close()
    say(`Schemathesis at ${server.url} for ${seconds} s, limits off, seed ${seed}`)
    const options: Readonly<Record<string, string>> = {
      '--url': server.url,
      '--header': `Authorization: Bearer ${accessToken}`,
      '--checks': checks.join(','),
      '--max-time': String(seconds),
      '--seed': String(seed),
      '--request-timeout': '30',
      '--phases': 'examples,coverage,fuzzing',
      '--warnings': 'off',
      '--report': 'ndjson',
      '--report-dir': path.join(folder, 'report'),
    }
    const { code } = await runChild(
      {
        command,
        args: [
          'run',
          `${server.url}/openapi.json`,
          '--continue-on-failure',
          '--no-shrink',
          ...excluded.flatMap((operation) => ['--exclude-operation-id', operation]),
          ...Object.entries(options).flat(),
        ],
        cwd: folder,
        env: { ...process.env, PYTHONUTF8: '1', DO_NOT_TRACK: '1' },
        onText: (text) => process.stdout.write(text),
        keeps: false,
      },
      stop,
    )
    return code === 0
  } finally {
    await server.close()
    say(`seed ${seed}`)
  }
}

const asked = await readCommandLine({
  command: 'npm run fuzz --',
  shows:
    'Shows that the reference keeps its own OpenAPI description: Schemathesis calls every operation with generated requests; every response must conform to the description, and none may be a 5xx. Installs Schemathesis into .cache (Python 3); exits with 3 when that fails.',
  options: {
    seconds: { type: 'number', default: 120, describe: 'Duration, in seconds' },
    seed: { type: 'number', default: 1, describe: 'Seed of the requests' },
    dialect: {
      choices: ['svc', 'ksef'] as const,
      default: 'svc' as const,
      describe: 'Dialect of the reference',
    },
  },
})
if (asked !== undefined) {
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  try {
    process.exitCode = (await fuzz(asked, stop.signal)) ? 0 : 1
  } catch (error) {
    say((error as Error).message)
    process.exitCode = 3
  }
  if (stop.signal.aborted) process.exitCode = 130
}
