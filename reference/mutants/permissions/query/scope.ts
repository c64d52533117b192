import type { OperationId } from '../../../../contract/endpoints.ts'
import type { ContextIdentifier, TestSubject } from '../../../model/entities.ts'
import { keyOf } from '../../../model/entities.ts'
import type { GrantList } from '../../../policy/permissions.ts'
import { policy } from '../../../policy/policy.ts'
import type { Mutant } from '../../mutant.ts'
import type { Fields } from '../../rewrite.ts'
import { bodies, calls, decidedBy } from '../../rewrite.ts'

/** One list shows the grants of others too. */
const ofOthers = (list: GrantList): Mutant => ({
  policy: {
    grantInScope: (of, grant, viewer) => of === list || policy.grantInScope(of, grant, viewer),
  },
})

/** A list of two kinds always shows the same kind. */
const asks = (operation: OperationId, queryType: string): Mutant =>
  calls([operation], (call) => ({ ...call, body: { ...(call.body as Fields), queryType } }))

/** Members of a group are read once, and remembered. */
const rememberedMembers = (): Mutant => {
  const known = new Map<string, TestSubject>()
  return {
    at: ['permissions.querySubordinateRoles'],
    tables: {
      subjects: {
        read(found, key) {
          if (found !== undefined) known.set(key, found)
          return found ?? known.get(key)
        },
      },
    },
  }
}

/** Where kinds are asked for, the callers' own list has those of everybody in the context. */
const everybodysByKind: Mutant = calls(['permissions.queryPersonal'], (call) => {
  const { permissionTypes } = call.body as { readonly permissionTypes?: readonly string[] }
  const { caller } = call
  if (!permissionTypes?.length || caller === undefined) return call
  return decidedBy(call, {
    grantInScope: (list, grant, viewer) =>
      policy.grantInScope(list, grant, viewer) || keyOf(grant.context) === keyOf(caller.context),
  })
})

/** Defects of whose permissions a list has. */
export const permissionsQueryScopeMutants = {
  'permissions.query.scope/of-everybody-by-kind': {
    also: ['permissions.query.narrowed'],
    ...everybodysByKind,
  },
  'permissions.query.scope/own-grants-only': bodies(
    ['permissions.queryPersons'],
    (body: { readonly permissions: readonly Fields[] }, { caller, body: asked }) => {
      const { queryType } = asked as { readonly queryType: string }
      if (queryType !== 'PermissionsGrantedInCurrentContext') return {}
      const own = ({ authorIdentifier }: Fields) =>
        (authorIdentifier as { readonly value?: string } | undefined)?.value ===
        caller?.subject.value
      return { permissions: body.permissions.filter(own) }
    },
  ),
  'permissions.query.scope/persons-of-a-context-asked-for': calls(
    ['permissions.queryPersons'],
    (call) => {
      const { contextIdentifier } = call.body as { contextIdentifier?: ContextIdentifier | null }
      const { caller } = call
      return contextIdentifier && caller
        ? { ...call, caller: { ...caller, context: contextIdentifier } }
        : call
    },
  ),
  'permissions.query.scope/units-of-everyone': {
    at: ['permissions.querySubordinateRoles'],
    tables: {
      subjects: {
        read: (found, _key, { subjects }) =>
          found ?? [...subjects.values()].find(({ subunits }) => subunits.length > 0),
      },
    },
  },
  'permissions.query.scope/personal-others': ofOthers('personal'),
  'permissions.query.scope/personal-any-context': {
    also: ['permissions.query.narrowed'],
    policy: {
      grantInScope: (list, grant, viewer) =>
        list === 'personal'
          ? viewer.names.has(keyOf(grant.subject))
          : policy.grantInScope(list, grant, viewer),
    },
  },
  'permissions.query.scope/personal-direct-only': {
    policy: {
      grantInScope: (list, grant, viewer) =>
        policy.grantInScope(list, grant, viewer) &&
        (list !== 'personal' || keyOf(grant.context) === viewer.context),
    },
  },
  'permissions.query.scope/persons-others': ofOthers('persons'),
  'permissions.query.scope/persons-granted-for-in-force': asks(
    'permissions.queryPersons',
    'PermissionsGrantedInCurrentContext',
  ),
  'permissions.query.scope/persons-in-force-for-granted': asks(
    'permissions.queryPersons',
    'PermissionsInCurrentContext',
  ),
  'permissions.query.scope/subunits-others': ofOthers('subunits'),
  'permissions.query.scope/entities-others': ofOthers('entities'),
  'permissions.query.scope/authorizations-others': ofOthers('authorizations'),
  'permissions.query.scope/authorizations-received-for-granted': asks(
    'permissions.queryAuthorizations',
    'Received',
  ),
  'permissions.query.scope/authorizations-granted-for-received': asks(
    'permissions.queryAuthorizations',
    'Granted',
  ),
  'permissions.query.scope/eu-others': ofOthers('eu'),
  'permissions.query.scope/shows-revoked': { policy: { grantListed: () => true } },
  'permissions.query.scope/members-remembered': rememberedMembers(),
  'permissions.query.scope/units-by-author': {
    at: ['permissions.querySubunits'],
    policy: {
      grantInScope: (list, grant, viewer) =>
        policy.grantInScope(list, grant, viewer) &&
        'value' in grant.author &&
        viewer.names.has(keyOf(grant.author)),
    },
  },
  'permissions.query.scope/authorizations-by-author': {
    at: ['permissions.queryAuthorizations'],
    policy: {
      grantInScope: (list, grant, viewer) =>
        policy.grantInScope(list, grant, viewer) &&
        (viewer.queryType === 'Received' ||
          ('value' in grant.author && viewer.names.has(keyOf(grant.author)))),
    },
  },
} as const satisfies Readonly<Record<string, Mutant>>
