import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import type { InvoiceSchemaId } from '../../contract/environments.ts'
import { invoiceSchemas } from '../../contract/environments.ts'
import { refusals } from '../../contract/errors.ts'
import { rules } from '../../contract/rules.ts'
import { buildInvoice } from '../../generators/invoice/build.ts'
import { seedFrom, seededDraw } from '../../generators/draw.ts'
import { lintInvoice } from '../../generators/lint.ts'
import {
  invoiceMalformations,
  invoiceMalformationsOf,
  malform,
} from '../../generators/malformations/invoices.ts'
import { malformationsPage } from '../../generators/malformations/page.ts'
import { invoiceSchemasByNamespace } from '../../generators/xsd/contract.ts'
import { readXml } from '../../generators/xsd/reader.ts'
import { serialize } from '../../generators/xsd/serialize.ts'
import { runOptions } from '../run-options.ts'
import { objectionsOf } from './generators/judge.ts'
import { positionsOf } from './generators/positions.ts'
import { projectRoot } from './sources.ts'
import { compile, readOwn } from './xsd-equivalence/verdict.ts'

/**
 * Every class of malformed invoice is proved: the document before it is valid, the one after is not, and the
 * independent validator comes upon the fault where the class says that it lies.
 */

const { seed } = runOptions
/** Large documents take a second each. */
const documentsEach = (layer: string) => (layer === 'occurrence' || layer === 'size' ? 1 : 2)
const schemas = invoiceSchemasByNamespace()

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
    test(`${schema}: every class of the layer "${layer}" breaks what it says, where it says`, () => {
      const validator = compile(readOwn(invoiceSchemas[schema].xsd), `own-${schema}`)
      const faults: string[] = []
      for (const entry of invoiceMalformationsOf(schema).filter((each) => each.layer === layer)) {
        for (let n = 0; n < documentsEach(layer); n++) {
          const own = seedFrom(seed, entry.id, n)
          const complain = (what: string) => faults.push(`${entry.id} (seed ${own}): ${what}`)
          const { before, bytes, fault } = malform(entry, documentFor(schema, own), own)
          const [valid] = objectionsOf(validator, serialize(before))
          if (valid) {
            complain(`the document is not valid before: ${valid.message}`)
            continue
          }
          // What the checks of bytes refuse must never reach a parser.
          const objections = entry.seenBy === 'bytes' ? [] : objectionsOf(validator, bytes)
          const lint = lintInvoice(bytes, { schemas, today: '2026-06-15' }).filter(
            ({ severity }) => severity === 'error',
          )
          switch (entry.seenBy) {
            case 'service':
              if (objections.length > 0) complain(`a schema sees it: ${objections[0]!.message}`)
              break
            case 'bytes':
              if (lint.length === 0) complain('the checks of bytes see nothing')
              break
            case 'parser':
              if (objections.length === 0) complain('the parser takes it')
              if (lint[0]?.rule !== 'well-formed') complain(`our reader says ${lint[0]?.rule}`)
              break
            case 'schema': {
              const [first] = objections
              if (!first) {
                complain('it is valid after')
                break
              }
              const { root } = readXml(new TextDecoder().decode(bytes))
              const expected = [fault.path, ...(fault.seenAt ?? [])]
              const places = expected.flatMap((path) => positionsOf(root, path))
              if (first.xpath !== undefined && !places.includes(first.xpath)) {
                complain(
                  `seen at ${first.xpath}, expected ${expected.join(' or ')} (${places.join(', ')}): ${first.message}`,
                )
              }
              if (!lint.some(({ path }) => expected.includes(path))) {
                complain(
                  `lint sees it at ${lint[0]?.path ?? 'no place'}, expected ${expected.join(' or ')}`,
                )
              }
            }
          }
        }
      }
      expect(faults).toEqual([])
    })
  }
}
