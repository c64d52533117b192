import { sha256 } from '../../lib/crypto.ts'
import { contextKey, finishLogin, startWithDocument } from '../../lib/flows/login.ts'
import { fetchReceipt, receiptPages } from '../../lib/flows/receipt.ts'
import { openOnline } from '../../lib/flows/session.ts'
import { internalId } from '../../lib/identifiers/internal-id.ts'
import { readReceipt } from '../../lib/node/receipt.ts'
import { contextWith } from '../support/contexts.ts'
import { formCodes } from '../support/forms.ts'
import { rule } from '../support/rule.ts'
import { accept, finish } from '../support/steps.ts'
import type { Desk } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

/** A receipt names its sender: what it logged in by, the document that was signed or the service token, and where. */

const proofs = async (desk: Desk, bytes: Uint8Array) => {
  const { referenceNumber } = await accept(desk, bytes)
  const sessionReferenceNumber = desk.session.referenceNumber
  const [page] = receiptPages(await finish(desk))
  const upoReferenceNumber = page?.referenceNumber ?? ''
  const documents = [
    await fetchReceipt(desk.api, {
      sessionReferenceNumber,
      invoiceReferenceNumber: referenceNumber,
    }),
    await fetchReceipt(desk.api, { sessionReferenceNumber, upoReferenceNumber }),
  ]
  return documents.map((document) => readReceipt(document.bytes).loginProof)
}

test(...rule('receipts.session.verifies', 'login by document'), async ({ api, own, invoice }) => {
  test.skip(own.by === 'token', 'the target offers no certificate of the context')
  let document = ''
  const started = await startWithDocument(api, {
    sign: async (challenge) => {
      document = await own.document(challenge)
      return document
    },
  })
  const { accessToken } = await finishLogin(api, started)
  const mine = api.with({ bearer: accessToken, context: contextKey(own) })
  const session = await openOnline(mine, { formCode: formCodes.fa3 })
  const value = api.codec.base64(await sha256(api.codec.utf8(document)))
  expect(
    await proofs({ api: mine, session }, invoice().bytes),
    'the login on the receipts, the hash of the signed document',
  ).toEqual([
    { kind: 'document', value },
    { kind: 'document', value },
  ])
})

test(
  ...rule('receipts.session.verifies', 'login by token'),
  async ({ serviceToken, login, invoice }) => {
    const { token, referenceNumber, context } = await serviceToken()
    test.skip(referenceNumber === undefined, 'the reference of the only token is not known')
    const { api } = await login({ token, context })
    const session = await openOnline(api, { formCode: formCodes.fa3 })
    const made = { kind: 'token', value: referenceNumber }
    expect(
      await proofs({ api, session }, invoice().bytes),
      'the login on the receipts, the reference of the service token',
    ).toEqual([made, made])
  },
)

test(...rule('receipts.session.verifies', 'of a unit'), async ({ login, own, invoice, target }) => {
  test.skip(own.by === 'token', 'the token is one of another context')
  const value = internalId(own.nip, '1234')
  const unit = contextWith({ type: 'InternalId', value }, own.credentials, target.now)
  const me = await login({ context: unit })
  const session = await openOnline(me.api, { formCode: formCodes.fa3 })
  const { referenceNumber } = await accept({ api: me.api, session }, invoice().bytes)
  const document = await fetchReceipt(me.api, {
    sessionReferenceNumber: session.referenceNumber,
    invoiceReferenceNumber: referenceNumber,
  })
  const { context } = readReceipt(document.bytes)
  expect(context, 'the context on the receipt').toEqual({ kind: 'IdWewnetrzny', value })
})
