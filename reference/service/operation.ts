import type { OperationId } from '../../contract/endpoints.ts'
import { endpoint } from '../../contract/endpoints.ts'
import type { Endpoint } from '../../contract/types.ts'
import { refuse } from '../base/refusals.ts'
import type { AnyCall, Answer, Caller } from '../call/call.ts'
import type { Exchange } from '../call/exchange.ts'
import type { Service } from '../call/service.ts'
import type { Admission } from '../handlers/handlers.ts'
import { admissionOf, handlerOf } from '../handlers/handlers.ts'
import type { ReadBody, Sender } from '../http/body.ts'
import { readBody } from '../http/body.ts'
import type { Parameters } from '../http/parameters.ts'
import { parametersOf } from '../http/parameters.ts'
import type { Spell } from '../http/spelling.ts'
import type { Validate } from '../http/validate.ts'
import type { Route, Wire } from '../http/wire.ts'
import { callerOf } from '../login/bearer.ts'
import { redact } from '../model/journal.ts'
import { countCall } from '../rates/counting.ts'
import type { Seams } from './seams.ts'
import type { Schemas } from './schemas.ts'

/** One operation: what holds for every call of it, before its handler and after. */

/** A request that found its operation. */
export interface Incoming extends Sender {
  readonly path: Readonly<Record<string, string>>
  /** Address that the call counts for. */
  readonly address: string
  readonly exchange: Exchange
}

/** What the calls of an operation need, prepared once. */
interface Prepared {
  readonly operation: OperationId
  readonly row: Endpoint
  readonly route: Route
  readonly wire: Wire
  readonly seams: Seams
  readonly validateBody: Validate | undefined
  readonly spellBody: Spell | undefined
  readonly parameters: Parameters
  readonly handle: (call: AnyCall) => Promise<Answer>
  readonly admit: Admission | undefined
}

const noQuery = new URLSearchParams()

const queryOf = (url: string): URLSearchParams => {
  const at = url.indexOf('?')
  if (at < 0) return noQuery
  const end = url.indexOf('#', at)
  return new URLSearchParams(url.slice(at + 1, end < 0 ? undefined : end))
}

/** @throws refusals address-not-allowed, missing-permission */
const checkRights = (
  { policy }: Service,
  permissions: Route['permissions'],
  caller: Caller,
  address: string,
) => {
  const allowed = caller.authentication.policy
  if (caller.bearer === 'access' && allowed && !policy.addressAllowed(address, allowed)) {
    throw refuse('address-not-allowed', [], { facts: { reasonCode: 'ip-not-allowed' } })
  }
  if (permissions && !policy.permitted(caller.permissions(), permissions)) {
    throw refuse('missing-permission', `one of ${permissions.join(', ')} is needed`, {
      facts: {
        reasonCode: 'missing-permissions',
        security: {
          requiredAnyOfPermissions: permissions,
          presentPermissions: [...caller.permissions()],
        },
      },
    })
  }
}

/** Counts a call, and checks what its caller may do. */
const admitCaller = (
  service: Service,
  { operation, route }: Prepared,
  { exchange, address }: Incoming,
  caller: Caller,
): void => {
  exchange.context = caller.context
  exchange.login = caller.authentication.referenceNumber
  exchange.bearer = caller.bearer
  if (route.rate !== 'public') countCall(service, operation, route.rate, caller, address)
  checkRights(service, route.permissions, caller, address)
}

/** Who calls, where the operation has a caller. */
const identify = (
  service: Service,
  { operation, route: { bearer, rate } }: Prepared,
  { headers, address }: Incoming,
): Caller | undefined => {
  const isAnonymous = bearer === 'none' || bearer === 'link'
  // By address before the bearer is looked at: these operations have no context yet.
  if (isAnonymous || rate === 'public') countCall(service, operation, rate, undefined, address)
  return isAnonymous
    ? undefined
    : callerOf(service, bearer, headers['authorization'], service.clock.now())
}

/** Has the handler answer a call that has been admitted and read. */
const perform = (
  service: Service,
  prepared: Prepared,
  { request, headers, path, address, exchange }: Incoming,
  caller: Caller | undefined,
  read: ReadBody,
): Promise<Answer> => {
  const { operation, row, wire, seams, parameters, validateBody, spellBody } = prepared
  const { query, violations } = parameters(queryOf(request.url))
  let body: unknown
  if (read.json !== undefined) {
    const { value } = read.json
    const given = spellBody === undefined ? value : spellBody(value)
    body = wire.read(row.request?.schema, given)
    exchange.request = redact(body)
    if (validateBody) violations.push(...validateBody(given))
  }
  if (service.policy.violationsRefuse(violations.length)) {
    const messages = violations.slice(0, 20).map(({ message }) => message)
    throw refuse('invalid-input', messages)
  }
  const now = service.clock.now()
  const { bytes } = read
  return seams.call(
    { operation, path, query, headers, body, bytes, address, now, caller, service },
    prepared.handle,
  )
}

/** Answers a call: identifies and admits its caller, reads its body, and has the handler answer. */
const answer = async (
  service: Service,
  prepared: Prepared,
  incoming: Incoming,
): Promise<Answer> => {
  const caller = identify(service, prepared, incoming)
  if (caller !== undefined) admitCaller(service, prepared, incoming, caller)
  const { operation, admit } = prepared
  admit?.(service, incoming.path, queryOf(incoming.request.url).get('sig'), service.clock.now())
  const read = await readBody(incoming, operation, service.policy)
  return perform(service, prepared, incoming, caller, read)
}

/**
 * Prepares an operation.
 * @returns what answers its calls
 */
export const prepareOperation = (
  operation: OperationId,
  route: Route,
  wire: Wire,
  seams: Seams,
  { dialect, compile, wire: wireSchema, spelling }: Schemas,
): ((incoming: Incoming) => Promise<Answer>) => {
  const row: Endpoint = endpoint(operation)
  const schema = row.request?.schema === undefined ? undefined : { $ref: row.request.schema }
  const prepared: Prepared = {
    operation,
    row,
    route,
    wire,
    seams,
    validateBody: schema && compile(schema),
    spellBody: schema && spelling?.(schema),
    parameters: parametersOf(row.parameters ?? [], route.requires, dialect, compile, wireSchema),
    handle: handlerOf(operation),
    admit: admissionOf(operation),
  }
  return (incoming) => answer(seams.at(operation), prepared, incoming)
}
