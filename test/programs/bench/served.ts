import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Dialect } from '../../../contract/dialect.ts'
import { svc } from '../../../contract/dialects/svc.ts'
import { createClient } from '../../../lib/client.ts'
import type { Client } from '../../../lib/client.ts'
import { loginWithToken } from '../../../lib/flows/login.ts'
import { nodeCodec } from '../../../lib/node/codec.ts'
import { createSend } from '../../../lib/node/fetch.ts'
import type { Profile } from '../../../reference/server/server.ts'

/** A process that listens, and says where on its first line. */
export interface Listener {
  readonly line: string
  /** Processor time that it used so far, seconds; undefined where the system does not tell. */
  cpu(): number | undefined
  stop(): Promise<void>
}

/** Starts a script of this build and awaits its first line. `BENCH_PROFILES` names a folder for CPU profiles of it. */
export const listen = async (script: string, ...args: string[]): Promise<Listener> => {
  const file = fileURLToPath(new URL(script, import.meta.url))
  const profiles = process.env['BENCH_PROFILES']
  const flags = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`]
  const child = spawn(process.execPath, [...flags, file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const first = await createInterface(child.stdout)[Symbol.asyncIterator]().next()
  if (first.done) throw new Error(`${script} ended at once`)
  return {
    line: first.value,
    cpu: () => cpuOf(child.pid!),
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** User and system time of a process, from the proc file system: hundredths of a second. */
export const cpuOf = (pid: number): number | undefined => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return undefined
  }
}

export interface Session {
  readonly url: string
  readonly seller: string
  /** Of the context's owner. */
  readonly api: Client
  readonly accessToken: string
  readonly refreshToken: string
  readonly close: () => void
}

/** Logs in to a reference service that just started. */
export const enter = async (
  profile: {
    readonly url: string
    readonly contexts: readonly { readonly value: string; readonly token: string }[]
  },
  dialect: Dialect = svc,
): Promise<Session> => {
  const sender = createSend()
  const client = createClient({
    send: sender.send,
    baseUrl: profile.url,
    dialect,
    codec: nodeCodec,
    polling: { everyMs: 20, times: 3000, atMostMs: 50 },
  })
  const [context] = profile.contexts
  if (context === undefined) throw new Error('the profile has no context')
  const { accessToken, refreshToken } = await loginWithToken(client, {
    context: { type: 'Nip', value: context.value },
    token: context.token,
  })
  return {
    url: profile.url,
    seller: context.value,
    api: client.with({ bearer: accessToken }),
    accessToken,
    refreshToken,
    close: () => sender.close(),
  }
}

/** The reference service in a process of its own, without rate limits. */
export const serveReference = async (): Promise<Listener & { readonly profile: Profile }> => {
  const listener = await listen(
    '../../../cli/main.js',
    'serve',
    '--port=0',
    '--limits=off',
    '--json',
  )
  return { ...listener, profile: JSON.parse(listener.line) as Profile }
}
