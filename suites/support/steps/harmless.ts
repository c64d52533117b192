import { endpoint } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import { schema } from '../../../contract/schemas.ts'
import type { CallOptions } from '../../../lib/request.ts'
import { wireOperation } from '../../../lib/wire.ts'
import { expectations } from '../service/expectations.ts'

/** Well-formed references to resources that do not exist. */
const references: Readonly<Record<string, string>> = {
  referenceNumber: '20260615-SO-2F6A9B0C1D-0E3F4A5B6C-7D',
  invoiceReferenceNumber: '20260615-EE-2F6A9B0C1D-0E3F4A5B6C-7D',
  upoReferenceNumber: '20260615-EU-2F6A9B0C1D-0E3F4A5B6C-7D',
  svcNumber: '5265877635-20250826-0100001AF629-AF',
  invoiceNumber: 'no such number',
  invoiceId: '20260615-EE-2F6A9B0C1D-0E3F4A5B6C-7D',
  collectiveIdentifierNumber: '1111111111-IZ202607-65ED02180000-E7',
  permissionId: '9b2f7c64-0c2a-4f7f-8a39-6c1a7d7b1a55',
  certificateSerialNumber: '01F20A5D352AE590',
  serialNumber: '01F20A5D352AE590',
  ordinalNumber: '1',
  receiptId: 'no-such-receipt',
}

/** The parameters of an operation's path, for resources that do not exist. */
export const absentPath = (operation: OperationId): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...endpoint(operation).path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [
      name,
      references[name] ?? '',
    ]),
  )

/** A call without lasting effect: resources that do not exist, and the example of the body. */
export const harmless = (operation: OperationId): CallOptions => {
  const { request, parameters = [] } = endpoint(operation)
  const examples = request?.schema === undefined ? undefined : schema(request.schema)?.['examples']
  const body = Array.isArray(examples)
    ? (examples[0] as unknown)
    : request === undefined
      ? undefined
      : '<Faktura/>'
  return {
    path: absentPath(operation),
    pace: false,
    ...(body === undefined ? {} : { body }),
    ...(parameters.some(({ name }) => name === 'sessionType')
      ? { query: { sessionType: 'Online' } }
      : {}),
  }
}

/** Such a call by each path of an operation. */
export const harmlessCalls = (operation: OperationId): readonly CallOptions[] => {
  const call = harmless(operation)
  const { aliases, atOrigin } = wireOperation(operation, expectations().dialect)
  return [
    call,
    ...aliases.map((_, alias) => ({ ...call, alias })),
    ...(atOrigin ? [{ ...call, atOrigin: false }] : []),
  ]
}
