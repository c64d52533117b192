import { limits } from '../../contract/limits.ts'
import { capabilities } from '../../contract/types.ts'
import type { Client } from '../../lib/client.ts'
import { fetchChallenge } from '../../lib/flows/login.ts'
import type { Login } from '../../lib/flows/login.ts'
import { chooseKey, fetchKeys } from '../../lib/flows/keys.ts'
import { Inconclusive } from '../../lib/outcome.ts'
import { retryAfterMs } from '../../lib/retry-after.ts'
import { loginAs, loginWays } from '../../lib/node/context-login.ts'
import type { LoginWay } from '../../lib/node/context-login.ts'
import { opensContexts } from '../../lib/node/target.ts'
import type { TargetProfile } from '../../lib/node/target.ts'
import { usableAddresses } from '../../lib/node/source-addresses.ts'
import { hasTestdata } from '../../lib/node/recognition.ts'
import { passingAdvice } from './answer.ts'
import { fault, sound } from './diagnosis.ts'
import type { Diagnosis } from './diagnosis.ts'
import { reportedLimits } from './limits.ts'

/** What the service says about itself and about the profile's credentials. Every call here reads or logs in. */

const words = (ms: number): string =>
  ms >= 7_200_000 ? `${Math.round(ms / 3_600_000)} hours` : `${Math.round(ms / 60_000)} minutes`

/** A clock that is off by more than the validity of a challenge makes every signed login meaningless. */
export const clockSkew = async (client: Client): Promise<Diagnosis> => {
  const { timestamp } = await fetchChallenge(client)
  const skew = timestamp - client.now()
  const allowed = limits['challenge.lifetime'].value * 1000
  if (Math.abs(skew) <= allowed)
    return sound('target.clock', `within ${Math.ceil(Math.abs(skew) / 1000)} s of this machine`)
  const which = skew > 0 ? 'ahead of' : 'behind'
  return fault(
    'target.clock',
    `the service's clock is ${words(Math.abs(skew))} ${which} this machine`,
    'set the clock that is wrong; logins and dates cannot be checked with this difference',
  )
}

export const keyList = async (client: Client): Promise<Diagnosis> => {
  const keys = await fetchKeys(client)
  const missing = (['SvcTokenEncryption', 'SymmetricKeyEncryption'] as const).filter(
    (usage) => chooseKey(keys, usage, client.now()) === undefined,
  )
  return missing.length === 0
    ? sound('target.keys', `${keys.length} public key certificates`)
    : {
        id: 'target.keys',
        ok: false,
        found: `no public key certificate is valid now for ${missing.join(' and ')}`,
        advice: 'sessions or token logins cannot work; `keys.list.usages` will report it',
      }
}

const rightsOf = async (client: Client, { accessToken }: Login): Promise<string> => {
  const { status, body } = await client
    .with({ bearer: accessToken })
    .call('permissions.queryPersonal', { body: {} })
  const rows = (body as { permissions?: { permissionScope?: string }[] } | undefined)?.permissions
  if (status !== 200 || rows === undefined) return 'logged in'
  const scopes = [...new Set(rows.flatMap(({ permissionScope }) => permissionScope ?? []))]
  return scopes.length === 0 ? 'logged in' : `logged in; granted: ${scopes.join(', ')}`
}

const limitsFor = async (
  client: Client,
  { accessToken }: Login,
  profile: TargetProfile,
): Promise<Diagnosis> => {
  try {
    return await reportedLimits(client.with({ bearer: accessToken }), profile)
  } catch (error) {
    return {
      id: 'target.limits',
      ok: false,
      found: (error as Error).message,
      advice: 'the limits of the contract are kept; set `rateFactor` where the service allows less',
    }
  }
}

/** Addresses that the profile lists and this machine does not have: every check from them would end without an answer. */
export const sourceAddresses = async ({ addresses = [] }: TargetProfile): Promise<Diagnosis[]> => {
  const usable = await usableAddresses(addresses)
  return addresses
    .filter((address) => !usable.includes(address))
    .map((address) =>
      fault(
        `target.address ${address}`,
        'this machine cannot call from this address',
        'list under `addresses` only addresses of this machine, or add it to a network interface',
      ),
    )
}

/** Maximum number of times that a login is tried. */
const tries = 3

/** Milliseconds; a service that asks for a longer wait is not waited for, so that the preflight has its bound. */
const longestWait = 10_000

/** The answer at which a flow ended, if it did at one. */
const answerOf = (error: unknown) => (error instanceof Inconclusive ? error.exchange : undefined)

/** Tries again what failed at an answer that passes: a run reports such answers, it does not end at one. */
const persistently = async <Result>(client: Client, attempt: () => Promise<Result>) => {
  for (let turn = 1; ; turn++)
    try {
      return await attempt()
    } catch (error) {
      const answer = answerOf(error)
      if (turn === tries || answer === undefined || passingAdvice(answer) === undefined) throw error
      const waitMs = retryAfterMs(answer.headers['retry-after'], client.now()) ?? 1_000
      if (waitMs > longestWait) throw error
      await client.sleep(waitMs)
    }
}

const failedLogin = (id: string, way: LoginWay, error: unknown): Diagnosis => {
  const answer = answerOf(error)
  return fault(
    id,
    (error as Error).message,
    (answer && passingAdvice(answer)) ??
      `check the ${way} of this context in the profile: is it for this environment, valid, and granted rights?`,
  )
}

/** One login for each credential of the profile, and the limits that the service reports to the first of them. */
export const logins = async (client: Client, profile: TargetProfile): Promise<Diagnosis[]> => {
  const results: Diagnosis[] = []
  let first: Login | undefined
  for (const context of profile.contexts ?? [])
    for (const way of loginWays(context)) {
      const id = `target.login ${context.kind} ${context.value} by ${way}`
      try {
        const login = await persistently(client, () => loginAs(client, context, way))
        results.push(sound(id, await rightsOf(client, login)))
        first ??= login
      } catch (error) {
        results.push(failedLogin(id, way, error))
      }
    }
  return first === undefined ? results : [...results, await limitsFor(client, first, profile)]
}

/** Why a profile cannot have a capability, or false. */
const lackingIn = (
  profile: TargetProfile,
  testdata: boolean,
): Readonly<Record<string, string | false>> => {
  const {
    environment = 'test',
    management,
    contexts = [],
    addresses = [],
    elsewhere = {},
  } = profile
  const opens = opensContexts(profile)
  const noPort = management === undefined && 'there is no `management` port'
  return {
    // A management port makes contexts, tokens and all.
    token:
      noPort && !contexts.some(({ token }) => token !== undefined) && 'no context has a `token`',
    second: !opens && contexts.length < 2 && '`contexts` names fewer than two',
    fresh:
      !opens && `the environment ${environment} accepts no self-signed seals that would open one`,
    testdata: !testdata && 'POST /testdata/subject does not exist there',
    clock: noPort,
    rotate: noPort,
    ips: noPort && addresses.length < 2 && '`addresses` names fewer than two',
    env: Object.keys(elsewhere).length === 0 && '`elsewhere` names no environment',
  }
}

/** The capabilities that a profile declares and does not have. @param where other than at the target itself */
const overdeclared = (profile: TargetProfile, testdata: boolean, where = ''): Diagnosis[] => {
  const lacking = lackingIn(profile, testdata)
  return (profile.capabilities ?? []).flatMap((capability) => {
    const reason = lacking[capability]
    return reason === undefined || reason === false
      ? []
      : [
          {
            ...fault(
              `target.capability ${capability}${where}`,
              `the profile declares ${capability} (${capabilities[capability]})${where}, but ${reason}`,
              `remove "${capability}" from its \`capabilities\`, or add what it takes`,
            ),
            // A service may answer a wrong method with 404, and this look sends no other.
            essential: capability !== 'testdata',
          },
        ]
  })
}

/** What a declared capability takes, here and elsewhere; one that is not there would only collect failures. */
export const declared = async (client: Client, profile: TargetProfile): Promise<Diagnosis[]> => {
  const testdata =
    profile.capabilities?.includes('testdata') === true && (await hasTestdata(client))
  return [
    ...overdeclared(profile, testdata),
    ...Object.entries(profile.elsewhere ?? {}).flatMap(([environment, sibling]) =>
      // Nothing is sent there before the run.
      overdeclared(sibling, true, ` in ${environment}`),
    ),
  ]
}
