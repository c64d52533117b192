import type { Handlers } from '../call/call.ts'
import type { Service } from '../call/service.ts'
import type { Dialect } from '../../contract/dialect.ts'
import { openapi } from '../../contract/openapi.ts'
/** The description as it was written last: writing it takes a hundred times as long as any other public answer. */
interface Written {
  readonly address: string
  readonly bytes: Uint8Array
}

const written = new WeakMap<Dialect, Written>()

/** The description of the interface as the service serves it: the contract's own, at the address of this service. */
const description = ({ dialect, publicUrl }: Service): Uint8Array => {
  const known = written.get(dialect)
  if (known?.address === publicUrl) return known.bytes
  const origin = publicUrl.slice(0, publicUrl.length - dialect.prefix.length)
  const bytes = Buffer.from(JSON.stringify(openapi(dialect, origin)))
  written.set(dialect, { address: publicUrl, bytes })
  return bytes
}

/** Connectivity and the description of the interface. */
export const transportHandlers = {
  'transport.health': () => ({ body: { status: 'ok' } }),
  'transport.openapi': ({ service }) => ({
    bytes: description(service),
    media: 'application/json',
  }),
} satisfies Handlers<'transport'>
