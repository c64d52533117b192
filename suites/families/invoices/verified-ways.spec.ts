import type { RuleId } from '../../../contract/rules.ts'
import type { Client } from '../../../lib/client.ts'
import { openOnline } from '../../../lib/flows/session.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { malformationGroups, malformedOf } from '../../support/documents/malformed.ts'
import type { MalformationGroup } from '../../support/documents/malformed.ts'
import type { WorkOutcome } from '../../support/judging/matchers.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { outcomeOfInvoice, outcomeOfSending } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/**
 * What is verified of an invoice in a package is verified in every other way to send one: of each layer of faults
 * the seed draws two classes, beside those that are always sent and an invoice that is accepted.
 */

type Send = (bytes: Uint8Array) => Promise<WorkOutcome>

const ways: Readonly<Record<string, (api: Client) => Promise<Send>>> = {
  'interactive session': async (api) => {
    const desk = { api, session: await openOnline(api, { formCode: formCodes.fa3 }) }
    return (bytes) => outcomeOfInvoice(desk, bytes)
  },
  'without a session': (api) => Promise.resolve((bytes) => outcomeOfSending(api, bytes)),
}

/** Classes that a parser and the schema let through; one dedicated check refuses each. They are sent with any seed. */
const unnoticed: ReadonlySet<string> = new Set([
  'bytes:bom',
  'bytes:utf-16le-bom',
  'bytes:utf-16le',
  'declared:iso-8859-2',
  'character:0084',
  'well-formed:version-1-1',
  'doctype:harmless',
  'instruction:behind',
  'semantics:future-last',
])

/** Groups of classes for every way of sending; attachments can be sent in packages only. */
const groups = malformationGroups('fa3').filter(
  ({ rule }) => rule !== 'invoices.size.with-attachments',
)

const byRule = (hostile: boolean) => {
  const found = new Map<RuleId, MalformationGroup[]>()
  for (const group of groups) {
    if ((group.layer === 'doctype') !== hostile) continue
    found.set(group.rule, [...(found.get(group.rule) ?? []), group])
  }
  return [...found]
}

for (const [way, open] of Object.entries(ways))
  for (const hostile of [false, true])
    for (const [rule, layers] of byRule(hostile)) {
      const family = hostile ? 'hostile invoice by another way' : 'malformed invoice by another way'
      const own: RuleId = way === 'without a session' ? 'invoices.send.alternative' : rule
      test(
        ...familyRule(own, family, `${way}, ${rule.slice(rule.indexOf('.') + 1)}`),
        async ({ login, invoice, own: { nip }, rng }) => {
          const { api } = await login()
          const send = await open(api)
          const drawn = layers.flatMap(({ classes }) => {
            const group = classes()
            const always = group.filter(({ id }) => unnoticed.has(id))
            return [...new Set([...always, rng.pick(group), rng.pick(group)])]
          })
          const sent = drawn.map(async (entry) => {
            const { bytes, seed } = malformedOf(entry, 'fa3', nip, invoice())
            return { entry, seed, outcome: await send(bytes) }
          })
          for (const { entry, seed, outcome } of await Promise.all(sent))
            expect.soft(outcome, `${entry.id}, seed ${seed}`).toBeRejected(entry.refusedAs)
          expect(await send(invoice().bytes), 'an invoice without a fault').toHaveSucceeded(
            'invoice',
          )
        },
      )
    }
