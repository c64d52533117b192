import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import type { InvoiceSchemaId } from '../../contract/environments.ts'
import { invoiceSchemas } from '../../contract/environments.ts'
import { refusals } from '../../contract/errors.ts'
import { rules } from '../../contract/rules.ts'
import { buildInvoice } from '../../generators/invoice/build.ts'
import { seedFrom } from '../../lib/random.ts'
import { seededDraw } from '../../generators/draw/draw.ts'
import {
  invoiceMalformations,
  invoiceMalformationsOf,
  malform,
} from '../../generators/faults/invoices.ts'
import { malformationsPage } from '../../generators/faults/page.ts'
import { runOptions } from '../../suites/support/checks/run-options.ts'
import { complaintsAbout } from './prove.ts'
import { projectRoot } from '../sources.ts'
import { compile, readOwn } from './schema-equivalence/verdict.ts'
import { exhaustive, sampleNote, sampled } from '../sample.ts'

/**
 * Proves classes of malformed invoices, of which `npm test` takes a sample: the document before is valid, the one after
 * is not, and the independent validator finds the fault where the class says it is.
 */

const { seed } = runOptions
/** Large documents take a second each. */
const documentsEach = (layer: string) => (layer === 'occurrence' || layer === 'size' ? 1 : 2)

test.beforeAll(() => {
  console.log(`seed ${seed}`)
})

test('docs/reference/malformations.md is current', () => {
  const root = projectRoot()
  test.skip(root === undefined, 'the published package carries no sources')
  const file = join(root!, 'docs/reference/malformations.md')
  const current = existsSync(file) && readFileSync(file, 'utf8') === malformationsPage()
  expect(current, 'node scripts/docs.mjs writes it anew').toBe(true)
})

test('there are at least 250 classes, each with its own id, a rule and a refusal', () => {
  const entries = invoiceMalformations()
  expect(entries.length).toBeGreaterThanOrEqual(250)
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
  const faults = entries.filter(
    ({ rule, refusedAs, summary }) =>
      !Object.hasOwn(rules, rule) ||
      !Object.hasOwn(refusals, refusedAs) ||
      !/^\S.*[^.]$/.test(summary),
  )
  expect(faults.map(({ id }) => id)).toEqual([])
})

function documentFor(schema: InvoiceSchemaId, own: number) {
  const options = {
    schema,
    seller: '5265877635',
    number: `M/${own}`,
    issueDate: '2026-03-02',
  } as const
  return buildInvoice({ ...options, profile: 'general' }, seededDraw(own)).document
}

for (const schema of ['fa3', 'fa2'] as const) {
  const layers = [...new Set(invoiceMalformationsOf(schema).map(({ layer }) => layer))]
  for (const layer of layers) {
    test(`${schema}: classes of the layer "${layer}" have the declared fault at the declared place`, () => {
      const validator = compile(readOwn(invoiceSchemas[schema].xsd), `own-${schema}`)
      const faults: string[] = []
      const classes = invoiceMalformationsOf(schema).filter((each) => each.layer === layer)
      for (const entry of sampled(classes, 8, `${schema} ${layer}`)) {
        for (let n = 0; n < (exhaustive ? documentsEach(layer) : 1); n++) {
          const own = seedFrom(seed, entry.id, n)
          const made = malform(entry, documentFor(schema, own), own)
          for (const what of complaintsAbout(entry, made, validator))
            faults.push(`${entry.id} (seed ${own}): ${what}`)
        }
      }
      expect(faults, sampleNote).toEqual([])
    })
  }
}
