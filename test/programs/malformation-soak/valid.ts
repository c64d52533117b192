import type { InvoiceSchemaId } from '../../../contract/environments.ts'
import { corpus } from '../../../generators/corpus/corpus.ts'
import { seedFrom } from '../../../lib/random.ts'
import { profiles } from '../../../generators/invoice/invoice.ts'
import type { ProfileId } from '../../../generators/invoice/invoice.ts'
import { lintInvoice } from '../../../lint/lint.ts'
import { invoiceSchemasByNamespace } from '../../../generators/schema/contract.ts'
import { xsdValidator } from '../../../lib/node/xsd.ts'
import { verify } from '../../../reference/verification/verify.ts'
import { policy } from '../../../reference/policy/policy.ts'
import { judged } from '../../generators/judge.ts'
import { publishedValidator } from './invoices.ts'
import { sessionLimits } from './session-limits.ts'
import { isOurs, tried } from './tried.ts'
import type { SoakOptions, Tried } from './tried.ts'

/**
 * Valid documents of every business: valid by the published schema (where it is at hand) and by ours, accepted by the
 * reference with the check digits of production, and without a sum that does not agree.
 */

const businesses = Object.keys(profiles).filter((id) => id !== 'ten-thousand-lines') as ProfileId[]
const today = '2027-01-01'

/** Tries valid documents of a schema, those of each business on its own. */
export function* soakValid(schema: InvoiceSchemaId, options: SoakOptions): Generator<Tried> {
  const schemas = invoiceSchemasByNamespace()
  const rows = businesses.map((profile) => ({ id: `valid:${profile}`, layer: 'valid', profile }))
  for (const row of rows.filter((each, place) => isOurs(options, each, place))) {
    const { profile } = row
    const counter = tried(row, `${schema} ${row.id}`)
    const published = publishedValidator(schema)
    const documents = corpus({
      schema,
      profile,
      seed: seedFrom(options.seed, schema, profile),
      namespace: 'soak',
      count: Math.ceil(options.valid / businesses.length),
      attachment: schema === 'fa3' && profile === 'services',
    })
    const names: string[] = []
    function* contents() {
      for (const { bytes, line } of documents) {
        names.push(line.file)
        const [objection] = judged(published, bytes)
        const [finding] = lintInvoice(bytes, { schemas, today })
        const verdict = verify(
          { content: bytes, schema, limits: sessionLimits, today, checkDigits: true },
          policy,
        )
        const fault = 'fault' in verdict ? verdict.fault : undefined
        counter.count(
          (objection && `${line.file}: ${objection}`) ??
            (finding && `${line.file}: lint: ${finding.message}`) ??
            (fault && `${line.file}: ${fault.refusal} ${fault.details.join('; ')}`),
        )
        yield bytes
      }
    }
    let at = 0
    for (const problems of xsdValidator(schema).problemsOfEach(contents())) {
      if (problems.length > 0) counter.complain(`${names[at]}: libxmljs2: ${problems[0]}`)
      at += 1
    }
    yield counter.done()
  }
}
