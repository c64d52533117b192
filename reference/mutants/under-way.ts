import type { Answer } from '../call/call.ts'
import type { Authentication } from '../model/entities.ts'
import { keyOf } from '../model/entities.ts'
import type { Mutant } from './mutant.ts'
import type { Fields } from './rewrite.ts'

/** Milliseconds that a call is under way, so that calls overlap. */
const underWayMs = 40

/** Delays a call until the other calls of a burst have arrived. */
export const underWay = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, underWayMs)
  })

/** What an authentication is by: its service token, or its subject. */
const signerOf = ({ envelope, subject }: Authentication): string | undefined =>
  envelope === undefined
    ? subject && keyOf(subject)
    : 'token' in envelope
      ? envelope.token
      : undefined

/** A second authentication by a signer in a context is answered with the one that is in progress. */
export const oneInProgress = (operation: 'auth.xades' | 'auth.token'): Mutant => {
  const begun = new Map<string, Answer>()
  return {
    at: [operation],
    async call(call, next) {
      const answer = await next(call)
      const { authentications } = call.service.state
      const referenceNumber = String((answer.body as Fields)['referenceNumber'])
      begun.set(referenceNumber, answer)
      const own = authentications.get(referenceNumber)
      const earlier =
        own &&
        authentications
          .by('context', keyOf(own.context))
          .find((one) => one.status.code === 100 && signerOf(one) === signerOf(own))
      return begun.get(earlier?.referenceNumber ?? '') ?? answer
    },
  }
}
