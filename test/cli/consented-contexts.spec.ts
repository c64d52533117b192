import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { endpoint } from '../../contract/endpoints.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import type { EnvironmentId } from '../../contract/environments.ts'
import { startServer } from '../../reference/server/server.ts'
import type { Server } from '../../reference/server/server.ts'
import { runK6 } from '../../cli/load/k6.ts'
import { svc } from '../../contract/dialects/svc.ts'
import { createClient } from '../../lib/client.ts'
import { nodeCodec } from '../../lib/node/codec.ts'
import { loginAs } from '../../lib/node/context-login.ts'
import { createSend } from '../../lib/node/fetch.ts'
import { ownProfile } from '../../lib/node/target.ts'
import type { AssignedLogin } from '../../load/assignment.ts'
import { findK6 } from '../../load/engine.ts'
import type { K6 } from '../../load/engine.ts'
import { runInProcess } from './in-process.ts'
import { startRecorder } from './recorder.ts'
import type { Recorder } from './recorder.ts'

/** A consent that names a context: the service receives no writing call for another, whichever command sends it. */

let folder = ''
test.beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'assay-contexts-'))
})
test.afterAll(() => rmSync(folder, { recursive: true }))

const isWrite = (operation: OperationId): boolean => {
  const { effect, method } = endpoint(operation) as { effect?: string; method: string }
  return (effect ?? (method === 'GET' ? 'reads' : 'writes')) === 'writes'
}

/** For whom the writing calls that a service accepted were made, by its own account. */
const writers = ({ reference }: Server): readonly string[] =>
  reference.journal.after(0).flatMap((entry) => {
    const { operation, context } = entry as { operation?: OperationId; context?: Named }
    return operation !== undefined && context !== undefined && isWrite(operation)
      ? `${context.type} ${context.value}`
      : []
  })

/** Writing calls that carried no token which the service had issued. */
const unknownCallers = ({ writes, issued }: Recorder): readonly string[] =>
  writes().flatMap(({ method, url, authorization = '' }) =>
    issued.has(authorization.replace('Bearer ', '')) || url.includes('/uploads/')
      ? []
      : `${method} ${url}`,
  )

interface Named {
  readonly type: string
  readonly value: string
}

/** A service behind a recorder, whose operator consents to some operations for the first of its contexts. */
const consenting = async (environment: EnvironmentId, operations: readonly string[]) => {
  const service = await startServer({ environment, limits: 'off', seed: 7, contexts: 2 })
  const recorder = await startRecorder(service.url)
  const [mine] = service.profile.contexts
  const name = `${mine?.kind} ${mine?.value}`
  const agreed = path.join(
    folder,
    `${environment}-${operations.join()}.json`.replaceAll('*', 'all'),
  )
  const consent = { address: recorder.url, contexts: [name], operations, until: '2999-12-31' }
  writeFileSync(agreed, JSON.stringify(consent))
  return {
    service,
    recorder,
    name,
    profile: {
      url: recorder.url,
      environment,
      contexts: [mine],
      consent: agreed,
      rateFactor: 1000,
      capabilities: ['token', 'bulk'],
    },
    close: async (): Promise<void> => {
      recorder.close()
      await service.close()
    },
  }
}

const written = (name: string, profile: object): string => {
  const file = path.join(folder, name)
  writeFileSync(file, JSON.stringify(profile))
  return file
}

test('check writes for consented contexts alone, at a sibling too, and for no caller whom nobody logged in', async () => {
  test.setTimeout(120_000)
  const production = await consenting('production', ['*'])
  const demo = await consenting('demo', ['*'])
  try {
    const elsewhere = { demo: demo.profile }
    const target = written('check.json', { ...production.profile, elsewhere })
    const rules = [
      'sessions.online.close',
      'auth.access-token.required',
      'transport.unknown-version',
    ]
    const { out, err } = await runInProcess(
      [
        'check',
        ...rules,
        'invoices.content.check-digits',
        '--target',
        target,
        '--json',
        '--out',
        path.join(folder, 'out'),
      ],
      { env: { ...process.env, ASSAY_SEQUENCE: 'none' } },
    )
    expect(out, err).not.toBe('')
    const { totals } = JSON.parse(out) as { totals: Record<string, number> }
    expect(totals['fail'], err).toBe(0)
    expect(totals['pass']).toBeGreaterThan(5)
    expect(totals['not-verifiable']).toBeGreaterThan(2)
    for (const { service, recorder, name } of [production, demo]) {
      expect(unknownCallers(recorder)).toEqual([])
      expect(new Set(writers(service))).toEqual(new Set([name]))
    }
  } finally {
    await production.close()
    await demo.close()
  }
})

const k6OrSkip = async (): Promise<K6> => {
  const k6 = await findK6({ build: false })
  test.skip('missing' in k6, 'k6 is not installed')
  return k6 as K6
}

for (const scenario of ['session-throughput', 'login-storm'])
  test(`load ${scenario} writes for the consented context alone`, async () => {
    test.setTimeout(120_000)
    await k6OrSkip()
    // The consent to load covers the operations that load consists of.
    const { service, recorder, profile, name, close } = await consenting('production', ['load'])
    try {
      const target = written('load.json', profile)
      const { exit, err } = await runInProcess(
        ['load', scenario, '--target', target, '--limits', 'off', '--count', '20', '--rate', '20'],
        { env: process.env, cwd: folder },
      )
      expect(exit, err).toBe(0)
      expect(writers(service).length).toBeGreaterThan(20)
      expect(new Set(writers(service))).toEqual(new Set([name]))
      expect(unknownCallers(recorder)).toEqual([])
    } finally {
      await close()
    }
  })

interface Given {
  /** A login in the context that did not consent. */
  readonly theirs: AssignedLogin
  readonly mine: AssignedLogin
  readonly token: string
}

const thresholds = { perSecond: 1, perMinute: 10, perHour: 10 }
const opening = { operation: 'sessions.openOnline', body: {} } as const

/** An assignment of each kind that would spend in a context without consent: by a token of it, or by a login. */
const spending: Readonly<Record<string, (given: Given) => object>> = {
  'batch-upload': ({ theirs }) => ({
    ...entering(theirs),
    packages: [{ open: '{}', parts: [] }],
    parallel: 1,
  }),
  'login-storm': ({ mine, theirs, token }) => ({
    ...entering(mine),
    due: [0],
    issued: { session: '', from: '', to: '', invoices: [] },
    login: { context: { type: 'Nip', value: theirs.context.slice(4) }, token },
  }),
  'limit-pace': ({ theirs }) => ({
    clock: { offsetMs: 0 },
    lanes: [
      [
        {
          ...theirs,
          probe: 'pace',
          subjects: [{ row: 'onlineOpen', thresholds, call: opening, already: [] }],
          pauseMs: 0,
          seconds: 1,
          marginMs: 0,
        },
      ],
    ],
  }),
}

const entering = ({ refreshToken, context }: AssignedLogin) => ({
  profile: 'smoke',
  refreshTokens: [refreshToken],
  contexts: [context],
  segments: 1,
  users: 1,
  iterations: 1,
  abortOn: {},
})

for (const [scenario, assignmentFor] of Object.entries(spending))
  test(`the k6 script ${scenario} spends in no context that did not consent`, async () => {
    test.setTimeout(120_000)
    const k6 = await k6OrSkip()
    const { service, recorder, profile, name, close } = await consenting('production', ['load'])
    const sender = createSend()
    try {
      const client = createClient({
        send: sender.send,
        baseUrl: service.url,
        dialect: svc,
        codec: nodeCodec,
      })
      const [first, second] = ownProfile(service.profile).contexts ?? []
      const loggedIn = async (context: typeof first): Promise<AssignedLogin> => ({
        refreshToken: (await loginAs(client, context!)).refreshToken,
        context: `Nip ${context!.value}`,
      })
      const given = {
        mine: await loggedIn(first),
        theirs: await loggedIn(second),
        token: second?.token ?? '',
      }
      const spentWith = async (contexts: readonly string[]): Promise<readonly string[]> => {
        recorder.seen.length = 0
        const consent = {
          address: recorder.url,
          contexts,
          operations: ['load'],
          until: '2999-12-31',
        }
        const assignment = {
          ...assignmentFor(given),
          scenario,
          consent,
          baseUrl: profile.url,
          dialect: 'svc',
          pollEveryMs: 100,
          polls: 20,
          maximumSeconds: 20,
        }
        const file = written('assignment.json', assignment)
        const io = { out: () => undefined, err: () => undefined, env: process.env, cwd: folder }
        await runK6(
          k6,
          { assignment: file, network: {}, onLine: () => undefined },
          { ...io, interactive: false, signal: new AbortController().signal },
        ).catch((error: unknown) => expect(String(error)).toContain('k6 ended with'))
        const spent = ['/sessions/', '/auth/svc-token']
        return recorder.seen
          .filter(({ method, url }) => method === 'POST' && spent.some((one) => url.includes(one)))
          .map(({ url }) => new URL(url).pathname)
      }
      expect(await spentWith([name])).toEqual([])
      expect(await spentWith([name, given.theirs.context])).not.toEqual([])
    } finally {
      sender.close()
      await close()
    }
  })
