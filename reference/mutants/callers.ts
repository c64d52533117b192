import type { OperationId } from '../../contract/endpoints.ts'
import type { RefusalId } from '../../contract/errors.ts'
import { refuse } from '../base/refusals.ts'
import type { AnyCall } from '../call/call.ts'
import type { ContextIdentifier, SubjectIdentifier } from '../model/entities.ts'
import { keyOf } from '../model/entities.ts'
import { policy } from '../policy/policy.ts'
import { aliasesOf } from '../rights/rights.ts'
import type { Mutant } from './mutant.ts'
import { calls, refuses } from './rewrite.ts'

/** Another caller than the one that called. */
export const asCaller = (
  at: Parameters<typeof calls>[0],
  rewrite: (caller: NonNullable<Parameters<Parameters<typeof calls>[1]>[0]['caller']>) => object,
): Mutant =>
  calls(at, (call) =>
    call.caller === undefined
      ? call
      : { ...call, caller: { ...call.caller, ...rewrite(call.caller) } },
  )

/** Callers who are taken for the one with the linked identifier of a kind. */
export const takenFor = (kind: SubjectIdentifier['type'], at: readonly OperationId[]): Mutant =>
  calls(at, (call) => {
    const { caller, service } = call
    const other = caller && aliasesOf(service, caller.subject).find((alias) => alias.type === kind)
    return caller === undefined || other === undefined
      ? call
      : { ...call, caller: { ...caller, subject: other } }
  })

/** The token of an operation is decoded, and not verified. */
export const onlyDecoded = (operation: OperationId): Mutant => ({
  at: [operation],
  policy: { tokenAuthentic: () => true },
})

/** A token of another kind is taken once the access token that was issued last has ended. */
export const takenOnceEnded = (
  at: readonly OperationId[],
  kind: 'refresh' | 'authentication',
): Mutant => ({
  at,
  policy: { bearerFits: (given, wanted) => given === kind || policy.bearerFits(given, wanted) },
  call(call, next) {
    const { caller, service, now } = call
    if (caller?.bearer !== kind) return next(call)
    const { redeemedAt, refreshedAt = redeemedAt ?? now } = caller.authentication
    if (now - refreshedAt < service.limit('accessToken.lifetime') * 1000)
      throw refuse('wrong-token')
    return next(call)
  },
})

/** Calls that are refused only after they took effect. */
export const refusedTooLate = (
  refusal: RefusalId,
  isRefused: (call: AnyCall) => boolean,
): Pick<Mutant, 'call'> => ({
  async call(call, next) {
    if (!isRefused(call)) return next(call)
    try {
      await next(call)
    } catch {
      // Refused for another reason as well.
    }
    throw refuse(refusal)
  },
})

export const reference = ({ path }: AnyCall): string => path['referenceNumber'] ?? ''

/** A resource is found in whatever context its owner works at present. */
export const ofTheSubject = (
  at: readonly OperationId[],
  find: (
    call: AnyCall,
  ) => { readonly context: ContextIdentifier; readonly by?: SubjectIdentifier } | undefined,
): Mutant =>
  calls(at, (call) => {
    const found = find(call)
    const { caller } = call
    if (caller === undefined || found?.by === undefined) return call
    if (keyOf(found.by) !== keyOf(caller.subject)) return call
    return { ...call, caller: { ...caller, context: found.context } }
  })

/** What a call names is found in whatever context it is. */
export const whereverItIs = (
  at: readonly OperationId[],
  find: (
    call: AnyCall,
  ) => { readonly context: ContextIdentifier; readonly subject: SubjectIdentifier } | undefined,
): Mutant =>
  calls(at, (call) => {
    const { context, subject } = find(call) ?? {}
    const { caller } = call
    return caller && context && subject
      ? { ...call, caller: { ...caller, context, subject } }
      : call
  })

/** Tokens of a login that an operation takes from the address of the login only, whatever that says. */
export const boundToItsAddress = (operation: OperationId): Mutant =>
  refuses(
    [operation],
    'wrong-token',
    ({ caller, address }) => caller?.authentication.address !== address,
  )

/** Logins by a service token get what was answered before any other was set: the defaults. */
export const defaultsForTokens = (operation: 'limits.context' | 'limits.subject'): Mutant => ({
  at: [operation],
  call(call, next) {
    if (call.caller?.authentication.token === undefined) return next(call)
    const nobody = { type: 'Nip', value: '0000000000' } as const
    return next({ ...call, caller: { ...call.caller, context: nobody, subject: nobody } })
  },
})

/** Other environments have the test data operations too, and show them to who sends a signed token. */
export const thereForCallers = (): Mutant => {
  let isSigned = false
  return {
    policy: {
      operationExists: (environments, id) => isSigned || policy.operationExists(environments, id),
    },
    exchange(running, next) {
      isSigned = /\.[^.]{20,}$/.test(running.headers['authorization'] ?? '')
      return next(running)
    },
  }
}
