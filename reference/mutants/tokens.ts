import type { Mutant } from './mutant.ts'
import type { Fields } from './rewrite.ts'
import { firstTenOnly, ignores, oldestFirst, records } from './rewrite.ts'

/** Defects of service tokens as records. */

const shown = (fields: Fields): Mutant =>
  records(['tokens.list', 'tokens.status'], 'tokens', fields)

export const tokensMutants = {
  'tokens.status.moves-forward/revoked-once-more': {
    policy: { tokenRevocable: () => true },
  },
  'tokens.revoke.logins/logins-live-on': {
    policy: { refreshByToken: () => true },
  },
  'tokens.list.scope/all-to-everyone': {
    policy: { tokenVisible: () => true },
  },
  'tokens.list.scope/own-to-managers': {
    policy: { tokenVisible: (_, own) => own },
  },
  'tokens.list.scope/managers-only': {
    policy: { tokenVisible: (managed) => managed },
  },
  'tokens.list.scope/across-contexts': {
    tables: {
      tokens: {
        find: (found, index, _value, table) => (index === 'context' ? [...table.values()] : found),
      },
    },
  },
  'tokens.list.narrowed/any-state': ignores(['tokens.list'], 'status'),
  'tokens.list.narrowed/any-description': ignores(['tokens.list'], 'description'),
  'tokens.list.narrowed/any-author': ignores(['tokens.list'], 'authorIdentifier'),
  'tokens.list.narrowed/any-kind-of-author': ignores(['tokens.list'], 'authorIdentifierType'),
  'tokens.list.narrowed/oldest-first': oldestFirst(['tokens.list'], 'tokens'),
  'tokens.list.narrowed/first-page-only': firstTenOnly(['tokens.list'], 'tokens'),
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
  'tokens.create.within-rights/beyond-rights': {
    policy: { tokenPermissionsFit: () => true },
  },
  'tokens.create.within-rights/anywhere': {
    policy: { tokenContextFits: () => true },
  },
  'tokens.revoke.rights/anyone': {
    policy: { tokenMayBeRevoked: () => true },
  },
  'tokens.revoke.rights/managers-only': {
    policy: { tokenMayBeRevoked: (manages) => manages },
  },
  'tokens.revoke.rights/authors-only': {
    policy: { tokenMayBeRevoked: (_, own) => own },
  },
} as const satisfies Readonly<Record<string, Mutant>>
