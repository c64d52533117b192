import { expect, test } from '@playwright/test'
import { derivedSeed, runOptions } from '../run-options.ts'
import { mutate } from './xsd-equivalence/mutations.ts'
import type { Material } from './xsd-equivalence/mutations.ts'
import { randomFrom } from './xsd-equivalence/random.ts'
import { compilePair, pairs, repairAuthentication } from './xsd-equivalence/schemas.ts'
import type { Pair } from './xsd-equivalence/schemas.ts'
import { clone, distinctLeaves, parse, serialise, walk } from './xsd-equivalence/tree.ts'
import { VALUES } from './xsd-equivalence/values.ts'
import {
  compare,
  compile,
  havePublished,
  provideBaseTypes,
  PUBLISHED,
  readPublished,
} from './xsd-equivalence/verdict.ts'

/**
 * Our schemas must give the verdicts of the published ones. Compared are not only verdicts but the
 * places of all objections, so that one document can carry many questions.
 *
 * Out of scope is xsi:type with a name that only one side has: our own names for types that the
 * published schemas leave without one, and the names of the base types in their own namespace.
 */

const { seed } = runOptions

/** Mutants of the documents of one schema. */
const MUTANTS = 3000
/** One in so many values is tried in a run, another selection with each seed. */
const VALUE_SHARE = 4

test.skip(!havePublished(), `no published schemas at ${PUBLISHED.pathname}`)

interface Disagreement {
  made: string
  own: string[]
  published: string[]
  xml: string
}

/** Counts documents and collects the disagreements about them. */
function tally(pair: Pair) {
  const schemas = compilePair(pair)
  const counts = { documents: 0, valid: 0, invalid: 0, malformed: 0 }
  const disagreements: Disagreement[] = []
  return {
    disagreements,
    add(made: string, xml: string): void {
      counts.documents += 1
      const verdicts = compare(xml, schemas.own, schemas.published)
      if (verdicts === undefined) counts.malformed += 1
      else if (verdicts.published.length === 0) counts.valid += 1
      else counts.invalid += 1
      if (JSON.stringify(verdicts?.own) !== JSON.stringify(verdicts?.published)) {
        disagreements.push({ made, own: [], published: [], ...verdicts, xml: xml.slice(0, 20_000) })
      }
    },
    report(what: string): void {
      const { documents, valid, invalid, malformed } = counts
      console.log(
        `${pair.name}, ${what}: ${documents} documents (${valid} valid, ${invalid} invalid, ` +
          `${malformed} not well-formed), ${disagreements.length} disagreements, seed ${seed}`,
      )
    },
  }
}

/** Values of enumerations and fixed values of both schemas. */
function codesOf({ own, published }: Pair): string[] {
  const codes = (own + published).matchAll(/(?:<xsd:enumeration value|fixed)="([^"]*)"/g)
  return [...new Set([...codes].map(([, code = '']) => code))]
}

/** Names of types that the published schema has in the namespace of the documents. */
function typesOf({ published }: Pair): string[] {
  const types = published.matchAll(/<xsd:(?:simple|complex)Type name="([^"]*)"/g)
  return [...types].map(([, type = '']) => type)
}

if (havePublished()) {
  provideBaseTypes()
  for (const pair of pairs()) {
    const documents = [...pair.seeds, ...pair.samples].map(parse)
    const material: Material = {
      donors: documents.flatMap((root) => [...walk(root)].map(({ element }) => element)),
      codes: codesOf(pair),
      types: typesOf(pair),
    }

    test(`${pair.name}: published and own documents`, () => {
      const result = tally(pair)
      for (const [index, xml] of [...pair.seeds, ...pair.samples].entries()) {
        result.add(`document ${index}`, xml)
      }
      result.report('as they are')
      expect(result.disagreements).toEqual([])
      const { own } = compilePair(pair)
      for (const xml of pair.seeds) expect(compare(xml, own, own)?.own).toEqual([])
    })

    test(`${pair.name}: values at the edges`, () => {
      const result = tally(pair)
      const random = randomFrom(derivedSeed(seed, pair.name, 'values'))
      for (const value of [...VALUES, ...material.codes]) {
        if (random.below(VALUE_SHARE) > 0) continue
        for (const xml of pair.seeds) {
          const root = parse(xml)
          for (const leaf of distinctLeaves(root)) leaf.children = [value]
          result.add(`all values ${JSON.stringify(value.slice(0, 60))}`, serialise(root))
        }
      }
      result.report('one value in all places')
      expect(result.disagreements).toEqual([])
    })

    test(`${pair.name}: mutated documents`, () => {
      const result = tally(pair)
      for (let index = 0; index < MUTANTS; index += 1) {
        const random = randomFrom(derivedSeed(seed, pair.name, index))
        const root = clone(random.pick(documents))
        const steps = Array.from({ length: random.pick([1, 1, 1, 1, 2, 2, 3]) }, () =>
          mutate(root, random, material),
        )
        result.add(`document ${index}: ${steps.join('; ')}`, serialise(root))
      }
      result.report('mutated')
      expect(result.disagreements).toEqual([])
    })
  }
}

test('the repaired patterns are the only exceptions', () => {
  expect(repairAuthentication('2.1').repaired).toBe(2)
  expect(repairAuthentication('2.0').repaired).toBe(5)
  expect(() => compile(readPublished('schemat_auth_v2-0.xsd'), 'published-2.0')).toThrow(/pattern/)
})
