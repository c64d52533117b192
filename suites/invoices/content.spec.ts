import { furtherForms } from '../../contract/environments.ts'
import type { VariantText } from '../../contract/rules.ts'
import { seededDraw } from '../../generators/draw/draw.ts'
import { seedFrom } from '../../lib/random.ts'
import { malform } from '../../generators/faults/invoices.ts'
import { semantics } from '../../generators/faults/semantics.ts'
import { buildInvoice } from '../../generators/invoice/build.ts'
import { openOnline } from '../../lib/flows/session.ts'
import { drawNip } from '../../lib/identifiers/nip.ts'
import { declaredAlone } from '../support/scenes/declared-ways.ts'
import { invoiceIn, newProvider } from '../support/scenes/further-forms.ts'
import { authorizationGrant, grantBy } from '../support/callers/grants.ts'
import { isoDay } from '../../lib/local-time.ts'
import { listInvoices, nameOf, packed, sendBatch } from '../support/steps/packages.ts'
import { expectNoFetches, undeclared } from '../support/steps/fetches.ts'
import { renumbered, withThirdParty } from '../support/documents/parties.ts'
import type { WorkOutcome } from '../support/judging/matchers.ts'
import { loginElsewhere } from '../support/callers/logins-in-form.ts'
import { withInvalidAmount } from '../support/documents/malformed.ts'
import { rule } from '../support/checks/rule.ts'
import { runOptions } from '../support/checks/run-options.ts'
import { lookFor } from '../support/steps/searches.ts'
import { finish, outcomeOfInvoice, recordOf } from '../support/steps/steps.ts'
import { ofEachKindAndMagnitude } from '../support/documents/stock-document.ts'
import { expect, test } from '../support/harness/test.ts'
import { offeredWays } from '../support/scenes/ways-of-sending.ts'

/** NIPs with an invalid check digit: only production verifies it. */
const entries = semantics().filter(({ onlyIn }) => onlyIn === 'production')

for (const [environment, taken] of [
  ['production', false],
  ['demo', true],
] as const)
  test(
    ...rule('invoices.content.check-digits', environment),
    async ({ inEnvironment, ledger, rng }) => {
      const target = await inEnvironment(environment)
      const { api: me, context: own } = await loginElsewhere(target, { ledger, rng })
      const series = rng.digits(12)
      // A seller other than the context is rejected in every environment.
      const here = entries.filter(({ id }) => !taken || !id.endsWith('-seller'))
      const single = here.map((entry, place) => {
        const seed = seedFrom(runOptions.seed, runOptions.namespace, entry.id)
        const { document } = buildInvoice(
          {
            schema: 'fa3',
            seller: own.nip,
            number: `CD/${series}/${place}`,
            issueDate: isoDay(target.now()),
            profile: 'general',
          },
          seededDraw(seed),
        )
        return { id: entry.id, bytes: malform(entry, document, seed).bytes }
      })
      // Also as the second third party.
      const second = single
        .filter(({ id }) => id.endsWith('-third-party'))
        .map(({ id, bytes }) => ({
          id: `${id}, the second`,
          bytes: renumbered(withThirdParty(bytes, own.nip), 'second'),
        }))
      const made = [...single, ...second]
      const { referenceNumber } = await sendBatch(me, await packed(made))
      const rows = await listInvoices(me, referenceNumber)
      const named = new Map(rows.map((row) => [row.invoiceFileName, row]))
      expect(made.length, 'documents').toBeGreaterThan(0)
      const assess = (outcome: WorkOutcome, what: string) =>
        taken
          ? expect.soft(outcome, what).toHaveSucceeded('invoice')
          : expect.soft(outcome, what).toBeRejected('invoice-invalid')
      for (const [place, { id }] of made.entries())
        assess(named.get(nameOf(place)) ?? { status: { code: 0 } }, id)
      for (const [way, { outcome }] of [...offeredWays(), ...declaredAlone])
        for (const { id, bytes } of single.slice(0, 2))
          assess(await outcome({ api: me }, renumbered(bytes, way)), `${id}, ${way}`)
    },
  )

/** Changes that make a valid invoice invalid, by variant. */
const faults: readonly (readonly [
  VariantText<'invoices.content.invalid-rejected'>,
  (xml: string) => string,
])[] = [
  ['schema, unknown element', (xml) => xml.replace(/<(\/?)P_15>/g, '<$1P_15x>')],
  ['schema, repeated element', (xml) => xml.replace(/<P_2>.*?<\/P_2>/, '$&$&')],
  ['schema, invalid amount', withInvalidAmount],
  ['schema, other namespace', (xml) => xml.replace(/xmlns="[^"]*"/, 'xmlns="urn:other"')],
  ['schema, text after the root', (xml) => `${xml}<Faktura/>`],
  ['missing, P_1', (xml) => xml.replace(/<P_1>.*?<\/P_1>/, '')],
  ['missing, P_2', (xml) => xml.replace(/<P_2>.*?<\/P_2>/, '')],
  ['missing, seller', (xml) => xml.replace(/<Podmiot1>.*?<\/Podmiot1>/s, '')],
  ['date, no such day', (xml) => xml.replace(/<P_1>.*?<\/P_1>/, '<P_1>2026-02-30</P_1>')],
  ['date, other order', (xml) => xml.replace(/<P_1>.*?<\/P_1>/, '<P_1>01-06-2026</P_1>')],
  ['not well-formed', (xml) => xml.slice(0, -12)],
  ['document type', (xml) => xml.replace(/^(<\?xml.*?\?>)?/, '$1<!DOCTYPE Faktura>')],
  [
    'document type, with an entity',
    (xml) =>
      xml
        .replace(/^(<\?xml.*?\?>)?/, '$1<!DOCTYPE Faktura [<!ENTITY n "F/1">]>')
        .replace(/<P_2>.*?<\/P_2>/, '<P_2>&n;</P_2>'),
  ],
  ['processing instruction', (xml) => xml.replace(/<\/Faktura>$/, '<?print now?></Faktura>')],
]

for (const [what, spoil] of faults) {
  test(...rule('invoices.content.invalid-rejected', what), async ({ open, invoice }) => {
    const desk = await open()
    // A generated one, also where users give documents of their own: the changes know how it is written.
    const xml = desk.api.codec.text(invoice({ kind: 'VAT' }).bytes)
    const spoiled = spoil(xml)
    expect(spoiled, 'a document that differs from the valid one').not.toBe(xml)
    const outcome = await outcomeOfInvoice(desk, desk.api.codec.utf8(spoiled))
    expect(outcome).toBeRejected('invoice-invalid')
    const { status } = recordOf(outcome) as { status?: { description?: string } }
    if (status !== undefined)
      expect(status.description, 'a description of the failure').toMatch(/\S/)
  })
}

test(...rule('invoices.content.invalid-rejected', 'external entity'), async ({ open, invoice }) => {
  const desk = await open()
  await expectNoFetches('Faktura', async (typed) => {
    const document = typed(undeclared(desk.api.codec.text(invoice().bytes)))
    const outcome = await outcomeOfInvoice(desk, desk.api.codec.utf8(document))
    expect.soft(outcome).toBeRejected('invoice-invalid')
  })
})

test(
  ...rule('invoices.content.invalid-rejected', 'date, in the future'),
  async ({ open, invoice, target }) => {
    const desk = await open()
    const tomorrow = new Date(target.now() + 3 * 24 * 3600 * 1000).toISOString().slice(0, 10)
    const outcome = await outcomeOfInvoice(desk, invoice({ issueDate: tomorrow }).bytes)
    expect(outcome).toBeRejected('invoice-invalid')
  },
)

test(...rule('invoices.content.invalid-rejected', 'not issued'), async ({ open, invoice }) => {
  const desk = await open()
  const made = invoice()
  const xml = desk.api.codec.text(made.bytes).replace(/<P_1>.*?<\/P_1>/, '')
  const outcome = await outcomeOfInvoice(desk, desk.api.codec.utf8(xml))
  expect(outcome).toBeRejected('invoice-invalid')
  expect(
    recordOf(outcome)['svcNumber'] ?? null,
    'the service number of a rejected invoice',
  ).toBeNull()
  const found = await desk.api.call('invoices.byNumber', { path: { invoiceNumber: made.number } })
  expect(found).toBeRefused('invoice-unknown')
})

test(...rule('invoices.content.utf8-without-bom', 'bom'), async ({ open, invoice }) => {
  const { bytes } = invoice()
  const marked = new Uint8Array([0xef, 0xbb, 0xbf, ...bytes])
  expect(await outcomeOfInvoice(await open(), marked)).toBeRejected('invoice-encoding')
})

test(...rule('invoices.content.utf8-without-bom', 'encoding'), async ({ open, invoice }) => {
  const desk = await open()
  const xml = desk.api.codec.text(invoice().bytes).replace(/^<\?xml.*?\?>/, '')
  const utf16 = new Uint8Array([0xff, 0xfe, ...Buffer.from(xml, 'utf16le')])
  expect(await outcomeOfInvoice(desk, utf16)).toBeRejected('invoice-encoding')
})

test(...rule('invoices.content.utf8-without-bom', 'invalid UTF-8'), async ({ open, invoice }) => {
  const desk = await open()
  const xml = desk.api.codec
    .text(invoice().bytes)
    .replace(/<P_2>(.*?)<\/P_2>/, '<P_2>$1\u00f3</P_2>')
  const latin = new Uint8Array(Buffer.from(xml.replace(/[\u0100-\u{10ffff}]/gu, '?'), 'latin1'))
  expect(await outcomeOfInvoice(desk, latin)).toBeRejected('invoice-encoding')
})

test(...rule('invoices.content.utf8-without-bom', 'declaration'), async ({ open, invoice }) => {
  const desk = await open()
  const xml = desk.api.codec.text(invoice().bytes).replace(/^<\?xml.*?\?>/, '')
  const ascii = xml.replace(/[\u0080-\u{10ffff}]/gu, 'x')
  const latin = desk.api.codec.utf8(`<?xml version="1.0" encoding="ISO-8859-2"?>${ascii}`)
  expect(await outcomeOfInvoice(desk, latin)).toBeRejected('invoice-encoding')
  const plain = desk.api.codec.utf8(`<?xml version="1.0" encoding="UTF-8"?>${xml}`)
  expect(await outcomeOfInvoice(desk, plain), 'declared as UTF-8').toHaveSucceeded('invoice')
})

for (const what of ['online', 'offline'] as const)
  test(...rule('invoices.content.unsigned', what), async ({ open, invoice }) => {
    const [desk, declared] = [await open(), { offlineMode: what === 'offline' }]
    const { bytes } = invoice()
    expect(desk.api.codec.text(bytes), 'an invoice without a signature').not.toContain('Signature')
    expect(await outcomeOfInvoice(desk, bytes, declared)).toHaveSucceeded('invoice')
    const documents = ofEachKindAndMagnitude(invoice)
    const sent = await sendBatch(desk.api, await packed(documents), declared)
    expect(sent.settled, 'a package').toHaveSucceeded('batchSession')
    const rejected = await listInvoices(desk.api, sent.referenceNumber, 'sessions.failed')
    expect(rejected, 'rejected ones, of each kind and magnitude').toEqual([])
  })

test(...rule('invoices.content.issue-date'), async ({ open, invoice, target }) => {
  const desk = await open()
  const issueDate = new Date(target.now() - 10 * 24 * 3600 * 1000).toISOString().slice(0, 10)
  const outcome = await outcomeOfInvoice(desk, invoice({ issueDate }).bytes)
  expect(outcome, 'an invoice of an earlier day').toHaveSucceeded('invoice')
  const svcNumber = String(recordOf(outcome)['svcNumber'])
  const dateRange = {
    dateType: 'issue' as const,
    from: `${issueDate}T00:00:00+02:00`,
    to: `${issueDate}T23:59:59+02:00`,
  }
  const filters = { subjectType: 'subject1', dateRange, svcNumber } as const
  const found = await lookFor(desk.api, filters, [svcNumber])
  expect(
    found.invoices.map((row) => row.issueDate),
    'the issue date on record',
  ).toEqual([issueDate])
})

test(...rule('invoices.content.issue-date', 'after midnight'), async ({ open, invoice, clock }) => {
  const day = 24 * 3600 * 1000
  // In summer the next day has begun in Warsaw, but not yet in UTC.
  const night = Date.parse(`${isoDay(clock.now())}T22:30:00Z`)
  await clock.set(night > clock.now() ? night : night + day)
  const desk = await open()
  const today = isoDay(clock.now())
  const outcome = await outcomeOfInvoice(desk, invoice({ issueDate: today }).bytes)
  expect(outcome, `issued today, on ${today}`).toHaveSucceeded('invoice')
  const tomorrow = isoDay(clock.now() + day)
  const ahead = await outcomeOfInvoice(desk, invoice({ issueDate: tomorrow }).bytes)
  expect(ahead).toBeRejected('invoice-invalid')
})

test(...rule('invoices.content.invalid-rejected', 'other form'), async ({ open, invoice }) => {
  const desk = await open()
  const { bytes } = invoice({ schema: 'fa2' })
  expect(await outcomeOfInvoice(desk, bytes)).toBeRejected('invoice-invalid')
})

test(...rule('invoices.content.further-forms', 'accepted'), async ({ login, own, rng, target }) => {
  const { api } = await login()
  const parties = { seller: own.nip }
  const bought = { seller: drawNip(rng), buyer: own.nip }
  const correction = { kind: 'KOR_VAT_RR' } as const
  // All under one number: each differs in its kind or in its seller.
  const number = rng.digits(12)
  for (const [form, facts] of [
    ['pef', parties],
    ['pefKor', parties],
    ['faRr', parties],
    ['faRr', { ...parties, ...correction }],
    ['faRr', bought],
    ['faRr', { ...bought, ...correction }],
  ] as const) {
    const session = await openOnline(api, { formCode: furtherForms[form].formCode })
    const bytes = invoiceIn(form, { number, day: isoDay(target.now()), ...facts })
    const outcome = await outcomeOfInvoice({ api, session }, bytes)
    expect(outcome, `${form}, ${JSON.stringify(facts)}`).toHaveSucceeded('invoice')
    expect(recordOf(outcome)['invoiceNumber'], 'the number of the invoice').toBe(number)
    await finish({ api, session })
  }
})

test(
  ...rule('invoices.content.further-forms', 'another form'),
  async ({ login, own, rng, target, invoice }) => {
    const { api } = await login()
    const facts = () => ({ seller: own.nip, number: rng.digits(12), day: isoDay(target.now()) })
    const forms = ['pef', 'pefKor', 'faRr'] as const
    for (const form of forms) {
      const session = await openOnline(api, { formCode: furtherForms[form].formCode })
      const others = forms.filter((other) => other !== form)
      for (const bytes of [...others.map((other) => invoiceIn(other, facts())), invoice().bytes])
        expect(
          await outcomeOfInvoice({ api, session }, bytes),
          `in a session of ${form}`,
        ).toBeRejected('invoice-invalid')
    }
  },
)

test(
  ...rule('invoices.content.further-forms', 'provider'),
  async ({ login, own, another, rng, target }) => {
    const seller = await login()
    const provider = newProvider(rng, target)
    const subject = { type: 'PeppolId', value: provider.value }
    const { api } = await login({ context: provider })
    const body = authorizationGrant(subject, 'PefInvoicing')
    await grantBy(seller.api, 'permissions.grantAuthorization', body)
    const session = await openOnline(api, { formCode: furtherForms.pef.formCode })
    const sent = (nip: string) =>
      outcomeOfInvoice(
        { api, session },
        invoiceIn('pef', { seller: nip, number: rng.digits(12), day: isoDay(target.now()) }),
      )
    expect(await sent(own.nip), 'for the seller that authorized it').toHaveSucceeded('invoice')
    expect(await sent((await another()).nip)).toBeRejected('seller-not-allowed')
  },
)
