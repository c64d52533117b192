import { seedFrom, seededDraw } from '../../generators/draw.ts'
import { buildInvoice } from '../../generators/invoice/build.ts'
import { malform } from '../../generators/faults/invoices.ts'
import { semantics } from '../../generators/faults/semantics.ts'
import { contextKey, loginWithDocument, loginWithToken } from '../../lib/flows/login.ts'
import { createContexts } from '../support/context-source.ts'
import { isoDay } from '../support/invoice-source.ts'
import { listInvoices, nameOf, packed, sendBatch } from '../support/packages.ts'
import { rule } from '../support/rule.ts'
import { runOptions } from '../support/run-options.ts'
import { expect, test } from '../support/test.ts'

/** Numbers of taxpayers that cannot be: production looks at their check digits, the other environments do not. */

const entries = semantics().filter(({ onlyIn }) => onlyIn === 'production')

for (const [environment, ends] of [
  ['production', 450],
  ['demo', 200],
] as const)
  test(
    ...rule('invoices.content.check-digits', environment),
    async ({ inEnvironment, ledger, rng }) => {
      const target = await inEnvironment(environment)
      const own = await createContexts(target, rng)()
      const api = target.client(ledger.record)
      const { accessToken } = own.token
        ? await loginWithToken(api, { context: own, token: own.token })
        : await loginWithDocument(api, { sign: (challenge) => own.document(challenge) })
      const me = api.with({ bearer: accessToken, context: contextKey(own) })
      const series = rng.digits(12)
      // Whoever the seller is, another one than the context is refused everywhere.
      const here = entries.filter(({ id }) => ends === 450 || !id.endsWith('-seller'))
      const made = here.map((entry, place) => {
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
        return { entry, bytes: malform(entry, document, seed).bytes }
      })
      const { referenceNumber } = await sendBatch(me, await packed(made))
      const rows = await listInvoices(me, referenceNumber)
      const named = new Map(rows.map((row) => [row.invoiceFileName, row.status.code]))
      const ended = made.map(({ entry }, place) => `${entry.id}: ${named.get(nameOf(place))}`)
      expect(ended.length, 'documents').toBeGreaterThan(0)
      expect(ended, 'how each of them ends').toEqual(
        made.map(({ entry }) => `${entry.id}: ${ends}`),
      )
    },
  )
