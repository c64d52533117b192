import type { Mutant } from './mutant.ts'
import type { Policy } from '../policy/policy.ts'

/** Defects of service tokens as records. */

const narrowed = (tokenListed: Policy['tokenListed']): Mutant => ({
  breaks: ['tokens.list.narrowed'],
  policy: { tokenListed },
})

/** The view with some fields otherwise. */
const shown = (fields: Readonly<Record<string, unknown>>): Mutant => ({
  breaks: ['tokens.status.described'],
  policy: { tokenShown: (view) => ({ ...view, ...fields }) },
})

const scoped = (tokenVisible: Policy['tokenVisible']): Mutant => ({
  breaks: ['tokens.list.scope'],
  policy: { tokenVisible },
})

export const tokensMutants = {
  'tokens.status.revoked-once-more': {
    breaks: ['tokens.status.moves-forward'],
    policy: { tokenRevocable: () => true },
  },
  'tokens.revoke.logins-live-on': {
    breaks: ['tokens.revoke.logins'],
    policy: { refreshByToken: () => true },
  },
  'tokens.list.all-to-everyone': scoped(() => true),
  'tokens.list.own-to-managers': scoped((_, own) => own),
  'tokens.list.managers-only': scoped((managed) => managed),
  'tokens.list.across-contexts': {
    breaks: ['tokens.list.scope'],
    policy: { tokensOfContextOnly: () => false },
  },
  'tokens.list.any-state': narrowed(
    ({ description, author, authorType }) => description && author && authorType,
  ),
  'tokens.list.any-description': narrowed(
    ({ status, author, authorType }) => status && author && authorType,
  ),
  'tokens.list.any-author': narrowed(
    ({ status, description, authorType }) => status && description && authorType,
  ),
  'tokens.list.any-kind-of-author': narrowed(
    ({ status, description, author }) => status && description && author,
  ),
  'tokens.list.oldest-first': {
    breaks: ['tokens.list.narrowed'],
    policy: { tokensShown: (newestFirst) => newestFirst.toReversed() },
  },
  'tokens.list.first-page-only': {
    breaks: ['tokens.list.narrowed'],
    policy: { tokensShown: (newestFirst) => newestFirst.slice(0, 10) },
  },
  'tokens.status.never-used': shown({ lastUseDate: null }),
  'tokens.status.author-unknown': shown({
    authorIdentifier: { type: 'Nip', value: '1111111111' },
  }),
  'tokens.status.context-unknown': shown({
    contextIdentifier: { type: 'Nip', value: '1111111111' },
  }),
  'tokens.status.permissions-cut': shown({ requestedPermissions: ['InvoiceRead'] }),
  'tokens.status.description-lost': shown({ description: 'a service token' }),
  'tokens.status.creation-unknown': shown({ dateCreated: '2000-01-01T00:00:00.000Z' }),
  'tokens.status.always-active': shown({ status: 'Active' }),
  'tokens.create.beyond-rights': {
    breaks: ['tokens.create.within-rights'],
    policy: { tokenPermissionsFit: () => true },
  },
  'tokens.create.anywhere': {
    breaks: ['tokens.create.within-rights'],
    policy: { tokenContextFits: () => true },
  },
  'tokens.revoke.anyone': {
    breaks: ['tokens.revoke.rights'],
    policy: { tokenMayBeRevoked: () => true },
  },
  'tokens.revoke.managers-only': {
    breaks: ['tokens.revoke.rights'],
    policy: { tokenMayBeRevoked: (manages) => manages },
  },
  'tokens.revoke.authors-only': {
    breaks: ['tokens.revoke.rights'],
    policy: { tokenMayBeRevoked: (_, own) => own },
  },
} as const satisfies Record<string, Mutant>
