import type { ServiceToken } from '../model/entities.ts'
import { keyOf } from '../model/entities.ts'
import type { Handlers, ProtectedCall } from '../call/call.ts'
import { page } from '../http/paging.ts'
import { refuse } from '../base/refusals.ts'
import { utc, utcOrNull } from '../base/wording.ts'
import { aliasesOf } from '../rights/rights.ts'
import { issueToken } from '../login/service-tokens.ts'

/** Service tokens: created, listed, revoked. Source: specification, Service token; gap service-tokens. */

const record = (token: ServiceToken) => ({
  referenceNumber: token.referenceNumber,
  authorIdentifier: token.author,
  contextIdentifier: token.context,
  description: token.description,
  requestedPermissions: token.permissions,
  dateCreated: utc(token.createdAt),
  lastUseDate: utcOrNull(token.lastUseAt),
  status: token.status,
  statusDetails: token.details ?? null,
})

/** Tokens that the caller may see: all of the context if the caller may read credentials, else its own. */
const visible = (call: ProtectedCall): ServiceToken[] => {
  const { service, caller } = call
  const { policy, state } = service
  const mine = new Set(aliasesOf(service, caller.subject).map(keyOf))
  const all =
    caller.permissions().has('CredentialsManage') || caller.permissions().has('CredentialsRead')
  return state.tokens
    .by('context', keyOf(caller.context))
    .filter((token) =>
      policy.tokenVisible(
        all,
        caller.authentication.token === undefined
          ? mine.has(keyOf(token.author))
          : token.referenceNumber === caller.authentication.token,
      ),
    )
}

const place = ({ createdAt, referenceNumber }: ServiceToken): string =>
  `${String(createdAt).padStart(16, '0')} ${referenceNumber}`

/** How long activating and revoking take, ms. */
const tokenDelay = 20

const contains = (text: string, part: unknown): boolean =>
  typeof part !== 'string' || text.toLowerCase().includes(part.toLowerCase())

export const tokensHandlers = {
  'tokens.create': (call) => {
    const { service, caller, now } = call
    const { body } = call
    if (!service.policy.tokenContextFits(caller.context.type)) throw refuse('token-context-unfit')
    const lacking = body.permissions.filter((permission) => !caller.permissions().has(permission))
    if (!service.policy.tokenPermissionsFit(lacking)) {
      throw refuse('token-permissions-lacking', `lacking: ${lacking.join(', ')}`)
    }
    const { token, referenceNumber } = issueToken(service, {
      context: caller.context,
      author: caller.subject,
      permissions: [...new Set(body.permissions)],
      description: body.description,
      now,
    })
    service.schedule.later('token', referenceNumber, tokenDelay)
    return { body: { referenceNumber, token } }
  },

  'tokens.list': (call) => {
    const { query, service } = call
    const states = query['status'] as readonly string[] | undefined
    const found = visible(call)
      .filter(
        (token) =>
          (states === undefined || states.includes(token.status)) &&
          contains(token.description, query['description']) &&
          contains(token.author.value, query['authorIdentifier']) &&
          (query['authorIdentifierType'] === undefined ||
            token.author.type === query['authorIdentifierType']),
      )
      .toSorted((a, b) => (place(a) < place(b) ? 1 : -1))
    const { items, continuationToken } = page(service, found, {
      scope: `tokens ${keyOf(call.caller.context)} ${JSON.stringify({ ...query, pageSize: undefined })}`,
      size: Number(query['pageSize']),
      token: call.headers['x-continuation-token'],
      place,
      after: (token, at) => place(token) < at,
    })
    return { body: { tokens: items.map(record), continuationToken } }
  },

  'tokens.status': (call) => {
    const token = visible(call).find((one) => one.referenceNumber === call.path.referenceNumber)
    if (token === undefined) throw refuse('token-unknown')
    return { body: record(token) }
  },

  'tokens.revoke': (call) => {
    const { service, caller } = call
    const token = visible(call).find((one) => one.referenceNumber === call.path.referenceNumber)
    if (token === undefined) throw refuse('token-unknown')
    const own =
      token.referenceNumber === caller.authentication.token ||
      (caller.authentication.token === undefined && keyOf(token.author) === keyOf(caller.subject))
    const manages = caller.permissions().has('CredentialsManage')
    if (!service.policy.tokenMayBeRevoked(manages, own))
      throw refuse('missing-permission', 'CredentialsManage is needed')
    if (service.policy.tokenRevocable(token.status)) {
      service.state.tokens.put({ ...token, status: 'Revoking' })
      service.schedule.later('token', token.referenceNumber, tokenDelay)
    }
    return {}
  },
} satisfies Handlers<'tokens'>
