import type { RefusalId } from '../../contract/errors.ts'
import { utc } from '../base/wording.ts'
import type { AnyCall, Answer } from '../call/call.ts'
import type { ContextKind } from '../model/entities.ts'
import { policy } from '../policy/policy.ts'
import type { Mutant } from './mutant.ts'
import { accepts, calls, refuses } from './rewrite.ts'

/** Defects in reading the documents that callers log in with. */

/** What an object of Base64 text encodes. */
const encodedIn = (text: string): string =>
  [...text.matchAll(/[A-Za-z0-9+/=]{64,}/g)]
    .map(([part]) => Buffer.from(part, 'base64').toString())
    .join()

const contextIn = (text: string): RegExpExecArray | null =>
  /<(?:\w+:)?(Nip|InternalId|NipVatUe)>([^<]+)</.exec(text)

/** A challenge that a document or a body names. */
export const challengeIn = (bytes: Uint8Array, body: unknown): string =>
  /Challenge>([^<]+)</.exec(Buffer.from(bytes).toString())?.[1] ??
  String((body as { challenge?: unknown } | undefined)?.challenge)

/** Logs in to the context that a document names, and answers like an authentication that was started. */
export const logIn = async ({ service, bytes, now, address }: AnyCall): Promise<Answer> => {
  const { state, identifiers, jwt } = service
  const text = Buffer.from(bytes).toString()
  const [, type, value = ''] = contextIn(text) ?? contextIn(encodedIn(text)) ?? []
  const referenceNumber = identifiers.reference('AU')
  const { token, validUntil } = jwt.sign({
    stage: 'authentication',
    reference: referenceNumber,
    now,
    lifetime: 600,
    claims: {},
  })
  state.authentications.put({
    referenceNumber,
    method: 'XadesSignature',
    credential: 'SelfSigned',
    context: { type: type as ContextKind, value },
    subject: { type: 'Nip', value: value.slice(0, 10) },
    address,
    startedAt: now,
    validUntil,
    status: { code: 200, description: 'succeeded' },
  })
  return { body: { referenceNumber, authenticationToken: { token, validUntil: utc(validUntil) } } }
}

/** Accepts a document that nobody signed. */
export const acceptsUnsigned = accepts(['auth.xades'], ['signature-missing'], logIn)

/** Accepts a signature although something about it is wrong. */
export const acceptsSignature = (fault: RegExp, ...more: readonly RefusalId[]): Mutant =>
  accepts(['auth.xades'], ['signature-invalid', ...more], (call, { details }) =>
    details.some((detail) => fault.test(detail)) ? logIn(call) : undefined,
  )

/** Accepts the signature of such documents although something about it is wrong. */
const acceptsSuch = (such: RegExp, fault: RegExp): Mutant =>
  accepts(['auth.xades'], ['signature-invalid'], (call, { details }) =>
    such.test(Buffer.from(call.bytes).toString()) && details.some((detail) => fault.test(detail))
      ? logIn(call)
      : undefined,
  )

/** Accepts signatures without signed properties where the key info is signed. */
export const plainIfKeyInfoSigned = acceptsSuch(
  /Reference[^>]* URI="#[^"]*KeyInfo"/,
  /to the signed properties|no signed properties/,
)

/** Accepts such documents although their signature refers to what is not in them. */
export const outsideAccepted = (such: RegExp): Mutant =>
  acceptsSuch(such, /does not name what|names no/)

/** Fails where it should refuse for a reason. */
export const failsWhere = (reason: RegExp): Mutant => ({
  at: ['auth.xades'],
  async exchange(running, next) {
    const response = await next(running)
    return running.exchange.details?.some((detail) => reason.test(detail))
      ? new Response(null, { status: 500 })
      : response
  },
})

/** Refuses documents with this part, which a verifier has to understand. */
export const cannotRead = (part: RegExp): Mutant =>
  refuses(['auth.xades'], 'signature-invalid', ({ bytes }) =>
    part.test(Buffer.from(bytes).toString()),
  )

/** A media type with a parameter is not known. */
export const characterSetRefused: Mutant = refuses(['auth.xades'], 'media-type', ({ headers }) =>
  String(headers['content-type']).includes('charset'),
)

/** An unsigned part is removed before anything is checked. */
export const unread = (part: RegExp): Mutant =>
  calls(['auth.xades'], (call) => ({
    ...call,
    bytes: Buffer.from(Buffer.from(call.bytes).toString().replace(part, '')),
  }))

/** The digest of the key info, which is compared after that of the properties, is not checked. */
export const keyInfoUnverified = (): Mutant => {
  let isSigned = false
  let compared = 0
  return {
    policy: {
      idsUnique(ids) {
        isSigned = ids.some((id) => id.includes('KeyInfo'))
        compared = 0
        return policy.idsUnique(ids)
      },
      digestFits(found, stated) {
        compared += 1
        return (isSigned && compared === 2) || policy.digestFits(found, stated)
      },
    },
  }
}

/** Signatures with keys of a kind are verified by their digests alone. */
export const digestsAlone = (kind: 'ec' | 'rsa'): Mutant => ({
  policy: {
    signatureVerifies: (hash, signed, key, value) =>
      key.key.asymmetricKeyType === kind || policy.signatureVerifies(hash, signed, key, value),
  },
})
