import type { InvoiceSchemaId } from '../../contract/environments.ts'
import { invoiceSchemas } from '../../contract/environments.ts'
import { sensibly, isSensible } from './sensible.ts'
import { invoiceSchema } from '../schema/contract.ts'
import type { CoverageRun } from '../schema/coverage.ts'
import { coverage } from '../schema/coverage.ts'

/** Enough for everything that FA(2) and FA(3) have. */
const coverageDocuments = 2_000

/**
 * Documents that reach everything that an invoice schema allows. They are valid by the schema and their
 * identifiers have right check digits; their sums do not add up, because no business has all that they reach.
 */
export const invoiceCoverage = (
  schema: InvoiceSchemaId,
  seed: number,
  maxDocuments: number = coverageDocuments,
): CoverageRun =>
  coverage({
    schema: invoiceSchema(schema),
    root: invoiceSchemas[schema].root,
    seed,
    maxDocuments,
    base: sensibly,
    keepValue: isSensible,
  })
