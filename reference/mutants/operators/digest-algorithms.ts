import { policy } from '../../policy/policy.ts'
import type { Generated } from './operator.ts'
import { generated } from './operator.ts'

/** What a signature states is compared where one algorithm was used, and believed where another was. */

/** Characters of a digest in Base64. */
const digests = { sha256: 44, sha384: 64, sha512: 88 } as const

const hashes = Object.keys(digests) as (keyof typeof digests)[]

/** One algorithm of digests or signatures whose values are not looked at. */
export const algorithmsUnchecked = (): Generated[] =>
  hashes.flatMap((hash) => {
    const isOf = (found: string): boolean => found.length === digests[hash]
    return [
      generated(
        'algorithm',
        `${hash}.certificate-unchecked`,
        ['auth.xades.incomplete-signature-refused'],
        {
          policy: {
            certificateDigestFits: (found, stated) =>
              isOf(found) || policy.certificateDigestFits(found, stated),
          },
        },
      ),
      generated(
        'algorithm',
        `${hash}.references-unchecked`,
        ['auth.xades.tampered-refused', 'auth.xades.incomplete-signature-refused'],
        {
          policy: {
            digestFits: (found, stated) => isOf(found) || policy.digestFits(found, stated),
          },
        },
      ),
      ...(['ec', 'rsa'] as const).map((kind) =>
        generated(
          'algorithm',
          `${hash}.${kind}-unverified`,
          ['auth.xades.incomplete-signature-refused'],
          {
            policy: {
              signatureVerifies: (by, signed, key, value) =>
                (by === hash && key.key.asymmetricKeyType === kind) ||
                policy.signatureVerifies(by, signed, key, value),
            },
          },
        ),
      ),
    ]
  })
