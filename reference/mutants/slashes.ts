import { sha256Base64 } from '../base/crypto.ts'
import { policy } from '../policy/policy.ts'
import type { Mutant } from './mutant.ts'
import type { Fields } from './rewrite.ts'
import { responses } from './rewrite.ts'
import { onOtherPaths } from './spellings.ts'

/** Submissions of invoices by the path with a slash at its end, which is served apart. */

const submission = /\/sessions\/online\/([^/]+)\/invoices\/$/

/** The answer states the reference of the session in place of that of the document. */
export const namesTheSession: Mutant = {
  ...onOtherPaths('invoices.submit'),
  ...responses(async (response, { path, refusal }) => {
    const referenceNumber = submission.exec(path)?.[1]
    return refusal !== undefined || referenceNumber === undefined
      ? response
      : Response.json({ ...((await response.json()) as Fields), referenceNumber }, response)
  }),
}

/** A defect that knows whether the call in hand came by that path. */
const withTheSlash = (defect: (isSlashed: () => boolean) => Mutant): Mutant => {
  let isSlashed = false
  return {
    ...onOtherPaths('invoices.submit'),
    exchange(running, next) {
      isSlashed = submission.test(running.path)
      return next(running)
    },
    ...defect(() => isSlashed),
  }
}

/** The limit of other bodies holds there. */
export const smallerWithTheSlash = (): Mutant =>
  withTheSlash((isSlashed) => ({
    policy: { bodyLimit: (operation) => (isSlashed() ? 1_000_000 : policy.bodyLimit(operation)) },
  }))

/** What a submission states of its encrypted content is not compared there. */
export const uncomparedWithTheSlash = (): Mutant =>
  withTheSlash((isSlashed) => ({
    call(call, next) {
      if (!isSlashed() || call.operation !== 'invoices.submit') return next(call)
      const body = call.body as Fields
      const content = Buffer.from(String(body['encryptedInvoiceContent']), 'base64')
      return next({
        ...call,
        body: {
          ...body,
          encryptedInvoiceHash: sha256Base64(content),
          encryptedInvoiceSize: content.length,
        },
      })
    },
  }))

/** What is sent there does not count among the invoices of its session. */
export const uncountedWithTheSlash = (): Mutant =>
  withTheSlash((isSlashed) => ({
    tables: {
      sessions: {
        write: (next, before) =>
          isSlashed() && before !== undefined ? { ...next, total: before.total } : next,
      },
    },
  }))

/** A session that is closed takes invoices there. */
export const openWithTheSlash = (): Mutant =>
  withTheSlash((isSlashed) => ({
    policy: {
      sessionTakesInvoices: (state) => isSlashed() || policy.sessionTakesInvoices(state),
    },
  }))

/** Which invoice is corrected is ignored there. */
export const uncorrectedWithTheSlash = (): Mutant =>
  withTheSlash((isSlashed) => ({
    policy: {
      correctionRefusal: (issued, hash) =>
        isSlashed() ? undefined : policy.correctionRefusal(issued, hash),
    },
  }))
