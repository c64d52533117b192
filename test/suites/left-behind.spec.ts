import { expect, test } from '@playwright/test'
import { svc } from '../../contract/dialects/svc.ts'
import type { Client } from '../../lib/client.ts'
import type { Exchange } from '../../lib/exchange.ts'
import { closeOnline, openOnline } from '../../lib/flows/session.ts'
import { Unreachable } from '../../lib/node/fetch.ts'
import { thresholdsOf } from '../../lib/pacer.ts'
import { selfSigned } from '../../suites/support/service/contexts.ts'
import type { OwnContext } from '../../suites/support/service/contexts.ts'
import {
  authorizeSelfInvoicing,
  byNip,
  grantPerson,
  listGranted,
  revoke,
} from '../../suites/support/callers/grants.ts'
import { tidyUp } from '../../suites/support/cleanup/left-behind.ts'
import { startOwnWork } from '../../suites/support/run/own-work.ts'
import { leavesRoom } from '../../suites/support/service/rated-room.ts'
import { openInProcess } from '../../suites/support/service/target.ts'
import { maxCalls } from '../../suites/support/cleanup/tidying-hand.ts'
import { clientInProcess, loginBy } from '../client-in-process.ts'

/** What a check leaves on a target that runs on is ended and revoked, and nothing that belongs to others is. */

interface Work {
  readonly api: Client
  /** A client that nothing records. */
  readonly aside: Client
  readonly exchanges: readonly Exchange[]
  readonly own: OwnContext
  readonly login: (recorded: boolean, options?: Parameters<typeof loginBy>[2]) => Promise<Client>
}

const atService = async (work: (given: Work) => Promise<void>): Promise<void> => {
  const inProcess = await openInProcess({ seed: 7, dialect: 'svc' })
  const exchanges: Exchange[] = []
  const aside = clientInProcess(inProcess)
  const api = clientInProcess(inProcess, { record: (exchange) => void exchanges.push(exchange) })
  const own = selfSigned('5265877635', inProcess.now)
  try {
    await work({
      api,
      aside,
      exchanges,
      own,
      login: async (recorded, options) => (await loginBy(recorded ? api : aside, own, options)).me,
    })
  } finally {
    await inProcess.close()
  }
}

const refreshTokenIn = (exchanges: readonly Exchange[]): string => {
  const redeemed = exchanges.find(({ operation }) => operation === 'auth.redeem')
  return (redeemed!.body as { refreshToken: { token: string } }).refreshToken.token
}

const anna = { type: 'Pesel', value: '30112206276' }
const agent = '7980332920'

test('sessions, grants and logins of a check are ended, and those before it stay', async () => {
  await atService(async ({ aside, exchanges, login }) => {
    const user = await login(false)
    await grantPerson(user, byNip(agent), ['InvoiceRead'])
    const [before] = await listGranted(user)

    const me = await login(true)
    await openOnline(me, { formCode: 'FA (3)' })
    await closeOnline(me, await openOnline(me, { formCode: 'FA (3)' }))
    await grantPerson(me, anna, ['InvoiceRead', 'InvoiceWrite'])
    await authorizeSelfInvoicing(me, agent)

    const left = await tidyUp(aside, { exchanges })
    expect(left.map(({ what, removed }) => `${what} ${removed}`)).toEqual([
      'session true',
      'permission true',
      'permission true',
      'login true',
    ])
    const refreshed = await aside.call('auth.refresh', { bearer: refreshTokenIn(exchanges) })
    expect(refreshed.status).toBe(401)
    await user.sleep(60_000)
    expect(await listGranted(user)).toEqual([before])
  })
})

test('what the check has ended itself is not left', async () => {
  await atService(async ({ aside, exchanges, login }) => {
    const me = await login(true)
    await grantPerson(me, anna, ['InvoiceRead'])
    const [row] = await listGranted(me)
    await revoke(me, row?.id ?? '')
    await me.sleep(60_000)
    await me.call('auth.revokeCurrent')
    expect(await tidyUp(aside, { exchanges })).toEqual([])
  })
})

test('a check that leaves much is tidied within a bound, and not at all where nothing answers', async () => {
  await atService(async ({ aside, exchanges, login }) => {
    for (let one = 0; one < maxCalls + 3; one += 1) await login(true)
    const calls: string[] = []
    const countedFor: (string | undefined)[] = []
    const counting = (answers: boolean): Client => ({
      ...aside,
      with: (identity) => {
        const client = aside.with(identity)
        countedFor.push(identity.context)
        return {
          ...client,
          call: (operation, options) => {
            calls.push(operation)
            return answers
              ? client.call(operation, options)
              : Promise.reject(new Unreachable('http://service.test', 'ETIMEDOUT', undefined))
          },
        }
      },
    })
    const silent = await tidyUp(counting(false), { exchanges })
    expect(silent.filter(({ removed }) => removed)).toEqual([])
    expect(calls).toHaveLength(1)
    await tidyUp(counting(true), { exchanges, lost: true })
    expect(calls).toHaveLength(1)
    // The calls of a login are public: only its request shows the context.
    const full = { leavesRoom: () => Promise.resolve(false) }
    const listed = await tidyUp(counting(true), { exchanges, ...full })
    expect(listed).toHaveLength(maxCalls + 3)
    expect(listed.filter(({ removed }) => removed)).toEqual([])
    expect(calls).toHaveLength(1)
    const left = await tidyUp(counting(true), { exchanges })
    expect(new Set(countedFor)).toEqual(new Set(['Nip 5265877635']))
    expect(left.filter(({ removed }) => removed)).toHaveLength(maxCalls)
    expect(left).toHaveLength(maxCalls + 3)
  })
})

test('in a shared context, half of an hourly limit is left to the checks', async () => {
  const { perHour = 0 } = thresholdsOf('default', svc) ?? {}
  const leavesAfter = (calls: number) => {
    const counted = () =>
      Promise.resolve({ times: Array.from({ length: calls }, () => 0), blockedUntil: 0 })
    const target = { room: { counted }, dialect: svc, management: undefined, profile: {} }
    return leavesRoom(target, 'Nip 1', 'auth.revokeCurrent')
  }
  for (const shared of [true, false]) {
    startOwnWork(shared)
    expect(await leavesAfter(perHour / 2 - 1)).toBe(true)
    expect(await leavesAfter(perHour / 2)).toBe(!shared)
  }
})
