import type { Mutant } from './mutant.ts'
import type { GrantFilter, GrantList } from '../policy/permissions.ts'

/** Defects of the lists of permissions. */

/** One filter of one list is not looked at; `caller` is that whoever asks finds what concerns others. */
const ignores = (list: GrantList, filter: GrantFilter): Mutant => ({
  breaks: [filter === 'caller' ? 'permissions.query.scope' : 'permissions.query.narrowed'],
  policy: { grantFits: (of, by, fits) => (of === list && by === filter) || fits },
})

/** A list of two kinds is always the same one: `first` what is in force, or received; else what was granted. */
const mistakes = (list: GrantList, first: boolean): Mutant => ({
  breaks: ['permissions.query.scope'],
  policy: { grantFits: (of, by, fits) => (of === list && by === 'queryType' ? first : fits) },
})

/** The records of one list with some fields otherwise. */
const tells = (list: GrantList, fields: Readonly<Record<string, unknown>>): Mutant => ({
  breaks: ['permissions.query.described'],
  policy: { grantShown: (of, view) => (of === list ? { ...view, ...fields } : view) },
})

const nobody = { type: 'Nip', value: '1111111111' }
const longAgo = { startDate: '2000-01-01T00:00:00.000Z' }

const firstPageAgain = (list: GrantList): Mutant => ({
  breaks: ['permissions.query.paged'],
  policy: {
    grantsShown: (of, newestFirst) => (of === list ? newestFirst.slice(0, 10) : newestFirst),
  },
})

const lastPageNotLast = (list: GrantList): Mutant => ({
  breaks: ['permissions.query.paged'],
  policy: {
    grantsPage: (of, page) => (of === list ? { ...page, hasMore: page.items.length > 0 } : page),
  },
})

export const grantListsMutants = {
  'permissions.query.personal.others': ignores('personal', 'caller'),
  'permissions.query.personal.any-context': {
    ...ignores('personal', 'contextIdentifier'),
    breaks: ['permissions.query.scope', 'permissions.query.narrowed'],
  },
  'permissions.query.personal.any-target': ignores('personal', 'targetIdentifier'),
  'permissions.query.personal.any-permission': ignores('personal', 'permissionTypes'),
  'permissions.query.personal.any-state': ignores('personal', 'permissionState'),
  'permissions.query.persons.others': ignores('persons', 'caller'),
  'permissions.query.persons.granted-for-in-force': mistakes('persons', false),
  'permissions.query.persons.in-force-for-granted': mistakes('persons', true),
  'permissions.query.persons.any-holder': ignores('persons', 'authorizedIdentifier'),
  'permissions.query.persons.any-author': ignores('persons', 'authorIdentifier'),
  'permissions.query.persons.any-context': ignores('persons', 'contextIdentifier'),
  'permissions.query.persons.any-target': ignores('persons', 'targetIdentifier'),
  'permissions.query.persons.any-permission': ignores('persons', 'permissionTypes'),
  'permissions.query.persons.any-state': ignores('persons', 'permissionState'),
  'permissions.query.subunits.others': ignores('subunits', 'caller'),
  'permissions.query.subunits.any-unit': ignores('subunits', 'subunitIdentifier'),
  'permissions.query.entities.others': ignores('entities', 'caller'),
  'permissions.query.entities.any-context': ignores('entities', 'contextIdentifier'),
  'permissions.query.subordinate-roles.any-entity': ignores(
    'subordinateRoles',
    'subordinateEntityIdentifier',
  ),
  'permissions.query.authorizations.others': ignores('authorizations', 'caller'),
  'permissions.query.authorizations.received-for-granted': mistakes('authorizations', true),
  'permissions.query.authorizations.granted-for-received': mistakes('authorizations', false),
  'permissions.query.authorizations.any-holder': ignores('authorizations', 'authorizedIdentifier'),
  'permissions.query.authorizations.any-grantor': ignores(
    'authorizations',
    'authorizingIdentifier',
  ),
  'permissions.query.authorizations.any-permission': ignores('authorizations', 'permissionTypes'),
  'permissions.query.eu.others': ignores('eu', 'caller'),
  'permissions.query.eu.any-entity': ignores('eu', 'vatUeIdentifier'),
  'permissions.query.eu.any-fingerprint': ignores('eu', 'authorizedFingerprintIdentifier'),
  'permissions.query.eu.any-permission': ignores('eu', 'permissionTypes'),
  'permissions.query.lists-revoked': {
    breaks: ['permissions.query.scope'],
    policy: { grantListed: () => true },
  },

  'permissions.query.persons.author-unknown': tells('persons', { authorIdentifier: nobody }),
  'permissions.query.persons.always-delegable': tells('persons', { canDelegate: true }),
  'permissions.query.persons.never-active': tells('persons', { permissionState: 'Inactive' }),
  'permissions.query.persons.nameless': tells('persons', { subjectPersonDetails: null }),
  'permissions.query.persons.target-lost': tells('persons', { targetIdentifier: null }),
  'permissions.query.persons.beginning-unknown': tells('persons', longAgo),
  'permissions.query.persons.description-lost': tells('persons', { description: 'a permission' }),
  'permissions.query.personal.context-unknown': tells('personal', { contextIdentifier: nobody }),
  'permissions.query.personal.holder-unknown': tells('personal', { authorizedIdentifier: nobody }),
  'permissions.query.subunits.name-lost': tells('subunits', { subunitName: null }),
  'permissions.query.subunits.unit-unknown': tells('subunits', { subunitIdentifier: nobody }),
  'permissions.query.subunits.author-unknown': tells('subunits', { authorIdentifier: nobody }),
  'permissions.query.entities.grantor-unknown': tells('entities', { contextIdentifier: nobody }),
  'permissions.query.entities.never-delegable': tells('entities', { canDelegate: false }),
  'permissions.query.authorizations.grantor-unknown': tells('authorizations', {
    authorizingEntityIdentifier: nobody,
  }),
  'permissions.query.authorizations.nameless': tells('authorizations', {
    subjectEntityDetails: null,
  }),
  'permissions.query.eu.name-lost': tells('eu', { euEntityName: 'EU entity' }),
  'permissions.query.eu.details-lost': tells('eu', { euEntityDetails: null }),
  'permissions.query.eu.author-unknown': tells('eu', { authorIdentifier: nobody }),
  'permissions.query.roles.parent-lost': tells('roles', { parentEntityIdentifier: null }),
  'permissions.query.roles.one-for-all': {
    breaks: ['permissions.query.described'],
    policy: {
      grantsShown: (list, newestFirst) =>
        list === 'roles' ? newestFirst.map((row) => ({ ...row, ...newestFirst[0] })) : newestFirst,
    },
  },
  'permissions.query.roles.description-lost': tells('roles', { description: 'a role' }),

  'permissions.query.persons.first-page-only': firstPageAgain('persons'),
  'permissions.query.subunits.first-page-only': firstPageAgain('subunits'),
  'permissions.query.entities.first-page-only': firstPageAgain('entities'),
  'permissions.query.authorizations.first-page-only': firstPageAgain('authorizations'),
  'permissions.query.eu.first-page-only': firstPageAgain('eu'),
  'permissions.query.personal.first-page-only': firstPageAgain('personal'),
  'permissions.query.subordinate-roles.first-page-only': firstPageAgain('subordinateRoles'),
  'permissions.query.personal.never-ends': lastPageNotLast('personal'),
  'permissions.query.roles.never-ends': lastPageNotLast('roles'),
  'permissions.query.subordinate-roles.never-ends': lastPageNotLast('subordinateRoles'),
  'permissions.query.persons.never-ends': lastPageNotLast('persons'),
  'permissions.query.eu.never-ends': lastPageNotLast('eu'),
  'permissions.query.oldest-first': {
    breaks: ['permissions.query.paged'],
    policy: { grantsShown: (_, newestFirst) => newestFirst.toReversed() },
  },
} as const satisfies Record<string, Mutant>
