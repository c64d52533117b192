import type fc from 'fast-check'
import type { AuthRequest } from '../../lib/node/auth-request.ts'
import { authNamespaces } from '../../lib/node/auth-request.ts'
import type { Draw } from '../draw/draw.ts'
import { drawn } from '../draw/arbitrary.ts'
import { drawInternalId } from '../../lib/identifiers/internal-id.ts'
import { drawNip } from '../../lib/identifiers/nip.ts'

const octet = (draw: Draw) => draw.int(0, 255)
const address = (draw: Draw) => `${draw.int(1, 223)}.${octet(draw)}.${octet(draw)}.${octet(draw)}`
const some = <T>(draw: Draw, max: number, make: (draw: Draw) => T): T[] =>
  Array.from({ length: draw.int(0, max) }, () => make(draw))

/** VAT numbers of other countries, one for each shape. */
const vatNumbers = ['DE123456789', 'FRAB123456789', 'ATU12345678', 'NL123456789B01', 'IE1234567AB']

function drawContext(draw: Draw): AuthRequest['context'] {
  switch (draw.int(0, 2)) {
    case 0:
      return { type: 'Nip', value: drawNip(draw) }
    case 1:
      return { type: 'InternalId', value: drawInternalId(draw, drawNip(draw)) }
    default:
      return { type: 'NipVatUe', value: `${drawNip(draw)}-${draw.pick(vatNumbers)}` }
  }
}

/** Requests for authentication that answer a challenge: every kind of context and subject, with address policies. */
export function authRequest(challenge: string): fc.Arbitrary<AuthRequest> {
  return drawn((draw) => ({
    challenge,
    context: drawContext(draw),
    subjectIdentifierType: draw.pick(['certificateSubject', 'certificateFingerprint']),
    ...(draw.chance(30) && { namespace: authNamespaces['2.0'] }),
    ...(draw.chance(40) && {
      allowedIps: {
        addresses: some(draw, 10, address),
        ranges: some(draw, 10, (own) => `${address(own)}-${address(own)}`),
        masks: some(draw, 10, (own) => `${address(own)}/${own.int(0, 32)}`),
      },
    }),
  }))
}
