import type { RuleId } from '../../contract/rules.ts'
import { openOnline, settleInvoice, submissionBody } from '../../lib/flows/session.ts'
import { expectOk, expectText } from '../../lib/outcome.ts'
import { atOnce, drawRace } from '../support/steps/at-once.ts'
import type { Concurrent } from '../support/checks/families/sequences.ts'
import { formCodes } from '../support/checks/forms.ts'
import {
  grantPerson,
  listGranted,
  outcomeOfOperation,
  personGrant,
  revoke,
} from '../support/callers/grants.ts'
import { spoilt } from '../support/documents/malformed.ts'
import { wentWell } from '../support/judging/matchers.ts'
import { issuedAround } from '../support/steps/filters.ts'
import { listInvoices } from '../support/steps/packages.ts'
import { personAt } from '../support/callers/people.ts'
import { familyRule } from '../support/checks/rule.ts'
import { countsOf } from '../support/answers/session-counts.ts'
import { accept, fields, outcomeOfInvoice, retrieve } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

/** Several calls at the same time that all have to succeed: none is lost, or mixed up with another. */

const together = (id: RuleId, name: string, family: Concurrent = 'at the same time') =>
  familyRule(id, family, name)

test(...together('invoices.submit.accepted', 'submissions'), async ({ open, invoice }) => {
  const { api, session } = await open()
  const path = { referenceNumber: session.referenceNumber }
  const bodies = await Promise.all(
    Array.from({ length: 5 }, () => submissionBody(api, session, invoice().bytes)),
  )
  const answers = await atOnce(
    drawRace('invoices.submit.accepted', 'submissions'),
    bodies.map((body) => () => api.call('invoices.submit', { path, body })),
  )
  for (const answer of answers) expect(answer, 'a submission of several').toBeOk()
  const references = answers.map((answer) => String(fields(answer)['referenceNumber']))
  expect(new Set(references).size, 'reference numbers that differ').toBe(bodies.length)
  for (const reference of references)
    expect(await settleInvoice(api, session, reference)).toHaveSucceeded('invoice')
  const rows = await listInvoices(api, session.referenceNumber)
  expect(
    Object.fromEntries(rows.map((row) => [row.referenceNumber, row['invoiceHash']])),
    'documents in the list of the session, by the references they were answered with',
  ).toEqual(
    Object.fromEntries(bodies.map(({ invoiceHash }, place) => [references[place], invoiceHash])),
  )
  expect(rows.length, 'rows in the list').toBe(bodies.length)
})

test(
  ...together('sessions.status.counts', 'submissions', 'changes at the same time'),
  async ({ open, invoice }) => {
    const desk = await open()
    const documents = [
      ...Array.from({ length: 4 }, () => invoice().bytes),
      ...Array.from({ length: 2 }, () => spoilt),
    ]
    await atOnce(
      drawRace('sessions.status.counts', 'submissions'),
      documents.map((bytes) => () => outcomeOfInvoice(desk, bytes)),
    )
    expect(
      await countsOf(desk.api, desk.session.referenceNumber, 'Online'),
      'all, accepted and rejected ones',
    ).toEqual({ status: [6, 4, 2], list: [6, 4, 2] })
  },
)

test(...together('sessions.online.side-by-side', 'openings'), async ({ login, invoice }) => {
  const { api } = await login()
  const rng = drawRace('sessions.online.side-by-side', 'openings')
  const open = () => openOnline(api, { formCode: formCodes.fa3 })
  const sessions = await atOnce(rng, [open, open, open])
  const references = sessions.map(({ referenceNumber }) => referenceNumber)
  expect(new Set(references).size, 'sessions that differ').toBe(sessions.length)
  // Each with the key that was sent with it.
  const outcomes = await atOnce(
    rng,
    sessions.map((session) => () => outcomeOfInvoice({ api, session }, invoice().bytes)),
  )
  for (const outcome of outcomes) expect(outcome).toHaveSucceeded('invoice')
})

test(...together('auth.refresh.repeatable', 'refreshes'), async ({ login }) => {
  const { api, refreshToken } = await login()
  const rng = drawRace('auth.refresh.repeatable', 'refreshes')
  const refresh = () => api.call('auth.refresh', { bearer: refreshToken })
  const answers = await atOnce(
    rng,
    Array.from({ length: rng.int(3, 5) }, () => refresh),
  )
  for (const answer of answers) expect(answer, 'a refresh of several').toBeOk()
  for (const answer of answers) {
    const { accessToken } = fields(answer) as { readonly accessToken: { readonly token: string } }
    const bearer = accessToken.token
    expect(await api.call('limits.context', { bearer }), 'its access token works').toBeOk()
  }
})

test(...together('invoices.get.by-service-number', 'retrievals'), async ({ open, invoice }) => {
  const desk = await open()
  const accepted: { readonly bytes: Uint8Array; readonly svcNumber: string }[] = []
  for (let sent = 0; sent < 3; sent += 1) {
    const { bytes } = invoice()
    accepted.push({ bytes, svcNumber: (await accept(desk, bytes)).svcNumber })
  }
  const answers = await atOnce(
    drawRace('invoices.get.by-service-number', 'retrievals'),
    accepted.map(
      ({ svcNumber }) =>
        () =>
          retrieve(desk.api, 'invoices.bySvcNumber', { svcNumber }),
    ),
  )
  for (const [place, answer] of answers.entries()) {
    expect(answer).toBeOk()
    const own = accepted[place]?.bytes ?? new Uint8Array()
    expect(Buffer.from(answer.bytes).equals(own), 'its own invoice, byte for byte').toBe(true)
  }
})

test(
  ...together('tokens.status.described', 'service tokens', 'changes at the same time'),
  async ({ login }) => {
    const { api } = await login()
    const bodies = ['InvoiceRead', 'InvoiceWrite', 'CredentialsRead'].map((permission) => ({
      permissions: [permission],
      description: `a token for ${permission}`,
    }))
    const answers = await atOnce(
      drawRace('tokens.status.described', 'service tokens'),
      bodies.map((body) => () => api.call('tokens.create', { body })),
    )
    for (const [place, answer] of answers.entries()) {
      const referenceNumber = expectText(answer, 'create a service token', 'referenceNumber')
      const status = await api.call('tokens.status', { path: { referenceNumber } })
      const { description, requestedPermissions } = fields(expectOk(status, 'look at the token'))
      expect(
        { description, permissions: requestedPermissions },
        'what it was created with',
      ).toEqual(bodies[place])
    }
  },
)

test(
  ...together('permissions.grant.effective', 'grants to one person', 'changes at the same time'),
  async ({ login, own, rng, target }) => {
    const { api } = await login()
    const person = personAt(own, rng, target)
    const kinds = ['InvoiceRead', 'InvoiceWrite', 'CredentialsRead']
    const grant = (permission: string) => async () => {
      const body = personGrant(person.subject, [permission])
      return outcomeOfOperation(api, await api.call('permissions.grantPerson', { body }))
    }
    // One of them twice: whether the second is refused or changes nothing is the service's choice.
    const [again, ...outcomes] = await atOnce(
      drawRace('permissions.grant.effective', 'grants to one person'),
      ['InvoiceRead', ...kinds].map(grant),
    )
    const [same, ...others] = outcomes
    const equal = [again, same].filter((outcome) => outcome !== undefined && wentWell(outcome))
    expect(equal.length, 'how many of two equal grants succeed').toBeGreaterThan(0)
    for (const outcome of others) expect(outcome).toHaveSucceeded('operation')
    const listed = (await listGranted(api)).filter(
      ({ authorizedIdentifier }) => authorizedIdentifier.value === person.subject.value,
    )
    const scopes = new Set(listed.map(({ permissionScope }) => permissionScope))
    expect([...scopes].toSorted(), 'what is listed').toEqual(kinds.toSorted())
    const holder = await login({ context: person.context })
    const search = await holder.api.call('queries.metadata', { body: issuedAround(target.now()) })
    expect(search, 'with InvoiceRead').toBeOk()
    await openOnline(holder.api, { formCode: formCodes.fa3 })
    const body = { queryType: 'PermissionsGrantedInCurrentContext' }
    const query = await holder.api.call('permissions.queryPersons', { body })
    expect(query, 'with CredentialsRead').toBeOk()
  },
)

test(
  ...together('permissions.revoke.effective', 'revocations', 'changes at the same time'),
  async ({ login, own, rng, target }) => {
    const { api } = await login()
    const { subject } = personAt(own, rng, target)
    await grantPerson(api, subject, ['InvoiceRead', 'InvoiceWrite', 'CredentialsRead'])
    const listed = async () =>
      (await listGranted(api)).filter(
        ({ authorizedIdentifier }) => authorizedIdentifier.value === subject.value,
      )
    const outcomes = await atOnce(
      drawRace('permissions.revoke.effective', 'revocations'),
      (await listed()).map(
        ({ id }) =>
          async () =>
            outcomeOfOperation(api, await revoke(api, id)),
      ),
    )
    expect(outcomes.length, 'revocations').toBe(3)
    for (const outcome of outcomes) expect(outcome).toHaveSucceeded('operation')
    expect(await listed(), 'what is left').toEqual([])
  },
)
