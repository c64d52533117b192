import { keyOf } from '../model/entities.ts'
import { grantsOf, revokerOf } from '../rights/grants.ts'
import type { Handlers, ProtectedCall } from '../call/call.ts'
import { contextFits } from '../model/context-form.ts'
import { startOperation } from '../rights/operations.ts'
import { permissionQueries } from './permission-queries.ts'
import { refuse } from '../base/refusals.ts'
import { utcOrNull } from '../base/wording.ts'

/** Grants and revocations. Source: specification, Permission; gaps permission-grants, revocation-refusals. */

const revoke = (call: ProtectedCall, authorization: boolean) => {
  const { service, caller, path } = call
  const { policy } = service
  const permissionId = path['permissionId'] ?? ''
  const found = service.state.grants.get(permissionId)
  const grant = found && (found.kind === 'authorization') === authorization ? found : undefined
  const task = { kind: 'revoke', permissionId, by: caller.subject, authorization } as const
  if (grant === undefined) throw refuse('permission-unknown')
  const here = [grant.grantedIn, grant.context].some((context) =>
    policy.revocationInContext(keyOf(context), keyOf(caller.context)),
  )
  if (!here) throw refuse('permission-no-access')
  const needed = revokerOf(grant.kind)
  if (!policy.revocationPermitted(caller.permissions(), needed)) {
    throw refuse('missing-permission', `one of ${needed.join(', ')} is needed`)
  }
  if (policy.revokedBefore(grant.revokedAt)) throw refuse('permission-already-revoked')
  return startOperation(call, task)
}

const euPermissions = ['VatUeManage', 'InvoiceWrite', 'InvoiceRead', 'Introspection'] as const

export const permissionsHandlers = {
  'permissions.grantPerson': (call) => {
    const { permissions } = call.body
    return startOperation(call, { kind: 'grant', grants: grantsOf(call, 'person', permissions) })
  },

  'permissions.grantEntity': (call) => {
    const { permissions } = call.body
    const delegable = new Map<string, boolean>(
      permissions.map(({ type, canDelegate }) => [type, canDelegate ?? false]),
    )
    const grants = grantsOf(
      call,
      'entity',
      permissions.map(({ type }) => type),
    ).map((grant) => ({
      ...grant,
      canDelegate: delegable.get(grant.permission) ?? false,
    }))
    return startOperation(call, { kind: 'grant', grants })
  },

  'permissions.grantAuthorization': (call) => {
    const { permission } = call.body
    return startOperation(call, {
      kind: 'grant',
      grants: grantsOf(call, 'authorization', [permission]),
    })
  },

  'permissions.grantIndirect': (call) => {
    const { permissions, targetIdentifier } = call.body
    const selective = targetIdentifier && targetIdentifier.type !== 'AllPartners'
    if (
      selective &&
      !contextFits({ type: targetIdentifier.type, value: targetIdentifier.value ?? '' })
    ) {
      throw refuse('invalid-input', `'targetIdentifier.value' is no ${targetIdentifier.type}`)
    }
    const target = {
      type: targetIdentifier?.type ?? 'AllPartners',
      ...(selective && { value: targetIdentifier.value ?? '' }),
    }
    return startOperation(call, {
      kind: 'grant',
      grants: grantsOf(call, 'indirect', permissions, { target }),
    })
  },

  'permissions.grantSubunit': (call) => {
    const { body } = call
    const { contextIdentifier: context, subunitName } = body
    if (
      !contextFits(context) ||
      (context.type === 'InternalId' && !call.service.policy.unitCheckDigitFits(context.value))
    ) {
      throw refuse('invalid-input', `'contextIdentifier.value' is no ${context.type}`)
    }
    if (!call.service.policy.unitNameFits(context.type, subunitName)) {
      throw refuse('invalid-input', "'subunitName' is required")
    }
    return startOperation(call, {
      kind: 'grant',
      grants: grantsOf(call, 'subunit', ['CredentialsManage'], {
        context,
        ...(subunitName && { unitName: subunitName }),
      }),
    })
  },

  'permissions.grantEuAdministration': (call) => {
    const { body } = call
    if (!contextFits(body.contextIdentifier)) {
      throw refuse('invalid-input', "'contextIdentifier.value' is no NipVatUe")
    }
    return startOperation(call, {
      kind: 'grant',
      grants: grantsOf(call, 'euAdministration', euPermissions, {
        context: body.contextIdentifier,
        unitName: body.euEntityName,
        entityDetails: body.euEntityDetails,
      }),
    })
  },

  'permissions.grantEu': (call) => {
    const { permissions } = call.body
    if (call.caller.context.type !== 'NipVatUe') throw refuse('context-kind-not-allowed')
    return startOperation(call, { kind: 'grant', grants: grantsOf(call, 'eu', permissions) })
  },

  'permissions.revoke': (call) => revoke(call, false),
  'permissions.revokeAuthorization': (call) => revoke(call, true),

  'permissions.attachmentStatus': ({ service, caller, now }) => {
    const consent = service.state.consents.get(caller.context.value.slice(0, 10))
    const revoked = consent?.revokedAt
    return {
      body: {
        isAttachmentAllowed: service.policy.attachmentConsentSuffices(consent, now),
        revokedDate: utcOrNull(revoked),
      },
    }
  },

  ...permissionQueries,
} satisfies Handlers<'permissions'>
