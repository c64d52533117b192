import type { Permission } from '../../contract/types.ts'
import type { AnyCall } from '../call/call.ts'
import { payloadOf } from '../keys/jwt.ts'
import type { Authentication } from '../model/entities.ts'
import { keyOf, nipOf } from '../model/entities.ts'
import { permissionsOfLogin } from '../rights/rights.ts'
import { ofTheSubject, reference } from './callers.ts'
import { revivedByRefusedLogins, tokenUsedAfterEnd, tokenUsedWhere } from './last-uses.ts'
import type { Mutant } from './mutant.ts'
import { revivedByItsDescription } from './namesakes.ts'
import type { Fields } from './rewrite.ts'
import {
  answers,
  calls,
  decidedBy,
  firstTenOnly,
  ignores,
  lists,
  oldestFirst,
  records,
  refuses,
} from './rewrite.ts'
import { collapsed, escaped, shows } from './spellings.ts'
import {
  carriedByAnother,
  grantedBefore,
  grantedElsewhere,
  implied,
  ofUnitsToo,
  severalLacking,
} from './token-rights.ts'

const byAnotherToken = ({ caller, path }: AnyCall): boolean =>
  caller?.authentication.token !== undefined &&
  caller.authentication.token !== path['referenceNumber']

/** Logins by a token live on where a caller other than its author revoked it. */
const livesOnAfterOthers = (): Mutant => {
  const revoked = new Set<string>()
  return {
    at: ['tokens.revoke', 'auth.refresh'],
    call(call, next) {
      const { caller, operation, service } = call
      const author = service.state.tokens.get(reference(call))?.author
      const isOther = caller && author && keyOf(author) !== keyOf(caller.subject)
      if (operation === 'tokens.revoke' && isOther) revoked.add(reference(call))
      return next(
        revoked.has(caller?.authentication.token ?? '')
          ? decidedBy(call, { loginByToken: () => true })
          : call,
      )
    },
  }
}

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

const shown = (fields: Fields): Mutant =>
  records(['tokens.list', 'tokens.status'], 'tokens', fields)

/** A login as if its author had signed it. */
const withoutToken = ({ token: _, ...login }: Authentication): Authentication => login

/** The same request makes the same token. */
const sameAgain = (): Mutant => {
  const made = new Map<string, unknown>()
  return answers(['tokens.create'], (answer, { caller, body }) => {
    const request = JSON.stringify([caller?.context, caller?.subject, body])
    if (!made.has(request)) made.set(request, answer.body)
    return { ...answer, body: made.get(request) }
  })
}

/** Defects of service tokens. */
export const tokensMutants = {
  'tokens.list.scope/linked-identifiers-apart': {
    at: ['tokens.list'],
    tables: { persons: { read: () => undefined, find: () => [] } },
  },
  'tokens.list.scope/of-the-author-anywhere': ofTheSubject(['tokens.status'], (call) => {
    const found = call.service.state.tokens.get(reference(call))
    return found && { context: found.context, by: found.author }
  }),
  'tokens.list.scope/all-to-everyone': { policy: { tokenVisible: () => true } },
  'tokens.list.scope/own-to-managers': { policy: { tokenVisible: (_, own) => own } },
  'tokens.list.scope/managers-only': { policy: { tokenVisible: (managed) => managed } },
  'tokens.list.scope/across-contexts': {
    tables: {
      tokens: {
        find: (found, index, _value, table) => (index === 'context' ? [...table.values()] : found),
      },
    },
  },
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
  'tokens.list.narrowed/any-state': ignores(['tokens.list'], 'status'),
  'tokens.list.narrowed/any-description': ignores(['tokens.list'], 'description'),
  'tokens.list.narrowed/any-author': ignores(['tokens.list'], 'authorIdentifier'),
  'tokens.list.narrowed/any-kind-of-author': ignores(['tokens.list'], 'authorIdentifierType'),
  'tokens.list.narrowed/oldest-first': oldestFirst(['tokens.list'], 'tokens'),
  'tokens.list.narrowed/first-page-only': firstTenOnly(['tokens.list'], 'tokens'),
  'tokens.list.narrowed/by-last-use': lists<Fields>(['tokens.list'], 'tokens', (tokens) =>
    tokens.toSorted((a, b) => {
      const of = (row: Fields): string => String(row['lastUseDate'] ?? row['dateCreated'])
      return of(b).localeCompare(of(a))
    }),
  ),
  'tokens.list.narrowed/description-as-sql-pattern': byPattern((text) =>
    quoted(text).replaceAll('%', '.*').replaceAll('_', '.'),
  ),
  'tokens.list.narrowed/description-as-expression': byPattern((text) => text),
  'tokens.status.described/three-permissions-at-most': {
    at: ['tokens.create'],
    tables: {
      tokens: { write: (next) => ({ ...next, permissions: next.permissions.slice(0, 3) }) },
    },
  },
  'tokens.status.described/used-by-refused-logins': {
    at: ['authentication'],
    tables: {
      tokens: {
        find(found, _index, _value, table) {
          for (const token of found)
            if (token.lastUseAt === undefined) table.put({ ...token, lastUseAt: token.createdAt })
          return found
        },
      },
    },
  },
  'tokens.create.within-rights/granted-elsewhere': grantedElsewhere,
  'tokens.create.within-rights/granted-before': grantedBefore,
  'tokens.create.within-rights/carried-by-another-token': carriedByAnother,
  'tokens.create.within-rights/several-lacking': severalLacking,
  'tokens.list.scope/of-units-too': ofUnitsToo('tokens.list'),
  'tokens.list.scope/status-of-units-too': ofUnitsToo('tokens.status'),
  'tokens.revoke.rights/of-units-too': ofUnitsToo('tokens.revoke'),
  'tokens.status.moves-forward/active-again-by-a-refused-login': revivedByRefusedLogins,
  'tokens.status.described/used-in-a-blocked-context': tokenUsedWhere(/blocked/),
  'tokens.status.described/used-though-revoked': tokenUsedWhere(/revok/),
  'tokens.status.described/used-after-its-end': tokenUsedAfterEnd(/expired/),
  'tokens.status.described/used-after-the-end-of-tokens': tokenUsedAfterEnd(/no longer accepted/),
  'tokens.status.described/never-used': shown({ lastUseDate: null }),
  'tokens.status.described/author-unknown': shown({
    authorIdentifier: { type: 'Nip', value: '1111111111' },
  }),
  'tokens.status.described/context-unknown': shown({
    contextIdentifier: { type: 'Nip', value: '1111111111' },
  }),
  'tokens.status.described/permissions-cut': shown({ requestedPermissions: ['InvoiceRead'] }),
  'tokens.status.described/description-lost': shown({ description: 'a service token' }),
  'tokens.status.described/creation-unknown': shown({ dateCreated: '2000-01-01T00:00:00.000Z' }),
  'tokens.status.described/always-active': shown({ status: 'Active' }),
  'tokens.status.described/made-with-another-is-of-the-context': calls(['tokens.create'], (call) =>
    call.caller?.authentication.token === undefined
      ? call
      : {
          ...call,
          caller: { ...call.caller, subject: { type: 'Nip', value: nipOf(call.caller.context) } },
        },
  ),
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
  'tokens.status.described/text-escaped': shows(['tokens.status', 'tokens.list'], escaped),
  'tokens.status.described/spaces-collapsed': shows(['tokens.list'], collapsed),
  'tokens.status.moves-forward/revoked-once-more': { policy: { tokenRevocable: () => true } },
  'tokens.create.within-rights/managers-exempt': implied('CredentialsManage', 'InvoiceWrite'),
  'tokens.create.within-rights/writing-implies-reading': implied('InvoiceWrite', 'InvoiceRead'),
  'tokens.create.within-rights/all-of-the-author': calls(['tokens.create'], (call) => {
    if (call.caller === undefined) return call
    const author = withoutToken(call.caller.authentication)
    const permissions = () => permissionsOfLogin(call.service, author)
    return { ...call, caller: { ...call.caller, permissions } }
  }),
  'tokens.create.within-rights/by-an-earlier-access-token': {
    also: ['permissions.revoke.effective'],
    ...calls(['tokens.create'], (call) => {
      const { caller, headers } = call
      if (caller === undefined) return call
      const named = payloadOf(String(headers['authorization']).slice('Bearer '.length))?.['per']
      const permissions = () => new Set([...caller.permissions(), ...(named as Permission[])])
      return { ...call, caller: { ...caller, permissions } }
    }),
  },
  'tokens.create.within-rights/carries-all': {
    at: ['queries.metadata'],
    tables: {
      tokens: { read: (found) => found && { ...found, permissions: ['InvoiceRead'] } },
    },
  },
  'tokens.create.within-rights/beyond-rights': { policy: { tokenPermissionsFit: () => true } },
  'tokens.create.within-rights/anywhere': { policy: { tokenContextFits: () => true } },
  'tokens.revoke.rights/anyone': { policy: { tokenMayBeRevoked: () => true } },
  'tokens.revoke.rights/managers-only': { policy: { tokenMayBeRevoked: (manages) => manages } },
  'tokens.revoke.rights/authors-only': { policy: { tokenMayBeRevoked: (_, own) => own } },
  'tokens.revoke.rights/managers-by-document-only': refuses(
    ['tokens.revoke'],
    'missing-permission',
    ({ caller, path }) =>
      caller?.authentication.token !== undefined &&
      caller.authentication.token !== path['referenceNumber'],
  ),
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
  'tokens.revoke.logins/of-every-token': refuses(
    ['auth.refresh'],
    'refresh-refused',
    ({ caller, service: { state } }) => {
      const token = state.tokens.get(caller?.authentication.token ?? '')
      return (
        token !== undefined &&
        [...state.tokens.values()].some(
          ({ status, author }) => status === 'Revoked' && keyOf(author) === keyOf(token.author),
        )
      )
    },
  ),
  'tokens.revoke.logins/logins-live-on': {
    at: ['auth.refresh'],
    policy: { loginByToken: () => true },
  },
  'tokens.revoke.logins/still-redeemed': {
    at: ['auth.redeem'],
    policy: { loginByToken: () => true },
  },
  'tokens.status.moves-forward/revived-by-its-description': revivedByItsDescription,
  'tokens.revoke.logins/ends-earlier-tokens': {
    tables: {
      tokens: {
        write(next, before, { tokens }) {
          if (next.status === 'Revoked' && before?.status !== 'Revoked')
            for (const one of tokens.by('context', keyOf(next.context)))
              if (one.status === 'Active' && one.createdAt < next.createdAt)
                tokens.put({ ...one, status: 'Revoked' })
          return next
        },
      },
    },
  },
  'tokens.create.within-rights/the-same-again': sameAgain(),
  'tokens.create.within-rights/only-those-about-invoices': {
    policy: {
      tokenPermissionsFit: (lacking) => !lacking.some((one) => one.startsWith('Invoice')),
    },
  },
  'tokens.revoke.logins/live-on-after-others': livesOnAfterOthers(),
} as const satisfies Readonly<Record<string, Mutant>>
