import { expect, test } from '@playwright/test'
import { doubtfulDocuments, selectDoubtful } from '../../generators/corpus/streams.ts'
import { invoiceSchemasByNamespace } from '../../generators/schema/contract.ts'
import { lintInvoice } from '../../lint/lint.ts'
import { xsdValidator } from '../../lib/node/xsd.ts'
import { runOptions } from '../../suites/support/checks/run-options.ts'

/** Invoices that are valid and wrong in meaning: the schema takes each, and lint warns of that one thing. */

const { seed } = runOptions
const schemas = invoiceSchemasByNamespace()
const today = '2027-01-01'
const findFaults = (bytes: Uint8Array) => lintInvoice(bytes, { schemas, today })

test.beforeAll(() => {
  console.log(`seed ${seed}`)
})

for (const schema of ['fa3', 'fa2'] as const)
  test(`lint warns of each ${schema} invoice that is wrong in meaning, and of nothing else`, () => {
    const entries = selectDoubtful(schema, ['meaning'])
    const count = entries.length
    const wrong: string[] = []
    for (const { bytes, line } of doubtfulDocuments({ schema, seed, count }, entries, findFaults)) {
      for (const problem of xsdValidator(schema).problems(bytes))
        wrong.push(`${line.malformation} (${line.file}): not valid: ${problem}`)
      const found = findFaults(bytes).map(({ severity, rule }) => `${severity} ${rule}`)
      if (found.join() !== `warning ${line.warning}`)
        wrong.push(`${line.malformation} (${line.file}): ${found.join() || 'nothing'}`)
    }
    expect(wrong).toEqual([])
    expect(count).toBeGreaterThan(25)
  })
