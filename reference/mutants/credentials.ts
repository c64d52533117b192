import type { Permission } from '../../contract/types.ts'
import { keyOf } from '../model/entities.ts'
import { policy } from '../policy/policy.ts'
import type { AnyCall } from '../call/call.ts'
import type { Mutant } from './mutant.ts'
import type { Fields } from './rewrite.ts'
import { calls, refuses } from './rewrite.ts'

/** Defects of service tokens and permissions that show to a colleague, by a service token, or once more. */

/** A list of tokens that reads the description that is asked for as a pattern. */
const byPattern = (patternOf: (text: string) => string): Mutant => ({
  at: ['tokens.list'],
  async call(call, next) {
    const { description, ...query } = call.query
    if (typeof description !== 'string') return next(call)
    const answer = await next({ ...call, query })
    const { tokens, ...more } = answer.body as { readonly tokens: readonly Fields[] }
    let fits: RegExp
    try {
      fits = new RegExp(patternOf(description), 'i')
    } catch {
      return { ...answer, body: { ...more, tokens: [] } }
    }
    const found = tokens.filter((token) => fits.test(String(token['description'])))
    return { ...answer, body: { ...more, tokens: found } }
  },
})

const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Remembers the bailiffs that were ever created. */
const onceABailiff = (): Mutant => {
  const known = new Set<unknown>()
  return calls(['testdata.createPerson'], (call) => {
    const body = call.body as Fields
    if (body['isBailiff'] === true) known.add(body['nip'])
    return known.has(body['nip']) ? { ...call, body: { ...body, isBailiff: true } } : call
  })
}

const all = [
  'InvoiceRead',
  'InvoiceWrite',
  'Introspection',
  'CredentialsRead',
  'CredentialsManage',
  'SubunitManage',
] as const satisfies readonly Permission[]

const byAnotherToken = ({ caller, path }: AnyCall): boolean =>
  caller?.authentication.token !== undefined &&
  caller.authentication.token !== path['referenceNumber']

export const credentialsMutants = {
  'permissions.query.scope/authorizations-by-author': {
    at: ['permissions.queryAuthorizations'],
    policy: {
      grantInScope: (list, grant, viewer) =>
        policy.grantInScope(list, grant, viewer) &&
        (viewer.queryType === 'Received' ||
          ('value' in grant.author && viewer.names.has(keyOf(grant.author)))),
    },
  },
  'permissions.query.paged/fifty-at-most': calls(['permissions.queryPersons'], (call) => ({
    ...call,
    query: { ...call.query, pageSize: Math.min(50, Number(call.query['pageSize'])) },
  })),
  'permissions.grant.effective/no-entities-in-units': refuses(
    ['permissions.grantEntity'],
    'missing-permission',
    ({ caller }) => caller?.context.type === 'InternalId',
  ),
  'permissions.revoke.effective/ends-all-authorizations-of-an-agent': {
    tables: {
      grants: {
        write(next, before, { grants }) {
          const { revokedAt, kind } = next
          if (before !== undefined && revokedAt !== undefined && kind === 'authorization')
            for (const other of grants.by('context', keyOf(next.context)))
              if (
                other.id !== next.id &&
                other.kind === kind &&
                other.revokedAt === undefined &&
                keyOf(other.subject) === keyOf(next.subject)
              )
                grants.put({ ...other, revokedAt })
          return next
        },
      },
    },
  },
  'permissions.matrix/refreshed-tokens-carry-all': {
    tables: {
      tokens: {
        read: (found, _key, { authentications }) =>
          found !== undefined &&
          [...authentications.values()].some(
            ({ token, refreshedAt }) =>
              token === found.referenceNumber && refreshedAt !== undefined,
          )
            ? { ...found, permissions: all }
            : found,
      },
    },
  },
  'testdata.entities/once-a-bailiff': onceABailiff(),
  'tokens.list.narrowed/description-as-sql-pattern': byPattern((text) =>
    quoted(text).replaceAll('%', '.*').replaceAll('_', '.'),
  ),
  'tokens.list.narrowed/description-as-expression': byPattern((text) => text),
  'tokens.list.scope/managers-by-document-only': {
    at: ['tokens.list'],
    async call(call, next) {
      const answer = await next(call)
      const { tokens, ...more } = answer.body as { readonly tokens: readonly Fields[] }
      const own = tokens.filter(
        ({ referenceNumber }) =>
          !byAnotherToken({ ...call, path: { referenceNumber: String(referenceNumber) } }),
      )
      return { ...answer, body: { ...more, tokens: own } }
    },
  },
  'tokens.status.described/managers-read-too': {
    tables: {
      tokens: {
        write: (next, before) =>
          before === undefined &&
          next.permissions.includes('CredentialsManage') &&
          !next.permissions.includes('CredentialsRead')
            ? { ...next, permissions: [...next.permissions, 'CredentialsRead'] }
            : next,
      },
    },
  },
  'tokens.revoke.rights/pending-by-author-only': refuses(
    ['tokens.revoke'],
    'token-unknown',
    ({ service, path, caller }) => {
      const token = service.state.tokens.get(path['referenceNumber'] ?? '')
      return (
        token?.status === 'Pending' &&
        caller !== undefined &&
        keyOf(token.author) !== keyOf(caller.subject)
      )
    },
  ),
} as const satisfies Readonly<Record<string, Mutant>>
