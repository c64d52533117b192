import { limits } from '../../../contract/limits.ts'
import type { RuleId } from '../../../contract/rules.ts'
import { createExport } from '../../../lib/flows/export.ts'
import { fetchChallenge, readStarted } from '../../../lib/flows/login.ts'
import { callReceipt } from '../../../lib/flows/receipt.ts'
import { drawSecret, encryptionFields, settleInvoice, submit } from '../../../lib/flows/session.ts'
import type { OnlineSession } from '../../../lib/flows/session.ts'
import { statusOf } from '../../../lib/flows/settle.ts'
import { poll } from '../../../lib/poll.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import { delay, hold } from '../../support/scenes/delayed.ts'
import { listedAs, obtainCertificate } from '../../support/callers/enrolment.ts'
import type { Fixtures } from '../../support/harness/fixtures.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { entityGrant, grantBy } from '../../support/callers/grants.ts'
import { spoilt } from '../../support/documents/malformed.ts'
import { outcomeOfCode } from '../../support/judging/matchers.ts'
import type { Reported } from '../../support/judging/matchers.ts'
import { listInvoices } from '../../support/steps/packages.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { askEachWay } from '../../support/scenes/sent-invoices.ts'
import { accept, fields, reported } from '../../support/steps/steps.ts'
import { elsewhere } from '../../support/scenes/two-contexts.ts'
import { expect, test } from '../../support/harness/test.ts'

/**
 * What a service reports and refuses for invoices, exports, certificates and logins while accepted work has not been done
 * yet.
 */

const pathOf = (session: OnlineSession, invoiceReferenceNumber: string) => ({
  referenceNumber: session.referenceNumber,
  invoiceReferenceNumber,
})

interface Row {
  readonly rule: RuleId
  readonly run: (fixtures: Fixtures) => Promise<void>
}

const checked: Readonly<Record<string, Row>> = {
  'status of an invoice': {
    rule: 'invoices.status.outcome',
    async run(fixtures) {
      const { open, invoice } = fixtures
      // Received, then verified: each takes its time.
      const done = await hold(fixtures, 'invoice', 'verification')
      for (const [bytes, outcome] of [
        [invoice().bytes, 'success'],
        [spoilt, 'failure'],
      ] as const) {
        const { api, session, me } = await open()
        const { referenceNumber } = await submit(api, session, bytes)
        const one = { referenceNumber, svcNumber: undefined }
        const codes: number[] = []
        for (const wanted of [100, 150]) {
          const rows = await listInvoices(api, session.referenceNumber)
          const records = [
            ...(await askEachWay(me, session.referenceNumber, one)).map(fields),
            ...rows.filter((row) => row.referenceNumber === referenceNumber),
          ]
          for (const record of records) {
            const state = { status: { code: statusOf(record)?.code ?? 0 } }
            expect(state, 'its state').toBeInState('invoice', wanted)
            codes.push(state.status.code)
            for (const name of ['svcNumber', 'acquisitionDate', 'upoDownloadUrl'])
              expect(record[name] ?? null, `${name} of a pending invoice`).toBeNull()
          }
          await done()
        }
        const look = async () =>
          reported(await api.call('invoices.inSession', { path: pathOf(session, referenceNumber) }))
        const isDone = ({ status }: Reported) => outcomeOfCode(status.code) !== 'pending'
        const { last } = await poll(look, isDone, { everyMs: 100, times: 20, sleep: api.sleep })
        expect([...codes, last.status.code], 'its states').toMoveAlong('invoice')
        expect(outcomeOfCode(last.status.code), 'its outcome').toBe(outcome)
      }
    },
  },
  'receipt of an invoice': {
    rule: 'receipts.invoice.carries-number',
    async run(fixtures) {
      const { open, invoice } = fixtures
      const { api, session } = await open()
      const done = await hold(fixtures, 'invoice')
      const { referenceNumber } = await submit(api, session, invoice().bytes)
      const receipt = () =>
        callReceipt(api, {
          sessionReferenceNumber: session.referenceNumber,
          invoiceReferenceNumber: referenceNumber,
        })
      expect(await receipt(), 'while the invoice is pending').toBeClientError()
      await done()
      expect(await receipt(), 'once it is accepted').toBeOk()
    },
  },
  'retrieval of an invoice': {
    rule: 'invoices.get.by-service-number',
    async run(fixtures) {
      const { open, invoice } = fixtures
      const desk = await open()
      const done = await hold(fixtures, 'storage')
      const { bytes } = invoice()
      const { svcNumber } = await accept(desk, bytes)
      const get = () => desk.api.call('invoices.bySvcNumber', { path: { svcNumber } })
      expect(await get(), 'before it is stored').toBeRefused('invoice-not-yet-stored')
      await done()
      const stored = await get()
      expect(stored, 'once it is stored').toBeOk()
      expect(Buffer.from(stored.bytes).equals(bytes), 'the invoice as it was sent').toBe(true)
    },
  },
  'revocation of a certificate': {
    rule: 'certificates.revoke',
    async run(fixtures) {
      const { login } = fixtures
      const { api } = await login()
      const { serialNumber } = await obtainCertificate(api)
      const path = { certificateSerialNumber: serialNumber }
      const revoke = () => api.call('certificates.revoke', { path, body: {} })
      const listed = async () => (await listedAs(api, serialNumber))?.status
      expect(await listed(), 'before its revocation').toBe('Active')
      const done = await hold(fixtures, 'certificate')
      expect(await revoke(), 'its revocation').toBeOk()
      expect(await listed(), 'while it is revoked').toBe('Blocked')
      expect(await revoke(), 'meanwhile').toBeRefused('certificate-not-revocable')
      expect(await listed(), 'after a second attempt').toBe('Blocked')
      await done()
      expect(await listed(), 'once it is revoked').toBe('Revoked')
    },
  },
  'equal invoices': {
    rule: 'invoices.duplicate.rejected',
    async run(fixtures) {
      const { open, invoice } = fixtures
      const { api, session } = await open()
      const done = await hold(fixtures, 'invoice')
      const { bytes } = invoice()
      const sent = [await submit(api, session, bytes), await submit(api, session, bytes)]
      await done()
      const codes: number[] = []
      for (const { referenceNumber } of sent)
        codes.push((await settleInvoice(api, session, referenceNumber)).status.code)
      expect(
        codes.toSorted((a, b) => a - b),
        'two equal invoices that were pending together',
      ).toEqual([200, 440])
    },
  },
  export: {
    rule: 'exports.status.moves-forward',
    async run(fixtures) {
      const { login, clock } = fixtures
      const { api } = await login()
      const done = await hold(fixtures, 'export')
      const { referenceNumber } = await createExport(api, { filters: issuedAround(clock.now()) })
      const look = () => api.call('exports.status', { path: { referenceNumber } })
      const pending = await look()
      expect(outcomeOfCode(reported(pending).status.code), 'its state').toBe('pending')
      for (const name of ['package', 'packageExpirationDate', 'completedDate'])
        expect(fields(pending)[name] ?? null, `${name} of a pending export`).toBeNull()
      await done()
      expect(reported(await look())).toHaveSucceeded('export')
    },
  },
  'end of an export': {
    rule: 'exports.expiry',
    async run(fixtures) {
      const { login, clock } = fixtures
      const { api } = await login()
      const done = await hold(fixtures, 'export')
      const begun = clock.now()
      const { referenceNumber } = await createExport(api, { filters: issuedAround(begun) })
      await done()
      const look = await api.call('exports.status', { path: { referenceNumber } })
      expect(reported(look)).toHaveSucceeded('export')
      const end = Date.parse(String(fields(look)['packageExpirationDate']))
      const lifetime = limits['exports.packageLifetime'].value * 1000
      expect(end, 'the end, counted from the completion').toBeGreaterThanOrEqual(
        begun + delay + lifetime,
      )
    },
  },
  redemption: {
    rule: 'auth.redeem.not-before-success',
    async run(fixtures) {
      const { api, own } = fixtures
      const { challenge } = await fetchChallenge(api)
      const done = await hold(fixtures, 'authentication')
      const document = await own.document(challenge)
      const started = readStarted(await api.call('auth.xades', { body: document }), 'log in')
      const { authenticationToken: bearer, referenceNumber } = started
      const look = await api.call('auth.status', { path: { referenceNumber }, bearer })
      expect(reported(look), 'its state').toBeInState('authentication', 100)
      expect(await api.call('auth.redeem', { bearer }), 'while pending').toBeClientError()
      await done()
      expect(await api.call('auth.redeem', { bearer }), 'after its success').toBeOk()
    },
  },
  'grant to an entity': {
    rule: 'permissions.grant.effective',
    async run(fixtures) {
      const { login, another } = fixtures
      const { api, context } = await login()
      const entity = await another()
      const grant = (type: string) => entityGrant(entity.nip, [{ type }])
      await grantBy(api, 'permissions.grantEntity', grant('InvoiceRead'))
      const me = await login({ context: elsewhere(entity, context) })
      const done = await hold(fixtures, 'operation')
      const body = grant('InvoiceWrite')
      expect(await api.call('permissions.grantEntity', { body }), 'the grant').toBeOk()
      const opening = { formCode: formCodes.fa3, ...(await encryptionFields(me.api, drawSecret())) }
      const open = () => me.api.call('sessions.openOnline', { body: opening })
      expect(await open(), 'while the operation runs').toBeRefused('missing-permission')
      await done()
      expect(await open(), 'once it has finished').toBeOk()
    },
  },
}

for (const [name, { rule, run }] of Object.entries(checked))
  test(
    ...familyRule(rule, 'pending work', name),
    async ({ api, own, another, login, open, invoice, target, clock }) =>
      run({ api, own, another, login, open, invoice, target, clock } as Fixtures),
  )
