import { createExport } from '../../../lib/flows/export.ts'
import type { ExportOptions } from '../../../lib/flows/export.ts'
import { drawSecret } from '../../../lib/flows/session.ts'
import type { Me } from '../../support/service/contexts.ts'
import { describedIn, documentsIn, fetchFiles } from '../../support/steps/export-parts.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import type { CheckFixtures } from '../../support/harness/fixtures.ts'
import { grantPerson } from '../../support/callers/grants.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { findAll } from '../../support/steps/searches.ts'
import { personAt } from '../../support/callers/people.ts'
import { expect, test } from '../../support/harness/test.ts'
import { elsewhere } from '../../support/scenes/two-contexts.ts'
import { ways } from '../../support/scenes/ways-of-sending.ts'

/** Exports that ask for the same: each has what its own context, role and moment give, whatever another one found. */

const rule = 'exports.isolated'

/** The service numbers of a package, from its documents and from its metadata. */
const contentOf = async ({ api }: Me, started: Awaited<ReturnType<typeof createExport>>) => {
  const files = await fetchFiles(api, started)
  return {
    documents: documentsIn(files).toSorted(),
    described: describedIn(api, files)
      .map(({ svcNumber }) => svcNumber)
      .toSorted(),
  }
}

const exactly = (...numbers: readonly string[]) => ({
  documents: numbers.toSorted(),
  described: numbers.toSorted(),
})

/** Two sellers that sell to each other, with the numbers that each has as seller and as buyer. */
const trade = async ({
  login,
  another,
  invoice,
}: Pick<CheckFixtures, 'login' | 'another' | 'invoice'>) => {
  const sides = [await login(), await login({ context: await another() })] as const
  const send = async (seller: Me, buyer: Me) => {
    const { bytes } = invoice({ seller: seller.context.nip, buyer: buyer.context.nip })
    return (await ways['interactive session']!.send(seller, bytes)).svcNumber
  }
  const [one, other] = sides
  const numbers = [await send(one, other), await send(other, one)] as const
  return { sides, numbers }
}

for (const [what, atOnce] of [
  ['one after the other', false],
  ['at the same time', true],
] as const)
  test(
    ...familyRule(rule, 'same export', `of two contexts, ${what}`),
    async ({ login, another, invoice, target }) => {
      const { sides, numbers } = await trade({ login, another, invoice })
      for (const [role, wanted] of [
        ['subject1', numbers],
        ['subject2', numbers.toReversed()],
      ] as const) {
        const filters = issuedAround(target.now(), role)
        for (const [place, { api }] of sides.entries())
          await findAll(api, filters, [wanted[place]!])
        // The same key too: nothing but the context differs.
        const options: ExportOptions = { filters, secret: drawSecret() }
        const begin = ({ api }: Me) => createExport(api, options)
        const started = atOnce ? await Promise.all(sides.map(begin)) : []
        for (const [place, me] of sides.entries())
          expect(
            await contentOf(me, started[place] ?? (await begin(me))),
            `of context ${place + 1} as ${role}`,
          ).toEqual(exactly(wanted[place]!))
      }
    },
  )

test(
  ...familyRule(rule, 'same export', 'by one person in two contexts'),
  async ({ login, another, invoice, rng, target }) => {
    const { sides, numbers } = await trade({ login, another, invoice })
    const person = personAt(sides[0].context, rng, target)
    const filters = issuedAround(target.now())
    const secret = drawSecret()
    for (const [place, { api, context }] of sides.entries()) {
      await grantPerson(api, person.subject, ['InvoiceRead'])
      await findAll(api, filters, [numbers[place]!])
      const me = await login({ context: elsewhere(person.context, context) })
      const content = await contentOf(me, await createExport(me.api, { filters, secret }))
      expect(content, `in context ${place + 1}`).toEqual(exactly(numbers[place]!))
    }
  },
)
