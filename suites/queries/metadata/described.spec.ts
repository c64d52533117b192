import { openOnline } from '../../../lib/flows/session.ts'
import { isoDay } from '../../../lib/local-time.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import type { SubjectType } from '../../support/steps/filters.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { authorizeSelfInvoicing } from '../../support/callers/grants.ts'
import {
  selfInvoiced,
  withAuthorizedParty,
  withThirdParty,
} from '../../support/documents/parties.ts'
import { meaningOfRow } from '../../support/answers/meaning.ts'
import { rule } from '../../support/checks/rule.ts'
import { findAll } from '../../support/steps/searches.ts'
import { accept } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** What a search reports about an invoice is what its document says. */

const nipsOf = (parties: unknown): unknown[] =>
  Array.isArray(parties)
    ? (parties as { identifier?: { value?: unknown } }[]).map((one) => one.identifier?.value)
    : []

test(
  ...rule('queries.metadata.described', 'parties'),
  async ({ open, invoice, clock, another, login }) => {
    const desk = await open()
    const [buyer, first, second, authorized] = [
      await another(),
      await another(),
      await login({ context: await another() }),
      await another(),
    ]
    const { bytes, seller } = invoice({ kind: 'VAT', buyer: buyer.nip })
    const named = [first.nip, second.context.nip].reduce(
      (text, party) => withThirdParty(text, party),
      bytes,
    )
    const document = withAuthorizedParty(named, authorized.nip)
    const { svcNumber } = await accept(desk, document)
    const [found] = await findAll(desk.api, issuedAround(clock.now()), [svcNumber])
    const xml = desk.api.codec.text(document)
    const nameOf = (party: string): string =>
      (new RegExp(`<${party}>.*?<Nazwa>([^<]*)<`, 's').exec(xml)?.[1] ?? '')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&amp;', '&')
    expect(found, 'the parties').toMatchObject({
      seller: { nip: seller, name: nameOf('Podmiot1') },
      buyer: { identifier: { type: 'Nip', value: buyer.nip }, name: nameOf('Podmiot2') },
      authorizedSubject: { nip: authorized.nip, role: 3 },
    })
    const thirds = nipsOf(found?.['thirdSubjects'])
    expect(thirds, 'the third parties').toEqual(
      expect.arrayContaining([first.nip, second.context.nip]),
    )
    const seen = await findAll(second.api, issuedAround(clock.now(), 'subject3'), [svcNumber])
    expect(
      seen.map((one) => one.svcNumber),
      'invoices that the second third party finds',
    ).toEqual([svcNumber])
  },
)

test(
  ...rule('queries.metadata.described', 'parties, to each the same'),
  async ({ open, invoice, clock, another, login }) => {
    const desk = await open()
    const caller = async () => login({ context: await another() })
    const [buyer, third, authorized] = [await caller(), await caller(), await caller()]
    const issueDate = isoDay(clock.now() - 3 * 24 * 3_600_000)
    const { bytes } = invoice({ buyer: buyer.context.nip, issueDate })
    const named = withThirdParty(bytes, third.context.nip)
    const { svcNumber } = await accept(desk, withAuthorizedParty(named, authorized.context.nip))
    const seen: Record<string, unknown> = {}
    for (const [role, { api }] of Object.entries({
      subject1: desk.me,
      subject2: buyer,
      subject3: third,
      subjectAuthorized: authorized,
    })) {
      const filters = issuedAround(clock.now(), role as SubjectType)
      const found = await findAll(api, filters, [svcNumber])
      const row = found.find((one) => one.svcNumber === svcNumber) ?? {}
      seen[role] = meaningOfRow('queries.metadata', 'invoices', row)
    }
    for (const [role, row] of Object.entries(seen)) {
      expect(row, `the date of issue, to ${role}`).toMatchObject({ issueDate })
      expect(row, `what ${role} is told, as subject1 is`).toEqual(seen['subject1'])
    }
  },
)

for (const [kind, invoiceType] of [
  ['VAT', 'Vat'],
  ['UPR', 'Upr'],
  ['KOR', 'Kor'],
  ['ZAL', 'Zal'],
] as const)
  test(
    ...rule('queries.metadata.described', `kind, ${kind}`),
    async ({ open, invoice, clock, target }) => {
      const desk = await open()
      const { bytes } = invoice({ kind })
      const { svcNumber } = await accept(desk, bytes)
      const [found] = await findAll(desk.api, issuedAround(clock.now()), [svcNumber])
      expect(found, 'invoice kind and form').toMatchObject({
        invoiceType,
        formCode: { systemCode: 'FA (3)' },
        hasAttachment: false,
        isSelfInvoicing: desk.api.codec.text(bytes).includes('<P_17>1<'),
      })
      const stored = Date.parse(String(found?.permanentStorageDate))
      expect(Math.abs(stored - target.now()), 'milliseconds since its storage').toBeLessThan(
        600_000,
      )
    },
  )

test(
  ...rule('queries.metadata.described', 'self-invoicing'),
  async ({ login, invoice, clock, another }) => {
    const seller = await login()
    const agent = await login({ context: await another() })
    await authorizeSelfInvoicing(seller.api, agent.context.nip)
    const session = await openOnline(agent.api, { formCode: formCodes.fa3 })
    const { svcNumber } = await accept({ api: agent.api, session }, selfInvoiced(invoice().bytes))
    const [found] = await findAll(seller.api, issuedAround(clock.now()), [svcNumber])
    expect(found?.['isSelfInvoicing'], 'issued by the buyer').toBe(true)
  },
)
