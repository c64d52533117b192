import type { Permission } from '../../contract/types.ts'
import type { Instant } from '../base/instants.ts'
import type { Service } from '../call/service.ts'
import type { ContextIdentifier, SubjectIdentifier } from '../model/entities.ts'
import { sha256Hex } from '../base/crypto.ts'

/** Issues service tokens and moves them to their next state. */

const day = 24 * 3600 * 1000

/** The string of a token: reference, context, 32 random bytes. At most 160 characters. */
const spell = (reference: string, context: ContextIdentifier, secret: Uint8Array): string => {
  const kind = context.type[0]!.toLowerCase() + context.type.slice(1)
  return `${reference}|${kind}-${context.value}|${Buffer.from(secret).toString('hex')}`
}

export interface TokenRequest {
  readonly context: ContextIdentifier
  readonly author: SubjectIdentifier
  readonly permissions: readonly Permission[]
  readonly description: string
  readonly now: Instant
  readonly active?: boolean
  /** Its string; chosen by the service when absent. */
  readonly token?: string
}

/** Issues a token. Its string is returned once; the state keeps only a digest. */
export const issueToken = (
  service: Service,
  request: TokenRequest,
): { token: string; referenceNumber: string } => {
  const { identifiers, state } = service
  const chosen = request.token
  const [known] = chosen === undefined ? [] : state.tokens.by('digest', sha256Hex(chosen))
  const referenceNumber = known?.referenceNumber ?? identifiers.reference('EC')
  const token = chosen ?? spell(referenceNumber, request.context, identifiers.bytes(32))
  state.tokens.put({
    referenceNumber,
    digest: sha256Hex(token),
    context: request.context,
    author: request.author,
    description: request.description,
    permissions: request.permissions,
    createdAt: request.now,
    validUntil: request.now + service.limit('serviceToken.days') * day,
    status: request.active ? 'Active' : 'Pending',
  })
  return { token, referenceNumber }
}

/** Activates a pending token, ends the revocation of another. */
export const moveToken = (service: Service, reference: string): void => {
  const token = service.state.tokens.get(reference)
  if (token?.status !== 'Pending' && token?.status !== 'Revoking') return
  const status = token.status === 'Pending' ? 'Active' : 'Revoked'
  service.state.tokens.put({ ...token, status })
  service.journal.add('state', { of: 'token', reference, status })
}
