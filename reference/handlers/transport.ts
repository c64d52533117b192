import type { Handlers } from '../handler.ts'
import { describe } from '../description.ts'

/** Connectivity and the description of the interface. */
export const transportHandlers = {
  'transport.health': ({ service }) => ({ body: { status: service.policy.healthStatus() } }),
  'transport.openapi': ({ service }) => ({ body: describe(service) }),
} satisfies Handlers<'transport'>
