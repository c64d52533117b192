import type { Client } from '../../../lib/client.ts'
import type { PublicKey } from '../../../lib/flows/keys.ts'
import type { Context } from '../../../lib/flows/login.ts'
import { fetchChallenge, tokenLoginBody } from '../../../lib/flows/login.ts'
import { drawSecret, encryptionFields } from '../../../lib/flows/session.ts'
import { expectText } from '../../../lib/outcome.ts'
import { formCodes } from '../checks/forms.ts'
import type { WorkOutcome } from '../judging/matchers.ts'
import { outcomeOfAuthentication, outcomeOfInvoice } from '../steps/steps.ts'
import { expect } from '../harness/test.ts'

/** The outcome of what is encrypted with one of these keys, or of those that are listed. */

/** An invoice of a session whose key was encrypted with one of them: some services look at the key only then. */
export const invoiceUnder = async (
  api: Client,
  document: Uint8Array,
  keys?: readonly PublicKey[],
): Promise<WorkOutcome> => {
  const secret = drawSecret()
  const body = { formCode: formCodes.fa3, ...(await encryptionFields(api, secret, keys)) }
  const exchange = await api.call('sessions.openOnline', { body })
  expect(exchange, 'the opening').toBeOk()
  const referenceNumber = expectText(exchange, 'open an interactive session', 'referenceNumber')
  return outcomeOfInvoice({ api, session: { referenceNumber, exchange, ...secret } }, document)
}

/** A login by a service token that was encrypted with one of them. */
export const tokenUnder = async (
  api: Client,
  { context: { type, value }, token }: { readonly context: Context; readonly token: string },
  keys: readonly PublicKey[],
): Promise<WorkOutcome> => {
  const login = { context: { type, value }, token, keys }
  const body = await tokenLoginBody(api, login, await fetchChallenge(api))
  return outcomeOfAuthentication(api, await api.call('auth.token', { body }))
}
