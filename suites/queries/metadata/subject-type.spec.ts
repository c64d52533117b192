import type { Client } from '../../../lib/client.ts'
import { issuedAround, subjectTypes } from '../../support/steps/filters.ts'
import type { SubjectType } from '../../support/steps/filters.ts'
import { withAuthorizedParty, withThirdParty } from '../../support/documents/parties.ts'
import { rule } from '../../support/checks/rule.ts'
import { findAll, lookFor, numbersOf, page } from '../../support/steps/searches.ts'
import { accept } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** In which of the other roles a caller finds one of the invoices that it must find in one. */
const otherRoles = async (
  api: Client,
  now: number,
  role: SubjectType,
  ...numbers: readonly string[]
) => {
  await findAll(api, issuedAround(now, role), numbers)
  const wrong: SubjectType[] = []
  for (const other of subjectTypes.filter((one) => one !== role)) {
    const { invoices } = await page(api, issuedAround(now, other))
    if (invoices.some(({ svcNumber }) => numbers.includes(svcNumber))) wrong.push(other)
  }
  return wrong
}

test(...rule('queries.metadata.subject-type', 'subject1'), async ({ open, invoice, clock }) => {
  const desk = await open()
  const { svcNumber } = await accept(desk, invoice({ buyer: '5265877635' }).bytes)
  const found = await lookFor(desk.api, issuedAround(clock.now()), [svcNumber])
  expect(numbersOf([found]), 'invoices of the seller').toEqual([svcNumber])
  const wrong = await otherRoles(desk.api, clock.now(), 'subject1', svcNumber)
  expect(wrong, 'other roles in which the seller finds the invoice').toEqual([])
})

test(
  ...rule('queries.metadata.subject-type', 'subject1, by a colleague of the sender'),
  async ({ open, invoice, clock, limited }) => {
    const desk = await open()
    const { svcNumber } = await accept(desk, invoice().bytes)
    const { api } = await limited(['InvoiceRead'])
    const found = await lookFor(api, issuedAround(clock.now()), [svcNumber])
    expect(numbersOf([found]), 'invoices of the context').toContain(svcNumber)
  },
)

test(
  ...rule('queries.metadata.subject-type', 'subject2'),
  async ({ open, invoice, clock, another, login }) => {
    const desk = await open()
    const buyer = await login({ context: await another() })
    const bought = invoice({ buyer: buyer.context.nip })
    const { svcNumber } = await accept(desk, bought.bytes)
    await accept(desk, invoice({ buyer: '5265877635' }).bytes)
    const found = await lookFor(buyer.api, issuedAround(clock.now(), 'subject2'), [svcNumber])
    expect(numbersOf([found]), 'invoices of the buyer').toEqual([svcNumber])
    const wrong = await otherRoles(buyer.api, clock.now(), 'subject2', svcNumber)
    expect(wrong, 'other roles in which the buyer finds the invoice').toEqual([])
  },
)

for (const [role, add, parts] of [
  ['subject3', withThirdParty, 11],
  ['subjectAuthorized', withAuthorizedParty, 3],
] as const) {
  test(
    ...rule('queries.metadata.subject-type', role),
    async ({ open, invoice, clock, another, login }) => {
      const desk = await open()
      const party = await login({ context: await another() })
      const send = async (change: (bytes: Uint8Array) => Uint8Array) =>
        (await accept(desk, change(invoice({ buyer: '5265877635' }).bytes))).svcNumber
      const svcNumber = await send((bytes) => add(bytes, party.context.nip))
      const numbers = [svcNumber]
      // Whichever part the invoice gives it in this role.
      for (let part = 1; part <= parts; part += 1)
        numbers.push(await send((bytes) => add(bytes, party.context.nip, part)))
      await send((bytes) => bytes)
      const found = await lookFor(party.api, issuedAround(clock.now(), role), numbers)
      expect(numbersOf([found]).toSorted(), 'invoices with the caller in this role').toEqual(
        numbers.toSorted(),
      )
      const wrong = await otherRoles(party.api, clock.now(), role, ...numbers)
      expect(wrong, 'other roles in which the caller finds the invoices').toEqual([])
    },
  )
}

/** Callers with two roles in one invoice, which they find in both and in no other. */
for (const [what, roles, add] of [
  ['subject3, the seller', ['subject1', 'subject3'], withThirdParty],
  ['subject3, the buyer', ['subject2', 'subject3'], withThirdParty],
  ['subjectAuthorized, the seller', ['subject1', 'subjectAuthorized'], withAuthorizedParty],
  ['subjectAuthorized, the buyer', ['subject2', 'subjectAuthorized'], withAuthorizedParty],
] as const) {
  test(
    ...rule('queries.metadata.subject-type', what),
    async ({ open, invoice, clock, another, login }) => {
      const desk = await open()
      const sells = roles[0] === 'subject1'
      const party = sells ? desk.me : await login({ context: await another() })
      const { nip } = party.context
      const { bytes } = invoice({ buyer: sells ? '5265877635' : nip })
      const { svcNumber } = await accept(desk, add(bytes, nip))
      for (const role of roles) {
        const found = await lookFor(party.api, issuedAround(clock.now(), role), [svcNumber])
        expect(numbersOf([found]), `invoices found as ${role}`).toEqual([svcNumber])
      }
      const wrong = await otherRoles(party.api, clock.now(), roles[0], svcNumber)
      expect(wrong, 'other roles in which the caller finds the invoice').toEqual([roles[1]])
    },
  )
}

test(
  ...rule('queries.metadata.subject-type', 'not a party'),
  async ({ open, invoice, clock, another, login }) => {
    const desk = await open()
    const stranger = await login({ context: await another() })
    const { svcNumber } = await accept(desk, invoice({ buyer: '5265877635' }).bytes)
    await findAll(desk.api, issuedAround(clock.now()), [svcNumber])
    for (const role of subjectTypes) {
      const { invoices } = await page(stranger.api, issuedAround(clock.now(), role))
      expect(invoices, `invoices that another context finds as ${role}`).toEqual([])
    }
  },
)
