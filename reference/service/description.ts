import { operationIds } from '../../contract/endpoints.ts'
import { openapi } from '../../contract/openapi.ts'
import type { Service } from '../call/service.ts'

/** The description of the interface as the service serves it: the contract's own, at the address of this service. */
export const describe = (service: Service): unknown => {
  const { dialect, publicUrl, policy } = service
  const origin = publicUrl.slice(0, publicUrl.length - dialect.prefix.length)
  const document = openapi(dialect, origin)
  const hidden = new Set<unknown>(operationIds.filter((operation) => !policy.describes(operation)))
  if (hidden.size === 0) return document
  const paths = Object.entries(document['paths'] as Record<string, Record<string, unknown>>)
  return {
    ...document,
    paths: Object.fromEntries(
      paths.map(([path, item]) => [
        path,
        Object.fromEntries(
          Object.entries(item).filter(
            ([, operation]) => !hidden.has((operation as { operationId?: unknown }).operationId),
          ),
        ),
      ]),
    ),
  }
}
