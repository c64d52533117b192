import type { Handlers } from '../call/call.ts'
import type { Service } from '../call/service.ts'
import { describe } from '../service/description.ts'
import type { Policy } from '../policy/policy.ts'

interface Written {
  readonly policy: Policy
  readonly address: string
  readonly bytes: Uint8Array
}

/** Kept while policy and address stay: making it takes a hundred times as long as any other answer to strangers. */
const written = new WeakMap<Service, Written>()

const description = (service: Service): Uint8Array => {
  const { policy, publicUrl } = service
  const known = written.get(service)
  if (known?.policy === policy && known.address === publicUrl) return known.bytes
  const bytes = Buffer.from(JSON.stringify(describe(service)))
  written.set(service, { policy, address: publicUrl, bytes })
  return bytes
}

/** Connectivity and the description of the interface. */
export const transportHandlers = {
  'transport.health': ({ service }) => ({ body: { status: service.policy.healthStatus() } }),
  'transport.openapi': ({ service }) => ({
    bytes: description(service),
    media: 'application/json',
  }),
} satisfies Handlers<'transport'>
