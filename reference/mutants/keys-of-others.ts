import { policy } from '../policy/policy.ts'
import type { Mutant } from './mutant.ts'

/** Content is decrypted with the key of another session where its own does not fit. */
export const anyKey = (): Mutant => {
  const seen = new Map<string, readonly [Uint8Array, Uint8Array]>()
  return {
    policy: {
      decryptContent(key, iv, bytes) {
        seen.set(Buffer.from(key).toString('hex'), [key, iv])
        const plain = policy.decryptContent(key, iv, bytes)
        if (plain !== undefined) return plain
        for (const [other, vector] of seen.values()) {
          const opened = policy.decryptContent(other, vector, bytes)
          if (opened !== undefined) return opened
        }
        return undefined
      },
    },
  }
}
