import type { Grant, GrantKind } from './entities.ts'
import { keyOf } from './entities.ts'
import { common, general, iso, summary } from './grant-views.ts'
import type { AnyCall, Handlers, ProtectedCall } from './handler.ts'
import { pageByNumber } from './paging.ts'
import { aliasesOf, nipOf, rolesOf } from './rights.ts'

/** The lists of permissions, one per kind of grant. Source: gap permission-queries. */

interface Query {
  readonly contextIdentifier?: Identifier | null
  readonly targetIdentifier?: { readonly type: string; readonly value?: string | null } | null
  readonly authorIdentifier?: { readonly type: string; readonly value?: string | null } | null
  readonly authorizedIdentifier?: Identifier | null
  readonly authorizingIdentifier?: Identifier | null
  readonly subunitIdentifier?: Identifier | null
  readonly subordinateEntityIdentifier?: Identifier | null
  readonly permissionTypes?: readonly string[] | null
  readonly permissionState?: string | null
  readonly queryType?: string
  readonly vatUeIdentifier?: string | null
  readonly authorizedFingerprintIdentifier?: string | null
}
interface Identifier {
  readonly type: string
  readonly value: string
}

const equals = (a: Identifier, b: Identifier | null | undefined): boolean =>
  b === undefined || b === null || keyOf(a) === keyOf(b)

const byStart = (a: Grant, b: Grant): number => b.startsAt - a.startsAt || (a.id < b.id ? -1 : 1)

/** Grants in force that a list may show, sorted. */
const listable = (
  call: AnyCall,
  kinds: readonly GrantKind[],
  fits: (grant: Grant) => boolean,
): Grant[] => {
  const { service, now } = call
  const { permissionTypes } = call.body as Query
  return [...service.state.grants.values()]
    .filter(
      (grant) =>
        kinds.includes(grant.kind) &&
        service.policy.grantListed(
          service.policy.grantHolds(grant.startsAt, grant.revokedAt, now),
        ) &&
        (permissionTypes === undefined ||
          permissionTypes === null ||
          permissionTypes.length === 0 ||
          permissionTypes.includes(grant.permission)) &&
        fits(grant),
    )
    .toSorted(byStart)
}

const active = ({ permissionState }: Query): boolean => permissionState !== 'Inactive'

const listed = <T>(
  call: ProtectedCall,
  name: string,
  found: readonly T[],
  view: (item: T) => unknown,
) => {
  const { items, hasMore } = pageByNumber(call, found)
  return { body: { [name]: items.map(view), hasMore } }
}

const personKinds: readonly GrantKind[] = ['person', 'entity', 'indirect', 'testdata']

type Queries = Pick<
  Handlers<'permissions'>,
  Extract<keyof Handlers<'permissions'>, `permissions.query${string}`>
>

export const permissionQueries: Queries = {
  'permissions.queryPersonal': (call) => {
    const { service, caller } = call
    const query = call.body as Query
    const mine = new Set(aliasesOf(service, caller.subject).map(keyOf))
    const context = query.contextIdentifier ?? caller.context
    const found = listable(
      call,
      [...personKinds, 'subunit', 'eu', 'euAdministration'],
      (grant) =>
        active(query) &&
        mine.has(keyOf(grant.subject)) &&
        keyOf(grant.context) === keyOf(context) &&
        (!query.targetIdentifier ||
          grant.target?.value === (query.targetIdentifier.value ?? undefined)),
    )
    return listed(call, 'permissions', found, (grant) => ({
      ...common(grant),
      authorizedIdentifier: grant.subject,
    }))
  },

  'permissions.queryPersons': (call) => {
    const query = call.body as Query
    const here = keyOf(call.caller.context)
    const found = listable(
      call,
      personKinds,
      (grant) =>
        active(query) &&
        keyOf(
          query.queryType === 'PermissionsInCurrentContext' ? grant.context : grant.grantedIn,
        ) === here &&
        equals(grant.subject, query.authorizedIdentifier) &&
        equals(grant.context, query.contextIdentifier) &&
        (!query.authorIdentifier ||
          (grant.author.type === query.authorIdentifier.type &&
            (!('value' in grant.author) ||
              (query.authorIdentifier.value ?? grant.author.value) === grant.author.value))) &&
        (!query.targetIdentifier ||
          grant.target?.value === (query.targetIdentifier.value ?? undefined)),
    )
    return listed(call, 'permissions', found, (grant) => ({
      ...common(grant),
      authorizedIdentifier: grant.subject,
      authorIdentifier: grant.author,
    }))
  },

  'permissions.querySubunits': (call) => {
    const query = call.body as Query
    const found = listable(
      call,
      ['subunit'],
      (grant) =>
        keyOf(grant.grantedIn) === keyOf(call.caller.context) &&
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
    const query = call.body as Query
    const nip = nipOf(call.caller.context)
    const found = listable(
      call,
      ['entity'],
      (grant) => grant.subject.value === nip && equals(grant.context, query.contextIdentifier),
    )
    return listed(call, 'permissions', found, (grant) => ({
      ...general(grant),
      contextIdentifier: grant.context,
      canDelegate: grant.canDelegate ?? false,
    }))
  },

  'permissions.queryRoles': (call) => {
    const { service, caller } = call
    const nip = nipOf(caller.context)
    const own = service.state.subjects.get(nip)
    const person = service.state.persons.get(nip)
    const roles = rolesOf(service, nip).map((role) => {
      const head = role.endsWith('SubUnit')
        ? [...service.state.subjects.values()].find(({ subunits }) =>
            subunits.some((unit) => unit.nip === nip),
          )
        : undefined
      const since =
        head?.createdAt ?? (role === 'CourtBailiff' ? person : own)?.createdAt ?? call.now
      return {
        role,
        description: head?.description ?? own?.description ?? person?.description ?? role,
        startDate: iso(since),
        ...(head && { parentEntityIdentifier: { type: 'Nip', value: head.nip } }),
      }
    })
    return listed(call, 'roles', roles, (role) => role)
  },

  'permissions.querySubordinateRoles': (call) => {
    const query = call.body as Query
    const head = call.service.state.subjects.get(nipOf(call.caller.context))
    const units = (head?.subunits ?? []).filter(
      ({ nip }) =>
        !query.subordinateEntityIdentifier || query.subordinateEntityIdentifier.value === nip,
    )
    return listed(call, 'roles', units, ({ nip, description }) => ({
      subordinateEntityIdentifier: { type: 'Nip', value: nip },
      role: head?.type === 'JST' ? 'LocalGovernmentSubUnit' : 'VatGroupSubUnit',
      description,
      startDate: iso(head?.createdAt ?? call.now),
    }))
  },

  'permissions.queryAuthorizations': (call) => {
    const query = call.body as Query
    const nip = nipOf(call.caller.context)
    const found = listable(
      call,
      ['authorization'],
      (grant) =>
        (query.queryType === 'Received' ? grant.subject.value : nipOf(grant.context)) === nip &&
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
    const query = call.body as Query
    const { caller } = call
    const vatOf = (grant: Grant) => grant.context.value.slice(11)
    const found = listable(
      call,
      ['eu', 'euAdministration'],
      (grant) =>
        (keyOf(grant.grantedIn) === keyOf(caller.context) ||
          keyOf(grant.context) === keyOf(caller.context)) &&
        (!query.vatUeIdentifier || vatOf(grant) === query.vatUeIdentifier) &&
        grant.subject.value.includes(query.authorizedFingerprintIdentifier ?? ''),
    )
    return listed(call, 'permissions', found, (grant) => {
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
