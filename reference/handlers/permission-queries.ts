import type { Grant, GrantKind } from '../model/entities.ts'
import { keyOf } from '../model/entities.ts'
import type { GrantQuery } from '../rights/grant-filters.ts'
import { active, equals, fitsAuthor, fitsTarget } from '../rights/grant-filters.ts'
import { common, general, iso, summary } from '../rights/grant-views.ts'
import type { AnyCall, Handlers, ProtectedCall } from '../call/call.ts'
import { pageByNumber } from '../http/paging.ts'
import type { GrantFilter, GrantList, GrantView } from '../policy/permissions.ts'
import { aliasesOf, nipOf, roleRecordsOf } from '../rights/rights.ts'

/** The lists of permissions, one per kind of grant. Source: gap permission-queries. */

/** What fits a filter of one list, by the name of the filter. */
type Fits = (filter: GrantFilter, fits: boolean) => boolean

const byStart = (a: Grant, b: Grant): number => b.startsAt - a.startsAt || (a.id < b.id ? -1 : 1)

/** Grants in force that a list may show, sorted. */
const listable = (
  call: AnyCall,
  list: GrantList,
  kinds: readonly GrantKind[],
  shows: (grant: Grant, fits: Fits) => boolean,
): Grant[] => {
  const { service, now } = call
  const { permissionTypes } = call.body as GrantQuery
  const fits: Fits = (filter, holds) => service.policy.grantFits(list, filter, holds)
  return [...service.state.grants.values()]
    .filter(
      (grant) =>
        kinds.includes(grant.kind) &&
        service.policy.grantListed(
          service.policy.grantHolds(grant.startsAt, grant.revokedAt, now),
        ) &&
        fits(
          'permissionTypes',
          permissionTypes === undefined ||
            permissionTypes === null ||
            permissionTypes.length === 0 ||
            permissionTypes.includes(grant.permission),
        ) &&
        shows(grant, fits),
    )
    .toSorted(byStart)
}

const fields: Readonly<Partial<Record<GrantList, string>>> = {
  roles: 'roles',
  subordinateRoles: 'roles',
  authorizations: 'authorizationGrants',
}

const listed = <T>(
  call: ProtectedCall,
  list: GrantList,
  found: readonly T[],
  view: (item: T) => GrantView,
) => {
  const { policy } = call.service
  const { items, hasMore } = policy.grantsPage(
    list,
    pageByNumber(call, policy.grantsShown(list, found)),
  )
  const shown = items.map((item) => policy.grantShown(list, view(item)))
  return { body: { [fields[list] ?? 'permissions']: shown, hasMore } }
}

const personKinds: readonly GrantKind[] = ['person', 'entity', 'indirect', 'testdata']

type Queries = Pick<
  Handlers<'permissions'>,
  Extract<keyof Handlers<'permissions'>, `permissions.query${string}`>
>

export const permissionQueries: Queries = {
  'permissions.queryPersonal': (call) => {
    const { service, caller } = call
    const query = call.body as GrantQuery
    const mine = new Set(aliasesOf(service, caller.subject).map(keyOf))
    const context = query.contextIdentifier ?? caller.context
    const found = listable(
      call,
      'personal',
      [...personKinds, 'subunit', 'eu', 'euAdministration'],
      (grant, fits) =>
        fits('permissionState', active(query)) &&
        fits('caller', mine.has(keyOf(grant.subject))) &&
        fits('contextIdentifier', keyOf(grant.context) === keyOf(context)) &&
        fits('targetIdentifier', fitsTarget(grant, query)),
    )
    return listed(call, 'personal', found, (grant) => ({
      ...common(grant),
      authorizedIdentifier: grant.subject,
    }))
  },

  'permissions.queryPersons': (call) => {
    const query = call.body as GrantQuery
    const here = keyOf(call.caller.context)
    const found = listable(
      call,
      'persons',
      [...personKinds, 'subunit'],
      (grant, fits) =>
        fits('permissionState', active(query)) &&
        fits(
          'caller',
          keyOf(
            // What somebody may do here, or what was granted here: an administrator of a unit may act in the unit.
            fits('queryType', query.queryType === 'PermissionsInCurrentContext')
              ? grant.context
              : grant.grantedIn,
          ) === here,
        ) &&
        fits('authorizedIdentifier', equals(grant.subject, query.authorizedIdentifier)) &&
        fits('contextIdentifier', equals(grant.context, query.contextIdentifier)) &&
        fits('authorIdentifier', fitsAuthor(grant, query)) &&
        fits('targetIdentifier', fitsTarget(grant, query)),
    )
    return listed(call, 'persons', found, (grant) => ({
      ...common(grant),
      authorizedIdentifier: grant.subject,
      authorIdentifier: grant.author,
    }))
  },

  'permissions.querySubunits': (call) => {
    const query = call.body as GrantQuery
    const found = listable(
      call,
      'subunits',
      ['subunit'],
      (grant, fits) =>
        fits('caller', keyOf(grant.grantedIn) === keyOf(call.caller.context)) &&
        fits('subunitIdentifier', equals(grant.context, query.subunitIdentifier)),
    )
    return listed(call, 'subunits', found, (grant) => ({
      ...general(grant),
      authorizedIdentifier: grant.subject,
      subunitIdentifier: grant.context,
      authorIdentifier: grant.author,
      ...summary(grant),
      ...(grant.unitName !== undefined && { subunitName: grant.unitName }),
    }))
  },

  'permissions.queryEntities': (call) => {
    const query = call.body as GrantQuery
    const nip = nipOf(call.caller.context)
    const found = listable(
      call,
      'entities',
      ['entity'],
      (grant, fits) =>
        fits('caller', grant.subject.value === nip) &&
        fits('contextIdentifier', equals(grant.context, query.contextIdentifier)),
    )
    return listed(call, 'entities', found, (grant) => ({
      ...general(grant),
      contextIdentifier: grant.context,
      canDelegate: grant.canDelegate ?? false,
    }))
  },

  'permissions.queryRoles': (call) => {
    const { service, caller } = call
    const roles = roleRecordsOf(service, nipOf(caller.context))
      .toSorted((a, b) => b.from.createdAt - a.from.createdAt)
      .map(({ role, from, head }) => ({
        role,
        description: from.description,
        startDate: iso(from.createdAt),
        ...(head && { parentEntityIdentifier: { type: 'Nip', value: head.nip } }),
      }))
    return listed(call, 'roles', roles, (role) => role)
  },

  'permissions.querySubordinateRoles': (call) => {
    const query = call.body as GrantQuery
    const head = call.service.state.subjects.get(nipOf(call.caller.context))
    const units = (head?.subunits ?? []).filter(({ nip }) =>
      call.service.policy.grantFits(
        'subordinateRoles',
        'subordinateEntityIdentifier',
        !query.subordinateEntityIdentifier || query.subordinateEntityIdentifier.value === nip,
      ),
    )
    return listed(call, 'subordinateRoles', units, ({ nip, description }) => ({
      subordinateEntityIdentifier: { type: 'Nip', value: nip },
      role: head?.type === 'JST' ? 'LocalGovernmentSubUnit' : 'VatGroupSubUnit',
      description,
      startDate: iso(head?.createdAt ?? call.now),
    }))
  },

  'permissions.queryAuthorizations': (call) => {
    const query = call.body as GrantQuery
    const nip = nipOf(call.caller.context)
    const found = listable(
      call,
      'authorizations',
      ['authorization'],
      (grant, fits) =>
        fits(
          'caller',
          fits('queryType', query.queryType === 'Received')
            ? grant.subject.value === nip
            : nipOf(grant.context) === nip,
        ) &&
        fits('authorizedIdentifier', equals(grant.subject, query.authorizedIdentifier)) &&
        fits(
          'authorizingIdentifier',
          equals({ type: 'Nip', value: nipOf(grant.context) }, query.authorizingIdentifier),
        ),
    )
    return listed(call, 'authorizations', found, (grant) => ({
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
    const query = call.body as GrantQuery
    const { caller } = call
    const vatOf = (grant: Grant) => grant.context.value.slice(11)
    const found = listable(
      call,
      'eu',
      ['eu', 'euAdministration'],
      (grant, fits) =>
        fits(
          'caller',
          keyOf(grant.grantedIn) === keyOf(caller.context) ||
            keyOf(grant.context) === keyOf(caller.context),
        ) &&
        fits('vatUeIdentifier', !query.vatUeIdentifier || vatOf(grant) === query.vatUeIdentifier) &&
        fits(
          'authorizedFingerprintIdentifier',
          grant.subject.value.includes(query.authorizedFingerprintIdentifier ?? ''),
        ),
    )
    return listed(call, 'eu', found, (grant) => {
      const head = call.service.state.grants
        .by('context', keyOf(grant.context))
        .find(({ kind }) => kind === 'euAdministration')
      return {
        ...general(grant),
        authorIdentifier: grant.author,
        vatUeIdentifier: vatOf(grant),
        euEntityName: grant.unitName ?? head?.unitName ?? 'EU entity',
        authorizedFingerprintIdentifier: grant.subject.value,
        ...summary(grant),
        ...((grant.entityDetails ?? head?.entityDetails) !== undefined && {
          euEntityDetails: grant.entityDetails ?? head?.entityDetails,
        }),
      }
    })
  },
}
