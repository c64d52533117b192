import type { ContextIdentifier } from '../../../model/entities.ts'
import { nipOf } from '../../../model/entities.ts'
import type { Mutant } from '../../mutant.ts'
import type { Fields } from '../../rewrite.ts'
import { continuesWhenFiltered } from '../../pages.ts'
import { answers, calls, ignores } from '../../rewrite.ts'

const nobody = { type: 'Nip', value: '' } as const

/** The subordinate that a filter names is looked for by the tax office of its NIP. */
const beginningOfUnit: Mutant = {
  at: ['permissions.querySubordinateRoles'],
  call(call, next) {
    const body = call.body as { subordinateEntityIdentifier?: { readonly value: string } | null }
    const asked = body.subordinateEntityIdentifier?.value
    const head = call.service.state.subjects.get(nipOf(call.caller?.context ?? nobody))
    const alike = head?.subunits.find(({ nip }) => nip.slice(0, 6) === asked?.slice(0, 6))
    const subordinateEntityIdentifier = { type: 'Nip', value: alike?.nip }
    return next(
      alike === undefined ? call : { ...call, body: { ...body, subordinateEntityIdentifier } },
    )
  },
}

/** Defects of the filters of the lists of permissions. */
export const permissionsQueryNarrowedMutants = {
  'permissions.query.narrowed/filtered-pages-continue': continuesWhenFiltered([
    'permissions.queryPersonal',
    'permissions.queryPersons',
    'permissions.querySubunits',
    'permissions.queryEntities',
    'permissions.querySubordinateRoles',
    'permissions.queryAuthorizations',
    'permissions.queryEu',
  ]),
  'permissions.query.narrowed/beginning-of-a-unit': beginningOfUnit,
  'permissions.query.narrowed/contexts-of-the-taxpayer': calls(
    ['permissions.queryPersonal'],
    (call) => {
      const { contextIdentifier } = call.body as { contextIdentifier?: ContextIdentifier }
      if (contextIdentifier?.type !== 'InternalId') return call
      const whole = { type: 'Nip', value: nipOf(contextIdentifier) }
      return { ...call, body: { ...(call.body as object), contextIdentifier: whole } }
    },
  ),
  'permissions.query.narrowed/persons-of-the-units-too': answers(
    ['permissions.queryPersons'],
    (answer, { body, service }) => {
      const { contextIdentifier } = body as { contextIdentifier?: ContextIdentifier }
      const { permissions, ...rest } = answer.body as { permissions: readonly Fields[] }
      const heads = [...service.state.grants.values()].filter(
        ({ context }) =>
          context.type === 'InternalId' && nipOf(context) === contextIdentifier?.value,
      )
      const more = heads.map(({ subject, permission }) => ({
        ...permissions[0],
        authorizedIdentifier: subject,
        permissionScope: permission,
      }))
      return { ...answer, body: { ...rest, permissions: [...permissions, ...more] } }
    },
  ),
  'permissions.query.narrowed/target-without-direct': answers(
    ['permissions.queryPersonal', 'permissions.queryPersons'],
    (answer, call) => {
      const { permissions } = answer.body as { permissions: readonly Fields[] }
      const asked = (call.body as Fields)['targetIdentifier'] ?? null
      return asked === null
        ? answer
        : {
            ...answer,
            body: {
              ...(answer.body as Fields),
              permissions: permissions.filter(({ targetIdentifier }) => targetIdentifier),
            },
          }
    },
  ),
  'permissions.query.narrowed/personal-any-target': ignores(
    ['permissions.queryPersonal'],
    'targetIdentifier',
  ),
  'permissions.query.narrowed/personal-any-permission': ignores(
    ['permissions.queryPersonal'],
    'permissionTypes',
  ),
  'permissions.query.narrowed/personal-any-state': ignores(
    ['permissions.queryPersonal'],
    'permissionState',
  ),
  'permissions.query.narrowed/persons-any-holder': ignores(
    ['permissions.queryPersons'],
    'authorizedIdentifier',
  ),
  'permissions.query.narrowed/persons-any-author': ignores(
    ['permissions.queryPersons'],
    'authorIdentifier',
  ),
  'permissions.query.narrowed/persons-any-context': ignores(
    ['permissions.queryPersons'],
    'contextIdentifier',
  ),
  'permissions.query.narrowed/persons-any-target': ignores(
    ['permissions.queryPersons'],
    'targetIdentifier',
  ),
  'permissions.query.narrowed/persons-any-permission': ignores(
    ['permissions.queryPersons'],
    'permissionTypes',
  ),
  'permissions.query.narrowed/persons-any-state': ignores(
    ['permissions.queryPersons'],
    'permissionState',
  ),
  'permissions.query.narrowed/subunits-any-unit': ignores(
    ['permissions.querySubunits'],
    'subunitIdentifier',
  ),
  'permissions.query.narrowed/entities-any-context': ignores(
    ['permissions.queryEntities'],
    'contextIdentifier',
  ),
  'permissions.query.narrowed/subordinate-roles-any-entity': ignores(
    ['permissions.querySubordinateRoles'],
    'subordinateEntityIdentifier',
  ),
  'permissions.query.narrowed/authorizations-any-holder': ignores(
    ['permissions.queryAuthorizations'],
    'authorizedIdentifier',
  ),
  'permissions.query.narrowed/authorizations-any-grantor': ignores(
    ['permissions.queryAuthorizations'],
    'authorizingIdentifier',
  ),
  'permissions.query.narrowed/authorizations-any-permission': ignores(
    ['permissions.queryAuthorizations'],
    'permissionTypes',
  ),
  'permissions.query.narrowed/eu-any-entity': ignores(['permissions.queryEu'], 'vatUeIdentifier'),
  'permissions.query.narrowed/eu-any-fingerprint': ignores(
    ['permissions.queryEu'],
    'authorizedFingerprintIdentifier',
  ),
  'permissions.query.narrowed/eu-any-permission': ignores(
    ['permissions.queryEu'],
    'permissionTypes',
  ),
  'permissions.query.narrowed/entities-by-taxpayer': {
    at: ['permissions.queryEntities'],
    async call(call, next) {
      const { contextIdentifier, ...rest } = (call.body ?? {}) as Fields
      const answer = await next({ ...call, body: rest })
      if (contextIdentifier === undefined) return answer
      const { permissions, ...more } = answer.body as { readonly permissions: readonly Fields[] }
      const nip = nipOf(contextIdentifier as { readonly value: string })
      const fits = (row: Fields): boolean =>
        nipOf(row['contextIdentifier'] as { readonly value: string }) === nip
      return { ...answer, body: { ...more, permissions: permissions.filter(fits) } }
    },
  },
  'permissions.query.narrowed/holders-by-their-first-digits': {
    at: ['permissions.queryPersons'],
    async call(call, next) {
      const { authorizedIdentifier, ...rest } = (call.body ?? {}) as Fields
      const answer = await next({ ...call, body: rest })
      if (authorizedIdentifier === undefined) return answer
      const { permissions, ...more } = answer.body as { readonly permissions: readonly Fields[] }
      const digits = (one: unknown): string => (one as { readonly value: string }).value.slice(0, 6)
      const fits = (row: Fields): boolean =>
        digits(row['authorizedIdentifier']) === digits(authorizedIdentifier)
      return { ...answer, body: { ...more, permissions: permissions.filter(fits) } }
    },
  },
} as const satisfies Readonly<Record<string, Mutant>>
