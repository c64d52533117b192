import { forgeries } from '../../lib/node/forgeries.ts'
import type { ForgerySource } from '../../lib/node/forgery.ts'
import type { Malformation } from './malformation.ts'

/** A signed request for authentication that must not be accepted. */
export interface SignedRequestMalformation extends Malformation {
  readonly of: 'signed-request'
  readonly apply: (source: ForgerySource) => string | Uint8Array
}

/** The forgeries of signed requests, as classes of the catalogue. */
export const signedRequests: readonly SignedRequestMalformation[] = forgeries.map(
  ({ rule, variant, refusedAs, mayBeAccepted, make }) => ({
    id: `signature:${rule.slice(rule.lastIndexOf('.') + 1)}/${variant.replaceAll(/[^a-z0-9]+/gi, '-')}`,
    layer: 'signature',
    of: 'signed-request',
    rule,
    refusedAs,
    summary: mayBeAccepted === undefined ? variant : `${variant} (observed only: ${mayBeAccepted})`,
    apply: make,
  }),
)
