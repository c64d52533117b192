import { limits } from '../../../contract/limits.ts'
import { fetchChallenge, tokenLoginBody } from '../../../lib/flows/login.ts'
import { openOnline, submissionBody } from '../../../lib/flows/session.ts'
import { wireOperation } from '../../../lib/wire.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { wentWell } from '../../support/judging/matchers.ts'
import { listInvoices, packed, sendAlone, sendBatch } from '../../support/steps/packages.ts'
import { withInvalidAmount } from '../../support/documents/malformed.ts'
import { familyRule } from '../../support/checks/rule.ts'
import {
  accept,
  authenticate,
  outcomeOfAuthentication,
  outcomeOfInvoice,
  outcomeOfSending,
  outcomeOfSubmission,
} from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'
import { offeredWays } from '../../support/scenes/ways-of-sending.ts'

/** What was verified once is verified again: the outcome does not depend on an earlier success or failure. */

test(
  ...familyRule('invoices.content.invalid-rejected', 'once more', 'the same document'),
  async ({ open, invoice }) => {
    const desk = await open()
    const { codec } = desk.api
    const xml = codec.text(invoice({ kind: 'VAT' }).bytes)
    const bytes = codec.utf8(withInvalidAmount(xml))
    const later = { ...desk, session: await openOnline(desk.api, { formCode: formCodes.fa3 }) }
    for (const [where, at] of [
      ['first', desk],
      ['again', desk],
      ['in another session', later],
    ] as const)
      expect(await outcomeOfInvoice(at, bytes), where).toBeRejected('invoice-invalid')
    expect(await sendAlone(desk.api, bytes), 'in a package').toBeRejected('invoice-invalid')
  },
)

for (const [rule, field, refusal] of [
  [
    'invoices.submit.encrypted-metadata-mismatch',
    'encryptedInvoiceHash',
    'encrypted-hash-mismatch',
  ],
  ['invoices.submit.hash-mismatch', 'invoiceHash', 'invoice-hash-mismatch'],
] as const)
  test(
    ...familyRule(rule, 'once more', 'hash of an earlier document'),
    async ({ open, invoice }) => {
      const desk = await open()
      const first = invoice()
      const declared = await submissionBody(desk.api, desk.session, first.bytes)
      await accept(desk, first.bytes)
      const body = await submissionBody(desk.api, desk.session, invoice().bytes)
      const outcome = await outcomeOfSubmission(desk, { ...body, [field]: declared[field] })
      expect(outcome).toBeRejected(refusal)
    },
  )

test(
  ...familyRule('sessions.batch.duplicates', 'once more', 'number of another document'),
  async ({ login, invoice }) => {
    const { api } = await login()
    const first = invoice({ kind: 'VAT' })
    const other = invoice({ kind: 'VAT', number: first.number })
    expect(api.codec.text(other.bytes), 'another document').not.toBe(api.codec.text(first.bytes))
    const { referenceNumber } = await sendBatch(api, await packed([first, invoice(), other]))
    const listed = await listInvoices(api, referenceNumber)
    const rows = listed.filter(({ invoiceNumber }) => invoiceNumber === first.number)
    expect(rows.length, 'rows of the number that is there twice').toBe(2)
    expect(rows.filter(wentWell).length, 'accepted ones').toBe(1)
  },
)

test(
  ...familyRule('invoices.duplicate.everywhere', 'once more', 'sent without a session first'),
  async ({ open, invoice, target }) => {
    wireOperation('invoices.send', target.dialect)
    const desk = await open()
    const { bytes } = invoice()
    expect(await outcomeOfSending(desk.api, bytes), 'first').toHaveSucceeded('invoice')
    for (const [where, outcome] of [
      ['in a session', await outcomeOfInvoice(desk, bytes)],
      ['in a package', await sendAlone(desk.api, bytes)],
    ] as const)
      expect(outcome, where).toBeRejected('duplicate-invoice')
  },
)

test(
  ...familyRule('invoices.number.unique', 'once more', 'number in another kind'),
  async ({ open, invoice }) => {
    const desk = await open()
    const { number, issueDate } = invoice()
    const numbers: string[] = []
    for (const kind of ['VAT', 'UPR', 'ZAL'] as const)
      numbers.push((await accept(desk, invoice({ number, kind, issueDate }).bytes)).svcNumber)
    expect(new Set(numbers).size, 'distinct service numbers').toBe(numbers.length)
  },
)

test(
  ...familyRule('sessions.batch.duplicates', 'once more', 'accepted in each way before'),
  async ({ login, invoice }) => {
    const me = await login()
    for (const [way, { send }] of offeredWays()) {
      const { bytes, number } = invoice()
      await send(me, bytes)
      const documents = [{ bytes }, invoice(), { bytes }]
      const { referenceNumber } = await sendBatch(me.api, await packed(documents))
      const rows = await listInvoices(me.api, referenceNumber)
      const again = rows.filter(({ invoiceNumber }) => invoiceNumber === number)
      expect(again.length, `rows of the invoice that was accepted by ${way}`).toBe(2)
      for (const row of again) expect(row, `by ${way} before`).toBeRejected('duplicate-invoice')
      expect(rows.filter(wentWell).length, 'accepted ones').toBe(1)
    }
  },
)

test(
  ...familyRule('sessions.batch.duplicates', 'once more', 'many times in one package'),
  async ({ login, invoice }) => {
    const { api } = await login()
    const many = invoice()
    const documents = [many, many, invoice(), many, many]
    const { referenceNumber } = await sendBatch(api, await packed(documents, { partBytes: 500 }))
    const rows = await listInvoices(api, referenceNumber)
    const same = rows.filter(({ invoiceNumber }) => invoiceNumber === many.number)
    expect(same.length, 'rows of the invoice').toBe(4)
    expect(same.filter(wentWell).length, 'accepted ones').toBe(1)
    for (const row of same) if (!wentWell(row)) expect(row).toBeRejected('duplicate-invoice')
  },
)

test(
  ...familyRule('auth.xades.tampered-refused', 'once more', 'copy of an accepted document'),
  async ({ api, own, another }) => {
    const stranger = await another()
    for (const context of [own, stranger]) {
      const { challenge } = await fetchChallenge(api)
      const genuine = await own.document(challenge)
      expect(await authenticate(api, genuine), 'the genuine one').toHaveSucceeded('authentication')
      const { challenge: fresh } = await fetchChallenge(api)
      const copy = genuine.replace(challenge, fresh).replace(own.value, context.value)
      const outcome = await authenticate(api, copy)
      expect(outcome, 'with another challenge and context').toBeRejected('signature-invalid')
    }
  },
)

test(
  ...familyRule('auth.token.wrong-timestamp-refused', 'once more later', 'an encrypted token'),
  async ({ api, serviceToken, clock }) => {
    const { context, token } = await serviceToken()
    const { type, value } = context
    const body = await tokenLoginBody(
      api,
      { context: { type, value }, token },
      await fetchChallenge(api),
    )
    const signIn = async () => {
      const { challenge } = await fetchChallenge(api)
      const answer = await api.call('auth.token', { body: { ...body, challenge } })
      return outcomeOfAuthentication(api, answer)
    }
    expect(await signIn(), 'at first').toHaveSucceeded('authentication')
    await clock.advance(2 * limits['serviceToken.clockSkew'].value * 1000)
    expect(await signIn(), 'with another challenge, later').toBeRejected('token-refused')
  },
)
