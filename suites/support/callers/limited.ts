import type { Permission } from '../../../contract/types.ts'
import type { Client } from '../../../lib/client.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import { makeCertificate, personSubject } from '../../../lib/node/pki.ts'
import type { Rng } from '../../../lib/random.ts'
import { contextWith } from '../service/contexts.ts'
import type { Me, OwnContext } from '../service/contexts.ts'
import { grantInTest } from './grants.ts'
import { createAuthority } from './held.ts'
import { heldAlone } from '../coverage/matrices.ts'
import { mintToken } from './service-token.ts'
import type { Target } from '../service/target.ts'

interface Scene {
  /** Without credentials. */
  readonly api: Client
  readonly login: (options?: {
    readonly context?: OwnContext
    readonly token?: string
  }) => Promise<Me>
  readonly own: OwnContext
  readonly rng: Rng
  readonly target: Target
  /** By a service token even where there are test data. */
  readonly byToken?: boolean
}

/**
 * Logs in a caller with exactly these permissions in a context: a person to whom the test data grant them, or, on a
 * target without test data, a service token that carries them.
 * @throws {Inconclusive} when neither is possible
 */
export const loginLimited = async (
  permissions: readonly string[],
  { api, login, own, rng, target, byToken = false }: Scene,
): Promise<Me> => {
  if (byToken || !target.has('testdata')) {
    const { token } = await mintToken(await login(), permissions)
    return login({ token })
  }
  const nip = drawNip(rng)
  await grantInTest(api, own, { type: 'Nip', value: nip }, permissions)
  const credentials = makeCertificate({ subject: personSubject({ nip }), now: target.now() })
  const { type, value } = own
  return login({ context: contextWith({ type, value }, credentials, target.now) })
}

/** A caller who holds one permission alone. */
interface HolderOfOne {
  readonly who: string
  readonly permission: Permission
  readonly byToken: boolean
  readonly held: Me
}

/** Callers who each hold one permission alone: by a grant where there are test data, and by a service token. */
export const holdersOfOne = async (
  scene: Scene,
  isWanted: (permission: Permission) => boolean = () => true,
): Promise<readonly HolderOfOne[]> => {
  const { api, own, target } = scene
  const withTestData = target.has('testdata')
  // Only an authority knows this one.
  if (withTestData) await createAuthority(api, own.nip)
  const permissions = [...heldAlone, ...(withTestData ? ['EnforcementOperations' as const] : [])]
  const holders: HolderOfOne[] = []
  for (const permission of permissions.filter(isWanted))
    for (const byToken of withTestData ? [false, true] : [true]) {
      const held = await loginLimited([permission], { ...scene, byToken })
      const who = `${byToken ? 'a service token' : 'a person'} with ${permission} alone`
      holders.push({ who, permission, byToken, held })
    }
  return holders
}
