import { dialectOf, dialects } from '../../contract/dialects.ts'
import { createClient } from '../../lib/client.ts'
import type { Client } from '../../lib/client.ts'
import { nodeCodec } from '../../lib/node/codec.ts'
import { Unreachable } from '../../lib/node/fetch.ts'
import { contradictionOf, foreignManagement } from '../../lib/node/recognition.ts'
import { needsConsent, proxyOf, sendToTarget } from '../../lib/node/target-send.ts'
import type { TargetProfile } from '../../lib/node/target.ts'
import { alternatives, answerFault } from './answer.ts'
import { connectionFault } from './connection.ts'
import { fault, sound } from './diagnosis.ts'
import type { Diagnosis } from './diagnosis.ts'
import { clockSkew, declared, keyList, logins, sourceAddresses } from './identity.ts'

/** Milliseconds for one call of the preflight where the profile names none: the whole of it ends within two minutes. */
const callTimeout = 10_000

const timeoutOf = ({ timeoutMs = callTimeout }: TargetProfile): number => timeoutMs

/** A client for the looks before a run; it reads and logs in, and nothing else passes its guard on production. */
export const preflightClient = (profile: TargetProfile) => {
  const dialect = dialectOf(profile.dialect ?? 'svc') ?? dialects.svc
  const sender = sendToTarget(profile, {
    dialect,
    timeoutMs: timeoutOf(profile),
  })
  const client = createClient({
    send: sender.send,
    codec: nodeCodec,
    baseUrl: profile.url,
    dialect,
    polling: { everyMs: 500, times: 40 },
  })
  return { client, send: sender.send, close: () => sender.close() }
}

export type PreflightClient = ReturnType<typeof preflightClient>

const connects = async (client: Client, profile: TargetProfile): Promise<Diagnosis | undefined> => {
  try {
    const problem = answerFault(await client.call('auth.challenge'))
    return problem?.id === 'target.prefix' ? await elsewhereAt(profile, problem) : problem
  } catch (error) {
    if (error instanceof Unreachable)
      return connectionFault(error, proxyOf(profile), timeoutOf(profile))
    throw error
  }
}

/** Looks for the service at neighbouring addresses, and in other dialects. */
const neighbourOf = async (profile: TargetProfile): Promise<Located | undefined> => {
  for (const place of alternatives(profile.url, profile.dialect ?? 'svc')) {
    const { client, close } = preflightClient({ ...profile, ...place })
    try {
      if (answerFault(await client.call('auth.challenge')) === undefined) return place
    } catch {
      // Not there either.
    } finally {
      close()
    }
  }
  return undefined
}

/** The fault of a wrong address, with the right one where it was found. */
const elsewhereAt = async (profile: TargetProfile, problem: Diagnosis): Promise<Diagnosis> => {
  const found = await neighbourOf(profile)
  return found === undefined
    ? problem
    : {
        ...problem,
        id: found.url === profile.url ? 'target.dialect' : problem.id,
        advice: `a service of the dialect ${found.dialect} answers at ${found.url}: use this \`url\` and --dialect ${found.dialect}`,
      }
}

export interface Located {
  readonly url: string
  readonly dialect: string
}

/** Where a service answers: at the address itself, or at a neighbouring prefix or in another dialect. */
export const locateService = async (profile: TargetProfile): Promise<Located | Diagnosis> => {
  const { client, close } = preflightClient(profile)
  try {
    const problem = await connects(client, profile)
    if (problem === undefined) return { url: profile.url, dialect: profile.dialect ?? 'svc' }
    const wrongPlace = ['target.prefix', 'target.dialect'].includes(problem.id)
    return (wrongPlace ? await neighbourOf(profile) : undefined) ?? problem
  } finally {
    close()
  }
}

/** The result of a look, or the error that ended it as a fault. */
const diagnose = async (id: string, look: () => Promise<Diagnosis>): Promise<Diagnosis> => {
  try {
    return await look()
  } catch (error) {
    return fault(id, (error as Error).message, 'repair this before a run: most checks depend on it')
  }
}

/** Whether the service is of the environment that the profile names, and what may be written there. */
export const environmentOf = async (
  { client, send }: Pick<PreflightClient, 'client' | 'send'>,
  profile: TargetProfile,
): Promise<Diagnosis> => {
  const foreign = await foreignManagement(send, profile)
  if (foreign !== undefined)
    return fault(
      'target.environment',
      foreign,
      'a management port replaces the consent to write only at its own service: correct `url` or `management`, or remove `management`',
    )
  const contradiction = await contradictionOf(client, profile)
  return contradiction === undefined
    ? consentOf(profile)
    : fault(
        'target.environment',
        `the profile names the environment ${profile.environment ?? ''}, but ${contradiction}`,
        'correct `environment` or `url`: a run would write documents with legal effect',
      )
}

const consentOf = (profile: TargetProfile): Diagnosis => {
  const { environment = 'test', consent } = profile
  if (!needsConsent(profile)) return sound('target.environment', environment)
  return consent === undefined
    ? {
        id: 'target.environment',
        ok: true,
        found: `${environment}: read only`,
        advice: 'calls that create, change or spend need a consent file (`consent` in the profile)',
      }
    : sound(
        'target.environment',
        `${environment}: ${consent.by ?? 'the operator'} consents to ${consent.operations.join(', ')} until ${consent.until}`,
      )
}

/** Everything that can be wrong about a target before the first verdict, in the order in which it matters. */
export const examineTarget = async (profile: TargetProfile): Promise<Diagnosis[]> => {
  const { client, send, close } = preflightClient(profile)
  try {
    const unusable = await connects(client, profile)
    if (unusable !== undefined) return [unusable]
    const environment = await environmentOf({ client, send }, profile)
    if (!environment.ok) return [environment]
    const seen = [sound('target.answers', profile.url), environment]
    // A clock that can be moved may stand anywhere.
    if (profile.management === undefined) {
      const clock = await diagnose('target.clock', () => clockSkew(client))
      seen.push(clock)
      if (!clock.ok) return seen
      seen.push(await diagnose('target.keys', () => keyList(client)))
    }
    seen.push(...(await sourceAddresses(profile)))
    seen.push(...(await declared(client, profile)), ...(await logins(client, profile)))
    return seen
  } finally {
    close()
  }
}
