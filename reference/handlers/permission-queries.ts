import type { AnyCall, Handlers, ProtectedCall } from '../call/call.ts'
import { pageByNumber } from '../http/paging.ts'
import type { Grant, GrantKind } from '../model/entities.ts'
import { keyOf, nipOf } from '../model/entities.ts'
import type { GrantList } from '../policy/permissions.ts'
import type { GrantQuery } from '../rights/grant-filters.ts'
import { equals, fitsAuthor, fitsState, fitsTarget } from '../rights/grant-filters.ts'
import { common, general, iso, summary } from '../rights/grant-views.ts'
import { aliasesOf, owns, roleRecordsOf, stateOf } from '../rights/rights.ts'

/** The lists of permissions, one per kind of grant. Source: gap permission-queries. */

const byStart = (a: Grant, b: Grant): number => b.startsAt - a.startsAt || (a.id < b.id ? -1 : 1)

/** Grants in force that a list may show and that pass its filters, the newest first. */
const listable = (
  call: ProtectedCall & { readonly body: GrantQuery },
  list: GrantList,
  kinds: readonly GrantKind[],
  passes: (grant: Grant) => boolean,
): Grant[] => {
  const { service, caller, now } = call
  const { permissionTypes, contextIdentifier, queryType } = call.body
  const viewer = {
    context: keyOf((list === 'personal' && contextIdentifier) || caller.context),
    nip: nipOf(caller.context),
    names: new Set(aliasesOf(service, caller.subject).map(keyOf)),
    queryType,
    owned:
      !contextIdentifier && caller.subject && owns(service, caller.subject, caller.context)
        ? keyOf(caller.context)
        : undefined,
  }
  return [...service.state.grants.values()]
    .filter(
      (grant) =>
        kinds.includes(grant.kind) &&
        service.policy.grantListed(grant, now) &&
        service.policy.grantInScope(list, grant, viewer) &&
        (!permissionTypes?.length || permissionTypes.includes(grant.permission)) &&
        passes(grant),
    )
    .toSorted(byStart)
}

const listed = <T>(
  call: AnyCall,
  field: string,
  found: readonly T[],
  view: (item: T) => Readonly<Record<string, unknown>>,
) => {
  const { items, hasMore } = pageByNumber(call, found)
  return { body: { [field]: items.map(view), hasMore } }
}

const personKinds: readonly GrantKind[] = ['person', 'entity', 'indirect', 'testdata']

type Queries = Pick<
  Handlers<'permissions'>,
  Extract<keyof Handlers<'permissions'>, `permissions.query${string}`>
>

export const permissionQueries: Queries = {
  'permissions.queryPersonal': (call) => {
    const query = call.body
    const kinds = [...personKinds, 'subunit', 'eu', 'euAdministration'] as const
    const found = listable(
      call,
      'personal',
      kinds,
      (grant) => fitsState(stateOf(call.service, grant), query) && fitsTarget(grant, query),
    )
    const self = keyOf(call.caller.subject)
    return listed(call, 'permissions', found, (grant) => ({
      ...common(call.service, grant),
      ...(keyOf(grant.subject) !== self && { authorizedIdentifier: grant.subject }),
    }))
  },

  'permissions.queryPersons': (call) => {
    const query = call.body
    const found = listable(
      call,
      'persons',
      [...personKinds, 'subunit'],
      (grant) =>
        fitsState(stateOf(call.service, grant), query) &&
        equals(grant.subject, query.authorizedIdentifier) &&
        equals(grant.context, query.contextIdentifier) &&
        fitsAuthor(grant, query) &&
        fitsTarget(grant, query),
    )
    return listed(call, 'permissions', found, (grant) => ({
      ...common(call.service, grant),
      authorizedIdentifier: grant.subject,
      authorIdentifier: grant.author,
    }))
  },

  'permissions.querySubunits': (call) => {
    const query = call.body
    const found = listable(call, 'subunits', ['subunit'], (grant) =>
      equals(grant.context, query.subunitIdentifier),
    )
    return listed(call, 'permissions', found, (grant) => ({
      ...general(grant),
      authorizedIdentifier: grant.subject,
      subunitIdentifier: grant.context,
      authorIdentifier: grant.author,
      ...summary(grant),
      ...(grant.unitName !== undefined && { subunitName: grant.unitName }),
    }))
  },

  'permissions.queryEntities': (call) => {
    const query = call.body
    const found = listable(call, 'entities', ['entity'], (grant) =>
      equals(grant.context, query.contextIdentifier),
    )
    return listed(call, 'permissions', found, (grant) => ({
      ...general(grant),
      contextIdentifier: grant.context,
      canDelegate: grant.canDelegate ?? false,
    }))
  },

  'permissions.queryRoles': (call) => {
    const { service, caller } = call
    const roles = roleRecordsOf(service, nipOf(caller.context)).toSorted(
      (a, b) => b.from.createdAt - a.from.createdAt,
    )
    return listed(call, 'roles', roles, ({ role, from, head }) => ({
      role,
      description: from.description,
      startDate: iso(from.createdAt),
      ...(head && { parentEntityIdentifier: { type: 'Nip', value: head.nip } }),
    }))
  },

  'permissions.querySubordinateRoles': (call) => {
    const { subordinateEntityIdentifier: asked } = call.body
    const head = call.service.state.subjects.get(nipOf(call.caller.context))
    const units = (head?.subunits ?? []).filter(({ nip }) => !asked || asked.value === nip)
    return listed(call, 'roles', units, ({ nip, description }) => ({
      subordinateEntityIdentifier: { type: 'Nip', value: nip },
      role: head?.type === 'JST' ? 'LocalGovernmentSubUnit' : 'VatGroupSubUnit',
      description,
      startDate: iso(head?.createdAt ?? call.now),
    }))
  },

  'permissions.queryAuthorizations': (call) => {
    const query = call.body
    const found = listable(
      call,
      'authorizations',
      ['authorization'],
      (grant) =>
        equals(grant.subject, query.authorizedIdentifier) &&
        equals({ type: 'Nip', value: nipOf(grant.context) }, query.authorizingIdentifier),
    )
    return listed(call, 'authorizationGrants', found, (grant) => ({
      id: grant.id,
      authorizedEntityIdentifier: grant.subject,
      authorizingEntityIdentifier: { type: 'Nip', value: nipOf(grant.context) },
      authorizationScope: grant.permission,
      description: grant.description,
      startDate: iso(grant.startsAt),
      ...('value' in grant.author && { authorIdentifier: grant.author }),
      ...summary(grant),
    }))
  },

  'permissions.queryEu': (call) => {
    const query = call.body
    const vatOf = (grant: Grant) => grant.context.value.slice(11)
    const found = listable(
      call,
      'eu',
      ['eu', 'euAdministration'],
      (grant) =>
        (!query.vatUeIdentifier || vatOf(grant) === query.vatUeIdentifier) &&
        grant.subject.value.includes(query.authorizedFingerprintIdentifier ?? ''),
    )
    return listed(call, 'permissions', found, (grant) => {
      const head = call.service.state.grants
        .by('context', keyOf(grant.context))
        .find(({ kind }) => kind === 'euAdministration')
      const details = grant.entityDetails ?? head?.entityDetails
      return {
        ...general(grant),
        authorIdentifier: grant.author,
        vatUeIdentifier: vatOf(grant),
        euEntityName: grant.unitName ?? head?.unitName ?? 'EU entity',
        authorizedFingerprintIdentifier: grant.subject.value,
        ...summary(grant),
        ...(details !== undefined && { euEntityDetails: details }),
      }
    })
  },
}
