import { policy } from '../policy/policy.ts'
import type { Mutant } from './mutant.ts'
import { calls } from './rewrite.ts'

/** Defects in the defence against hostile XML. */

/** Fetches the addresses of system identifiers, or of those beside a public one. */
export const fetchNamed = (bytes: Uint8Array, kind: 'PUBLIC' | 'SYSTEM'): void => {
  const pattern = kind === 'SYSTEM' ? /SYSTEM "(http[^"]+)"/g : /PUBLIC "[^"]*" "(http[^"]+)"/g
  for (const [, url = ''] of Buffer.from(bytes).toString().matchAll(pattern))
    void fetch(url).catch(() => undefined)
}

/** What a document points to over the network is fetched. */
export const fetchesWhatIsNamed = (kind: 'PUBLIC' | 'SYSTEM'): Mutant =>
  calls(['auth.xades'], (call) => {
    fetchNamed(call.bytes, kind)
    return call
  })

/** A document type that is found in such a place only is not noticed, and the document is read without it. */
export const doctypeUnread = (beginning: RegExp): Mutant =>
  calls(['auth.xades'], (call) => ({
    ...call,
    bytes: Buffer.from(Buffer.from(call.bytes).toString().replace(beginning, '')),
  }))

/** A document type is looked for in what is sent, and not in what that encodes. */
export const encodedDoctypeUnread = (): Mutant => {
  let looked = 0
  return {
    at: ['auth.xades'],
    call(call, next) {
      looked = 0
      return next(call)
    },
    policy: {
      doctypeAllowed(doctype) {
        looked += 1
        return looked > 1 || policy.doctypeAllowed(doctype)
      },
    },
  }
}
