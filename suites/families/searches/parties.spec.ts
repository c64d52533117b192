import { drawNip } from '../../../lib/identifiers/nip.ts'
import { internalId } from '../../../lib/identifiers/internal-id.ts'
import type { Rng } from '../../../lib/random.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import { isoDay } from '../../../lib/local-time.ts'
import { boughtBy, element, identified, partyOf } from '../../support/documents/parties.ts'
import type { Identified } from '../../support/documents/parties.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { findAll, numbersOf, page, pageIn, search } from '../../support/steps/searches.ts'
import { accept } from '../../support/steps/steps.ts'
import type { Desk } from '../../support/steps/steps.ts'
import { describedPlainly, documentOf } from '../../support/documents/stock-document.ts'
import { withoutRates } from '../../support/service/target.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Buyers and third parties with each kind of identifier and each role, as a search reports and finds them. */

/** Roles 1 to 11, and one that the document names itself, which counts as 0. */
const roles = Array.from({ length: 12 }, (_, role) => role)

const roleOf = (role: number): string =>
  role === 0
    ? element('RolaInna', '1') + element('OpisRoli', 'Świadek')
    : element('Rola', String(role))

/** Changes a document before it is sent, has it accepted, and finds it. */
const describedRow = async (
  desk: Desk & { readonly me: { readonly context: { readonly nip: string } } },
  { rng, now }: { readonly rng: Rng; readonly now: number },
  change: (text: string) => string,
) => {
  const facts = {
    seller: desk.me.context.nip,
    number: `P-${rng.digits(10)}`,
    issueDate: isoDay(now),
  }
  const text = new TextDecoder().decode(
    documentOf(describedPlainly(facts), { third: drawNip(rng) }),
  )
  const { svcNumber } = await accept(desk, new TextEncoder().encode(change(text)))
  const filters = { ...issuedAround(now), svcNumber }
  const [row] = await findAll(desk.api, filters, [svcNumber])
  return { row, filters, svcNumber }
}

test(
  ...familyRule('queries.metadata.described', 'parties of an invoice', 'third parties'),
  async ({ open, rng, target }) => {
    await withoutRates(target)
    const desk = await open()
    const nip = drawNip(rng)
    const internal = internalId(nip, '1234')
    const kinds: readonly Identified[] = [
      ...identified(nip),
      {
        identifier: { type: 'InternalId', value: internal },
        markup: element('IDWew', internal),
      },
    ]
    const parties = roles.map((role) => {
      const kind = kinds[role % kinds.length]!
      return { role, name: `Party ${role}`, kind }
    })
    const markup = parties
      .map(({ kind, name, role }) => element('Podmiot3', partyOf(kind, name) + roleOf(role)))
      .join('')
    const { row } = await describedRow(desk, { rng, now: target.now() }, (text) =>
      text.replace(/<Podmiot3>.*<\/Podmiot3>/s, markup),
    )
    const listed = row?.['thirdSubjects'] as readonly { readonly role: number }[] | undefined
    // The contract does not specify their order.
    expect(
      listed?.toSorted((one, other) => one.role - other.role),
      'the third parties of the invoice',
    ).toMatchObject(
      parties.map(({ role, name, kind: { identifier } }) => ({ identifier, name, role })),
    )
    expect(listed, 'as many as there are').toHaveLength(parties.length)
  },
)

for (const [id, what] of [
  ['queries.metadata.described', 'each buyer'],
  ['queries.metadata.filters', 'each buyer'],
] as const)
  test(...familyRule(id, 'parties of an invoice', what), async ({ open, rng, target }) => {
    await withoutRates(target)
    const desk = await open()
    const nip = drawNip(rng)
    const kinds = identified(nip)
    for (const kind of kinds) {
      const name = `Buyer by ${kind.identifier.type}`
      const { row, filters, svcNumber } = await describedRow(
        desk,
        { rng, now: target.now() },
        (text) => boughtBy(text, kind, name),
      )
      if (id === 'queries.metadata.described') {
        expect(row?.['buyer'], 'the buyer of the invoice').toMatchObject({
          identifier: kind.identifier,
          name,
        })
        continue
      }
      for (const { identifier } of kinds)
        for (const buyerIdentifier of [identifier, { type: identifier.type }]) {
          const found = numbersOf([await page(desk.api, { ...filters, buyerIdentifier })])
          const wanted = identifier.type === kind.identifier.type ? [svcNumber] : []
          expect(found, `${name}, by ${JSON.stringify(buyerIdentifier)}`).toEqual(wanted)
        }
      const { type, value = '' } = kind.identifier
      // A part of an identifier may be refused as malformed.
      for (const part of type === 'None' ? [] : [value.slice(1), value.slice(0, -1)]) {
        const answer = await search(desk.api, {
          ...filters,
          buyerIdentifier: { type, value: part },
        })
        if (answer.status < 300)
          expect(numbersOf([pageIn(answer)]), `${name}, by ${part}`).toEqual([])
        else expect(answer, `a search by ${part}`).toBeClientError()
      }
    }
  })
