import { endpoint, operationIds } from '../../contract/endpoints.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import { schema } from '../../contract/schemas.ts'
import type { Permission } from '../../contract/types.ts'
import type { CallOptions } from '../../lib/client.ts'
import { absence } from '../../lib/wire.ts'
import { rule } from '../support/rule.ts'
import { expect, test } from '../support/test.ts'

/** Permissions that a person can hold alone; VatUeManage comes with others and only in contexts of type NipVatUe. */
const alone = [
  'InvoiceWrite',
  'InvoiceRead',
  'CredentialsManage',
  'CredentialsRead',
  'SubunitManage',
  'Introspection',
] as const satisfies Permission[]

const guarded = operationIds.filter((id) => (endpoint(id).permissions ?? []).length > 0)

const references: Readonly<Record<string, string>> = {
  referenceNumber: '20260615-SO-2F6A9B0C1D-0E3F4A5B6C-7D',
  invoiceReferenceNumber: '20260615-EE-2F6A9B0C1D-0E3F4A5B6C-7D',
  upoReferenceNumber: '20260615-EU-2F6A9B0C1D-0E3F4A5B6C-7D',
  svcNumber: '5265877635-20250826-0100001AF629-AF',
  invoiceNumber: 'no such number',
  invoiceId: '20260615-EE-2F6A9B0C1D-0E3F4A5B6C-7D',
  permissionId: '9b2f7c64-0c2a-4f7f-8a39-6c1a7d7b1a55',
}

/** A call without lasting effect: resources that do not exist, and the example of the body. */
const harmless = (operation: OperationId): CallOptions => {
  const { path, request, parameters = [] } = endpoint(operation)
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const examples = request?.schema === undefined ? undefined : schema(request.schema)?.['examples']
  const body = Array.isArray(examples)
    ? (examples[0] as unknown)
    : request === undefined
      ? undefined
      : '<Faktura/>'
  return {
    path: Object.fromEntries(names.map((name) => [name, references[name] ?? ''])),
    pace: false,
    ...(body === undefined ? {} : { body }),
    ...(parameters.some(({ name }) => name === 'sessionType')
      ? { query: { sessionType: 'Online' } }
      : {}),
  }
}

for (const permission of alone) {
  test(...rule('permissions.matrix', permission), async ({ limited, target }) => {
    const { api } = await limited([permission])
    const wrong: string[] = []
    for (const operation of guarded.filter((id) => absence(id, target.dialect) === undefined)) {
      const { status } = await api.call(operation, harmless(operation))
      const opens = (endpoint(operation).permissions ?? []).includes(permission)
      if ((status === 403) === opens)
        wrong.push(`${operation} ${opens ? 'should open' : 'should not open'}, answered ${status}`)
    }
    expect(wrong, `operations with a wrong decision for ${permission} alone`).toEqual([])
  })
}

test(...rule('permissions.matrix', 'owner'), async ({ login, target }) => {
  const { api } = await login()
  const wrong: string[] = []
  for (const operation of guarded.filter((id) => absence(id, target.dialect) === undefined)) {
    const needed: readonly string[] = endpoint(operation).permissions ?? []
    if (!alone.some((permission) => needed.includes(permission))) continue
    const { status } = await api.call(operation, harmless(operation))
    if (status === 403) wrong.push(`${operation} answered ${status}`)
  }
  expect(wrong, 'operations that reject the owner of the context').toEqual([])
})

test(...rule('permissions.matrix', 'service token'), async ({ serviceToken, login, target }) => {
  const { token } = await serviceToken()
  const { api } = await login({ token })
  const wrong: string[] = []
  for (const operation of guarded.filter((id) => absence(id, target.dialect) === undefined)) {
    const needed: readonly string[] = endpoint(operation).permissions ?? []
    const opens = needed.includes('InvoiceRead') || needed.includes('InvoiceWrite')
    const { status } = await api.call(operation, harmless(operation))
    if ((status === 403) === opens)
      wrong.push(`${operation} ${opens ? 'should open' : 'should not open'}, answered ${status}`)
  }
  expect(wrong, 'operations with a wrong decision for a service token').toEqual([])
})
