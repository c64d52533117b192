import { limits } from '../../../contract/limits.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import { isoDay } from '../../../lib/local-time.ts'
import type { Rng } from '../../../lib/random.ts'
import {
  createBench,
  documentFacets,
  sendingFacets,
  spelled,
  told,
} from '../../support/scenes/combinations.ts'
import type { Bench, Document } from '../../support/scenes/combinations.ts'
import { filled, mixed } from '../../support/documents/filled.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import { offered } from '../../support/service/offered.ts'
import { sendTogether } from '../../support/steps/packages.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { pages } from '../../support/steps/searches.ts'
import { expect, test } from '../../support/harness/test.ts'
import { inAscii, wrongDocuments } from '../../support/documents/wrong-documents.ts'

/** What is refused is refused in each combination of the facets of sending, and leaves nothing. */

const day = 24 * 3_600_000

/** No part of documents that were rejected is left: neither their numbers, nor a reason to reject them again. */
const expectNothingLeft = async (
  { api }: Bench['senders']['seller'],
  documents: readonly (Document & { readonly what: string })[],
  now: number,
) => {
  for (const { number, what } of documents)
    for (const operation of offered('invoices.byNumber')) {
      const answer = await api.call(operation, { path: { invoiceNumber: number } })
      expect(answer, `by its number, ${what}`).toBeRefused('invoice-unknown')
    }
  const filters = issuedAround(now, 'subject1', 'permanentStorage')
  const found = (await pages(api, filters)).flatMap(({ invoices }) => invoices)
  const numbers = new Set(found.map(({ invoiceNumber }) => invoiceNumber))
  for (const { number, what } of documents)
    expect(numbers.has(number), `found by a search, ${what}`).toBe(false)
  const outcomes = await sendTogether(api, documents)
  for (const [place, { what }] of documents.entries())
    expect(outcomes[place]!, `the same without the fault, ${what}`).toHaveSucceeded('invoice')
}

const facetsOf = (wrong: readonly string[], spelling: readonly string[]) => ({
  ...sendingFacets,
  ...documentFacets,
  spelling: documentFacets.spelling.filter((name) => spelling.includes(name)),
  wrong,
})

/** Faults that only the declaration of a document has. */
const ofDeclaration = new Set(['in XML 1.1', 'a document type'])
const anotherSeller = 'another seller'
const tomorrow = 'issued tomorrow'

for (const { id, refusal, write } of wrongDocuments) {
  const isOfContent = refusal === 'invoice-invalid'
  const faults = [...Object.keys(write), ...(isOfContent ? [anotherSeller, tomorrow] : [])]
  // How a document is encoded comes last, and its declaration has to be there.
  const facets = facetsOf(faults, isOfContent ? documentFacets.spelling : ['CR LF', 'references'])

  test(
    ...familyRule(id, 'refused combination', 'wrong documents'),
    async ({ login, another, limited, rng, target, invoice }) => {
      const bench = await createBench({ login, another, limited, rng, target, invoice })
      const documents: (Document & { readonly what: string })[] = []
      const rows = bench.rows(
        facets,
        ({ wrong = '', spelling = '' }) =>
          ofDeclaration.has(wrong) && spelling.includes('no declaration'),
      )
      for (const { spelling, ...row } of rows) {
        const what = told({ spelling, ...row })
        const made = bench.make(row)
        const valid = inAscii(made.bytes)
        const facts = { number: made.number, ...otherFacts(row.wrong, rng, target.now()) }
        const other = inAscii(bench.make(row, facts).bytes)
        const fault = write[row.wrong]
        const bytes = isOfContent
          ? spelled(fault?.(valid) ?? other, spelling)
          : fault!(spelled(valid, spelling))
        const { outcome, record } = await bench.send(row, bytes)
        const due = row.wrong === anotherSeller ? 'seller-not-allowed' : refusal
        expect(outcome, what).toBeRejected(due)
        expect(record['svcNumber'] ?? undefined, `its service number, ${what}`).toBeUndefined()
        const owned = inAscii(
          bench.make({ ...row, sender: 'owner' }, { number: made.number }).bytes,
        )
        const number = new TextDecoder().decode(inAscii(new TextEncoder().encode(made.number)))
        documents.push({ ...made, bytes: owned, number, what })
      }
      await expectNothingLeft(bench.senders.seller, documents, target.now())
    },
  )
}

/** What differs in a document that is not written wrongly. */
const otherFacts = (wrong: string, rng: Rng, now: number) => {
  if (wrong === anotherSeller) return { seller: drawNip(rng) }
  return wrong === tomorrow ? { issueDate: isoDay(now + day) } : {}
}

const limit = limits['invoice.bytes'].value

test(
  ...familyRule('invoices.size.without-attachments', 'refused combination', 'sizes'),
  async ({ login, another, limited, rng, target, invoice }) => {
    const { rows, make, send } = await createBench({
      login,
      another,
      limited,
      rng,
      target,
      invoice,
    })
    // Large documents take long: few values, but of all facets that concern bytes and ways.
    const facets = {
      ...facetsOf(['at the limit', 'a byte more'], ['CR LF', 'prefix, no declaration']),
      sender: ['owner', 'agent'],
      login: ['by certificate'],
      kind: ['VAT', 'ROZ'],
      buyer: ['VatUe'],
      issued: ['last year'],
      number: ['as long as can be'],
      currency: ['EUR'],
      before: ['nothing', 'a rejected document'],
    } as const
    for (const row of rows(facets)) {
      const isLarger = row.wrong === 'a byte more'
      const bytes = filled(make(row).bytes, limit + (isLarger ? 1 : 0), mixed)
      const { outcome } = await send(row, bytes)
      if (isLarger) expect(outcome, told(row)).toBeRejected('invoice-too-large')
      else expect(outcome, told(row)).toHaveSucceeded('invoice')
    }
  },
)

test(
  ...familyRule('invoices.duplicate.ten-years', 'combination over years', 'each'),
  async ({ login, another, limited, rng, target, invoice, clock }) => {
    const scene = { login, another, limited, rng, target, invoice }
    const { rows, accepted, make, senders } = await createBench(scene)
    const all = await accepted(rows({ ...sendingFacets, ...documentFacets }))
    const year = Number(isoDay(clock.now()).slice(0, 4))
    const again = async (years: number, date: string) => {
      await clock.set(Date.parse(`${year + years}-${date}T12:00:00Z`))
      const documents = all.map(({ row, made: { number } }) =>
        make({ ...row, sender: 'owner' }, { number }),
      )
      const { api } = await login({ context: senders.seller.context })
      return sendTogether(api, documents)
    }
    for (const years of [6, 9])
      for (const [place, outcome] of (await again(years, '06-01')).entries())
        expect(outcome, `${years} years later, ${all[place]?.what}`).toBeRejected(
          'duplicate-invoice',
        )
    for (const [place, outcome] of (await again(11, '01-02')).entries())
      expect(outcome, `after ten full years, ${all[place]?.what}`).toHaveSucceeded('invoice')
  },
)
