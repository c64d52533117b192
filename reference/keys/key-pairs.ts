import { webcrypto } from 'node:crypto'
import { rsa } from './self-signed.ts'

/**
 * RSA key pairs, which take longest of all that a service is made of. Those of services that were closed are used again:
 * a check in another environment starts one for itself. So are those of rotations that were undone. No two services
 * that run at the same time share a pair.
 */

type Pair = Awaited<ReturnType<typeof newPair>>

const newPair = () => webcrypto.subtle.generateKey(rsa, true, ['sign', 'verify'])

/** As many as two services have, with a rotation of each key. */
const maxSpare = 10

const spare: Pair[] = []

/** Pairs of one service. */
export interface KeyPairs {
  readonly take: () => Promise<Pair>
  /** Gives the pairs back when nothing keeps their keys: the service is closed, or starts anew without rotations. */
  readonly giveBack: () => void
}

export const createKeyPairs = (): KeyPairs => {
  const taken: Pair[] = []
  return {
    async take() {
      const pair = spare.pop() ?? (await newPair())
      taken.push(pair)
      return pair
    },
    giveBack() {
      spare.push(...taken.splice(0).slice(0, maxSpare - spare.length))
    },
  }
}
