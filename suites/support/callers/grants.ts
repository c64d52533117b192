import { operationIds } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import type { Client } from '../../../lib/client.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { settle } from '../../../lib/flows/settle.ts'
import type { Settled } from '../../../lib/flows/settle.ts'
import { Inconclusive, expectOk, expectText } from '../../../lib/outcome.ts'
import { noteMade, ofOwnHolders } from '../run/own-work.ts'

/** Grants and revocations, each an asynchronous operation that is awaited, and lists of permissions. */

export interface Identifier {
  readonly type: string
  readonly value: string
}

export const byNip = (value: string) => ({ type: 'Nip', value }) as const

/** Asks the list of persons for what was granted in the context of the caller. */
export const granted = { queryType: 'PermissionsGrantedInCurrentContext' } as const

/**
 * Awaits an operation, however it ends.
 * @throws {Inconclusive} when it does not settle
 */
export const settleOperation = (api: Client, referenceNumber: string): Promise<Settled> =>
  settle(api, 'operation', 'await the operation', () =>
    api.call('operations.status', { path: { referenceNumber } }),
  )

/** The outcome of an operation: its final state, or the answer that started none. */
export const outcomeOfOperation = async (
  api: Client,
  started: Exchange,
): Promise<Exchange | Settled> => {
  const { referenceNumber } = (started.body ?? {}) as { readonly referenceNumber?: unknown }
  return started.status > 299 || typeof referenceNumber !== 'string'
    ? started
    : settleOperation(api, referenceNumber)
}

/** The outcome of an answer: of the operation that it started, where it is one on permissions. */
export const outcomeOfCall = async (
  api: Client,
  operation: OperationId,
  answer: Exchange,
): Promise<Exchange | Settled> =>
  operation.startsWith('permissions.') ? outcomeOfOperation(api, answer) : answer

const done = async (api: Client, operation: OperationId, body: unknown): Promise<Settled> => {
  const started = await api.call(operation, { body })
  const referenceNumber = expectText(started, operation, 'referenceNumber')
  const settled = await settleOperation(api, referenceNumber)
  if (settled.succeeded) return settled
  throw new Inconclusive(operation, 'an operation that succeeds', settled.exchanges.at(-1))
}

const person = {
  subjectDetailsType: 'PersonByIdentifier',
  personById: { firstName: 'Anna', lastName: 'Nowak' },
}

const personByPrint = {
  subjectDetailsType: 'PersonByFingerprintWithoutIdentifier',
  personByFpNoId: {
    firstName: 'Anna',
    lastName: 'Nowak',
    birthDate: '1984-02-29',
    idDocument: { type: 'passport', number: 'AB1234567', country: 'PL' },
  },
}

/** What a grantor says of a person, in the form that fits the identifier. */
const detailsOf = ({ type }: Identifier) => (type === 'Fingerprint' ? personByPrint : person)

/** The request that grants permissions to a person. */
export const personGrant = (subject: Identifier, permissions: readonly string[]) => {
  noteMade(subject.value)
  return {
    subjectIdentifier: subject,
    permissions,
    description: 'granted by a conformance check',
    subjectDetails: detailsOf(subject),
  }
}

/**
 * Grants permissions to a person in the caller's context.
 * @throws {Inconclusive} when that does not succeed
 */
export const grantPerson = (
  api: Client,
  subject: Identifier,
  permissions: readonly string[],
): Promise<Settled> => done(api, 'permissions.grantPerson', personGrant(subject, permissions))

/**
 * Permits another entity to invoice in the caller's name.
 * @throws {Inconclusive} when that does not succeed
 */
export const authorizeSelfInvoicing = (api: Client, agentNip: string): Promise<Settled> =>
  done(api, 'permissions.grantAuthorization', {
    subjectIdentifier: { type: 'Nip', value: agentNip },
    permission: 'SelfInvoicing',
    description: 'self-invoicing for a check',
    subjectDetails: { fullName: 'Agent of a check' },
  })

/** A permission as the list of those granted to persons shows it. */
export interface ListedPermission {
  readonly id: string
  readonly permissionScope: string
  readonly authorizedIdentifier: Identifier
  readonly [more: string]: unknown
}

/** Permissions of persons in the caller's context; where checks share it, of those that the check granted any to. */
export const listGranted = async (api: Client): Promise<ListedPermission[]> => {
  const answer = await api.call('permissions.queryPersons', {
    query: { pageSize: 100 },
    body: granted,
  })
  const { permissions } = (answer.body ?? {}) as { permissions?: ListedPermission[] }
  if (answer.status > 299 || permissions === undefined)
    throw new Inconclusive('list the granted permissions', 'a list `permissions`', answer)
  return ofOwnHolders(permissions)
}

type GrantOperation = Extract<OperationId, `permissions.grant${string}`>

/** Every operation that grants. */
export const grantOperations = operationIds.filter((id): id is GrantOperation =>
  id.startsWith('permissions.grant'),
)

/**
 * Grants in the caller's context by any of the operations that do.
 * @throws {Inconclusive} when that does not succeed
 */
export const grantBy = (api: Client, operation: GrantOperation, body: unknown): Promise<Settled> =>
  done(api, operation, body)

const description = 'granted by a conformance check'

/** The request that permits an entity to read or send invoices, and to delegate that if `canDelegate` is set. */
export const entityGrant = (
  nip: string,
  permissions: readonly { readonly type: string; readonly canDelegate?: boolean }[],
) => ({
  subjectIdentifier: { type: 'Nip', value: nip },
  permissions,
  description,
  subjectDetails: { fullName: 'Office of a check' },
})

/** The request that delegates to a person the permissions of one client, or of every client. */
export const indirectGrant = (
  subject: Identifier,
  permissions: readonly string[],
  targetIdentifier: { readonly type: string; readonly value?: string },
) => ({ ...personGrant(subject, permissions), targetIdentifier })

/** The request that makes a person the administrator of a unit. */
export const unitGrant = (
  subject: Identifier,
  contextIdentifier: Identifier,
  subunitName: string,
) => ({
  subjectIdentifier: subject,
  contextIdentifier,
  subunitName,
  description,
  subjectDetails: detailsOf(subject),
})

/** The request that permits another entity to act in the caller's name. */
export const authorizationGrant = (subject: Identifier, permission: string) => ({
  subjectIdentifier: subject,
  permission,
  description,
  subjectDetails: { fullName: 'Agent of a check' },
})

const euEntity = { fullName: 'Muster GmbH', address: 'Berlin' }

/** The request that makes the holder of a certificate the administrator of an EU entity. */
export const euAdministrationGrant = (
  fingerprint: string,
  context: string,
  euEntityName = 'Muster GmbH',
) => ({
  subjectIdentifier: { type: 'Fingerprint', value: fingerprint },
  contextIdentifier: { type: 'NipVatUe', value: context },
  description,
  euEntityName,
  subjectDetails: { subjectDetailsType: 'EntityByFingerprint', entityByFp: euEntity },
  euEntityDetails: euEntity,
})

/** The request that grants permissions in the context of an EU entity to the holder of a certificate. */
export const euGrant = (fingerprint: string, permissions: readonly string[]) => ({
  subjectIdentifier: { type: 'Fingerprint', value: fingerprint },
  permissions,
  description,
  subjectDetails: { subjectDetailsType: 'EntityByFingerprint', entityByFp: euEntity },
})

/** Starts the revocation of a permission. */
export const revoke = (api: Client, permissionId: string): Promise<Exchange> =>
  api.call('permissions.revoke', { path: { permissionId } })

/**
 * Grants permissions in a context by the test-data operation: at once, without a bearer.
 * @throws {Inconclusive} when that is refused
 */
export const grantInTest = async (
  api: Client,
  context: { readonly nip: string },
  authorizedIdentifier: Identifier,
  permissions: readonly string[],
  reason = 'granted by a conformance check',
): Promise<void> => {
  noteMade(authorizedIdentifier.value)
  const answer = await api.call('testdata.grant', {
    body: {
      contextIdentifier: { type: 'Nip', value: context.nip },
      authorizedIdentifier,
      permissions: permissions.map((permissionType) => ({
        permissionType,
        description: reason,
      })),
    },
  })
  expectOk(answer, 'grant permissions in the test environment')
}
