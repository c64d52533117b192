import { environments } from '../../../contract/environments.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import { isoDay } from '../../../lib/local-time.ts'
import { readCertificate } from '../../../lib/node/certificate.ts'
import { toCredentials } from '../../../lib/node/credentials.ts'
import { makeCertificate, sealSubject } from '../../../lib/node/pki.ts'
import type { Credentials } from '../../../lib/node/pki.ts'
import type { Rng } from '../../../lib/random.ts'
import { contextWith, selfSigned } from './contexts.ts'
import type { OwnContext } from './contexts.ts'
import { opensContexts, takesOwnContexts } from '../../../lib/node/target.ts'
import type { TargetContext } from '../../../lib/node/target.ts'
import { NotOffered, notOffered } from '../run/not-offered.ts'
import type { Target } from './target.ts'

/** Nothing is ever signed with them. */
const noCredentials = {} as Credentials

/** A context whose certificate was made in the present: no service accepts it where the clock was moved before that. */
const whileValid = (own: OwnContext, now: () => number): OwnContext => {
  const { validFrom } = readCertificate(own.credentials.certificate.toString('base64'))
  return {
    ...own,
    document: (challenge, options = {}) =>
      now() < validFrom && options.credentials === undefined
        ? Promise.reject(
            new NotOffered(
              `the target does not offer: a certificate of the context that is valid on ${isoDay(now())}`,
            ),
          )
        : own.document(challenge, options),
  }
}

const fromPool = (pooled: TargetContext, target: Target): OwnContext => {
  const { kind, value, token, credentials, seal: asked } = pooled
  const context = { type: kind, value }
  if (credentials !== undefined)
    return whileValid(
      contextWith(context, toCredentials(credentials), target.now, { token }),
      target.now,
    )
  if (asked === 'self-signed' && token === undefined) return selfSigned(value, target.now)
  if (environments[target.environment].selfSigned) {
    const seal = makeCertificate({ subject: sealSubject(value.slice(0, 10)), now: target.now() })
    return contextWith(context, seal, target.now, { token, by: 'token' })
  }
  const uncertified = new NotOffered(
    `the target does not offer: a certificate and a key for the context ${kind} ${value}`,
  )
  return {
    ...contextWith(context, noCredentials, target.now, { token, by: 'token' }),
    get credentials(): Credentials {
      throw uncertified
    },
    document: () => Promise.reject(uncertified),
  }
}

/** The first context of the profile with a service token, where the service is not known to create service tokens. */
export const pooledToken = (target: Target): OwnContext | undefined => {
  if (environments[target.environment].selfSigned && target.confirms('service-tokens'))
    return undefined
  const pooled = target.profile.contexts?.find(({ token }) => token !== undefined)
  return pooled === undefined ? undefined : fromPool(pooled, target)
}

/**
 * Where the contexts of one check come from. If the run takes contexts of its own, each is a fresh NIP, derived from the
 * seed. A management port creates them at a target that other checks use too. Otherwise they are taken in turn from the
 * pool of the profile; a repeated check begins with the same one.
 */
export const createContexts = (target: Target, rng: Rng): (() => Promise<OwnContext>) => {
  const pool = target.profile.contexts ?? []
  const own = takesOwnContexts(target.profile)
  // An embedded target starts anew for each check.
  const isNew = target.embedded && pool.length > 0
  const port = opensContexts(target.profile) && !isNew ? target.management : undefined
  let given = 0
  const first = pool.length === 0 ? 0 : rng.int(0, pool.length - 1)
  return async () => {
    if (own) return selfSigned(drawNip(rng), target.now)
    if (port !== undefined) return fromPool(await port.createContext(), target)
    const pooled = pool[(first + given) % pool.length]
    given += 1
    if (pooled !== undefined && given <= pool.length) return fromPool(pooled, target)
    if (target.embedded && target.management !== undefined)
      return fromPool(await target.management.createContext(), target)
    throw notOffered('second', `contexts needed: ${given}, in the profile: ${pool.length}`)
  }
}
