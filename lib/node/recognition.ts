import { environments } from '../../contract/environments.ts'
import type { Client } from '../client.ts'
import { readError } from '../errors.ts'
import type { Exchange, Send } from '../exchange.ts'
import { fetchKeys } from '../flows/keys.ts'
import { fetchChallenge, settleAuthentication, startWithDocument } from '../flows/login.ts'
import { drawNip } from '../identifiers/nip.ts'
import { outcomeOf } from '../outcome.ts'
import { rngFor } from '../random.ts'
import { wireOperation } from '../wire.ts'
import { makeCertificate, sealSubject } from './pki.ts'
import { documentSigner } from './signer.ts'
import { isGuarded } from './target-send.ts'
import type { TargetProfile } from './target.ts'

/** Finds out which environment a service is in, only by reading calls and logins. */

const testdata = 'testdata.createSubject'

const isRefusalOfContract = ({ client, answer }: { client: Client; answer: Exchange }): boolean =>
  answer.status >= 400 && answer.status < 500 && readError(answer, client.dialect) !== undefined

/**
 * Whether the test-data operations exist: their path refuses a wrong method, and a similar path that no service has is
 * answered differently. A gateway that answers every unknown path alike is not a test environment.
 * Rejects when the target cannot be reached.
 */
export async function hasTestdata(client: Client): Promise<boolean> {
  const answer = await client.call(testdata, { method: 'GET' })
  const ofMethod = answer.status === 405
  if (answer.status === 404 || !(ofMethod || isRefusalOfContract({ client, answer }))) return false
  const { path } = wireOperation(testdata, client.dialect)
  const beside = await client.call(testdata, { method: 'GET', rawPath: `${path}-of-nobody` })
  return ofMethod ? beside.status !== 405 : beside.status === 404
}

/** The result of an attempt, or undefined if the service's answer does not show it. */
const ifAnswered = async <T>(look: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await look()
  } catch (error) {
    if (outcomeOf(error)?.kind !== 'inconclusive') throw error
    return undefined
  }
}

const productionKeys = environments.production.keysFrom

/**
 * What the dates of the public keys say: production lists none from before its calendar begins, and its first starts at
 * that very moment. Undefined if all are later, for example after a rotation.
 */
export const isProductionByKeys = (client: Client): Promise<boolean | undefined> =>
  ifAnswered(async () => {
    const first = Math.min(...(await fetchKeys(client)).map(({ validFrom }) => validFrom))
    const since = Date.parse(productionKeys)
    return first === since ? true : first < since ? false : undefined
  })

const certificateRefused = 460

/** Whether a self-signed seal is refused, as in every environment but test; undefined if the login ends otherwise. */
const refusesSelfSigned = (client: Client): Promise<boolean | undefined> =>
  ifAnswered(async () => {
    const { timestamp: now } = await fetchChallenge(client)
    const value = drawNip(rngFor({ seed: now, rule: 'recognition' }))
    const credentials = makeCertificate({ subject: sealSubject(value), now })
    const context = { type: 'Nip', value } as const
    const started = await startWithDocument(client, documentSigner({ context, credentials }))
    const { succeeded, status } = await settleAuthentication(client, started)
    return succeeded ? false : status.code === certificateRefused ? true : undefined
  })

/**
 * What the service shows that contradicts its profile, if the environment stated there is less guarded than production;
 * undefined if nothing does. A seal is only tried if keys and test-data operations do not decide.
 */
export async function contradictionOf(
  client: Client,
  { environment = 'production' }: TargetProfile,
): Promise<string | undefined> {
  if (environment === 'production') return undefined
  const byKeys = await isProductionByKeys(client)
  if (byKeys === true) return `its public keys are valid from ${productionKeys}, as in production`
  if (byKeys === false || environment !== 'test') return undefined
  if ((await ifAnswered(() => hasTestdata(client))) !== false) return undefined
  return (await refusesSelfSigned(client)) === true
    ? 'it has no test-data operations and refuses a self-signed seal, as production does'
    : undefined
}

/** The service that a management port states as its own; undefined if it states none. */
const statedUrl = (send: Send, management: string): Promise<string | undefined> =>
  ifAnswered(async () => {
    const url = `${management.replace(/\/+$/, '')}/`
    const { body } = await send({ method: 'GET', url, headers: {} })
    try {
      const { url: stated } = Object(JSON.parse(new TextDecoder().decode(body))) as {
        url?: unknown
      }
      return typeof stated === 'string' ? stated.replace(/\/+$/, '') : undefined
    } catch {
      return undefined
    }
  })

/**
 * Why a management port does not belong to its service, for a service that would need consent if it had no management
 * port; undefined if there is no such service. Looks at the target and its siblings.
 */
export async function foreignManagement(
  send: Send,
  profile: TargetProfile,
): Promise<string | undefined> {
  for (const one of [profile, ...Object.values(profile.elsewhere ?? {})]) {
    const { management, url } = one
    if (management === undefined || !isGuarded(one)) continue
    const stated = await statedUrl(send, management)
    if (stated !== url)
      return `the management port ${management} ${stated === undefined ? 'does not state which service it belongs to' : `states that it belongs to ${stated}`}, not to ${url}`
  }
  return undefined
}
