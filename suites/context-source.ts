import { environments } from '../contract/environments.ts'
import { drawNip } from '../lib/nip.ts'
import { loadCredentials } from '../lib/node/certificate.ts'
import { makeCertificate, sealSubject } from '../lib/node/pki.ts'
import { Inconclusive } from '../lib/outcome.ts'
import type { Rng } from '../lib/rng.ts'
import { contextWith, selfSigned } from './contexts.ts'
import type { OwnContext } from './contexts.ts'
import type { TargetContext } from '../lib/node/target.ts'
import type { Target } from './target.ts'

const fromPool = (pooled: TargetContext, target: Target): OwnContext => {
  const { kind, value, token, certificate, key } = pooled
  const certified = certificate !== undefined && key !== undefined
  const credentials = certified
    ? loadCredentials(certificate, key)
    : makeCertificate({ subject: sealSubject(value.slice(0, 10)), now: target.now() })
  const by = certified ? 'document' : 'token'
  return contextWith({ type: kind, value }, credentials, target.now, { token, by })
}

/** The first context of the profile that has a service token, where the service is not known to make some. */
export const pooledToken = (target: Target): OwnContext | undefined => {
  if (environments[target.environment].selfSigned && target.confirms('service-tokens'))
    return undefined
  const pooled = target.profile.contexts?.find(({ token }) => token !== undefined)
  return pooled === undefined ? undefined : fromPool(pooled, target)
}

/**
 * Where the contexts of one check come from. Where self-signed seals are accepted, each is a fresh NIP, derived from
 * the seed; elsewhere they come from the pool of the profile, in turn, the first call giving the same to a check as
 * to its repetition, and when it is used up from the management port.
 */
export const createContexts = (target: Target, rng: Rng): (() => Promise<OwnContext>) => {
  const pool = target.profile.contexts ?? []
  const own = environments[target.environment].selfSigned
  let given = 0
  const first = pool.length === 0 ? 0 : rng.int(0, pool.length - 1)
  return async () => {
    if (own) return selfSigned(drawNip(rng), target.now)
    const pooled = pool[(first + given) % pool.length]
    given += 1
    if (pooled !== undefined && given <= pool.length) return fromPool(pooled, target)
    if (target.management !== undefined)
      return fromPool(await target.management.makeContext(), target)
    throw new Inconclusive(
      'find a context',
      `${given} contexts in the profile, it has ${pool.length}`,
    )
  }
}
