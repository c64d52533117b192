import { operationIds } from '../contract/endpoints.ts'
import type { Service } from './context.ts'

/** The description of the interface as the service serves it. */
export const describe = (service: Service): unknown => ({
  openapi: '3.1.0',
  info: { title: 'Invoice clearing service', version: '2' },
  paths: Object.fromEntries(
    operationIds.filter((operation) => service.policy.describes(operation)).map((id) => [id, {}]),
  ),
})
