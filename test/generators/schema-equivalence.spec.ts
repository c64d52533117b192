import { expect, test } from '@playwright/test'
import { seededDraw } from '../../generators/draw/draw.ts'
import type { Draw } from '../../generators/draw/draw.ts'
import { compileRoot } from '../../generators/schema/arbitrary.ts'
import { fileLoader } from '../../generators/schema/files.ts'
import { parseSchema } from '../../generators/schema/parse.ts'
import { serializeText } from '../../generators/schema/serialize.ts'
import { seedFrom } from '../../lib/random.ts'
import { runOptions } from '../../suites/support/checks/run-options.ts'
import { sampleNote, sampled } from '../sample.ts'
import { mutate } from './schema-equivalence/mutations.ts'
import type { Material } from './schema-equivalence/mutations.ts'
import { compilePair, pairs, repairAuthentication } from './schema-equivalence/schemas.ts'
import type { Pair } from './schema-equivalence/schemas.ts'
import * as systematic from './schema-equivalence/systematic.ts'
import { tally } from './schema-equivalence/tally.ts'
import type { Trial } from './schema-equivalence/tally.ts'
import { clone, parse, serialise } from './schema-equivalence/tree.ts'
import type { Element } from './schema-equivalence/tree.ts'
import {
  compare,
  compile,
  havePublished,
  provideBaseTypes,
  PUBLISHED,
  readPublished,
} from './schema-equivalence/verdict.ts'

/**
 * Our schemas must give the verdicts of the published ones. Not only verdicts are compared but also the
 * places of all objections, so that one document can answer many questions.
 *
 * A sample of the documents in `npm test`, all of them in `npm test -- --exhaustive`.
 *
 * Out of scope is xsi:type with a name that only one side has: our own names for types that the
 * published schemas leave without one, and the names of the base types in their own namespace.
 */

const { seed } = runOptions
/** Mutants of the documents of one schema. */
const MUTANTS = 2000
/** Documents generated from each side of a pair. */
const GENERATED = 300

function materialOf(pair: Pair, documents: readonly Element[]): Material {
  const named = pair.published.matchAll(/<xsd:(?:simple|complex)Type name="([^"]*)"/g)
  return {
    donors: systematic.donorsOf(documents),
    codes: systematic.codesOf(pair),
    types: [...named].map(([, type = '']) => type),
  }
}

/** One to three random changes. */
function mutant(document: Element, draw: Draw, material: Material): Trial {
  const root = clone(document)
  const steps = Array.from({ length: draw.pick([1, 1, 1, 1, 2, 2, 3]) }, () =>
    mutate(root, draw, material),
  )
  return { made: steps.join('; '), xml: serialise(root) }
}

function* mutants(pair: Pair): Generator<Trial> {
  const documents = [...pair.seeds, ...pair.samples].map(parse)
  const material = materialOf(pair, documents)
  for (let index = 0; index < MUTANTS; index += 1) {
    const draw = seededDraw(seedFrom(seed, pair.name, index))
    const { made, xml } = mutant(draw.pick(documents), draw, material)
    yield { made: `mutant ${index}: ${made}`, xml }
  }
}

/** Documents that either schema generates, as they are and mutated. */
function* generated(pair: Pair): Generator<Trial> {
  const material = materialOf(pair, pair.seeds.map(parse))
  for (const side of ['own', 'published'] as const) {
    const make = compileRoot(
      parseSchema({ text: pair[side], file: pair.files[side] }, fileLoader),
      pair.root,
    )
    for (let index = 0; index < GENERATED; index += 1) {
      const draw = seededDraw(seedFrom(seed, pair.name, side, index))
      const xml = serializeText(make(draw))
      const name = `document ${index} of the ${side} schema`
      yield { made: name, xml, valid: true }
      const { made, xml: changed } = mutant(parse(xml), draw, material)
      yield { made: `${name}: ${made}`, xml: changed }
    }
  }
}

const KINDS: Record<string, (pair: Pair) => Iterable<Trial>> = {
  'documents as they are': systematic.untouched,
  'values of each type': systematic.valuesOfTypes,
  'values in each place': systematic.valuesOfPlaces,
  'each place by itself': systematic.eachPlace,
  'bounds of repetition': (pair) => systematic.repetitions(pair, compilePair(pair).published),
  mutants,
  'generated documents': generated,
}

test.describe.configure({ mode: 'parallel' })

const unpublished = `no published schemas at ${PUBLISHED.pathname}: agreement not tested`

if (havePublished()) provideBaseTypes()
for (const [name, make] of Object.entries(pairs))
  for (const [kind, trials] of Object.entries(KINDS))
    test(`${name} agrees with its publication: ${kind}`, () => {
      test.skip(!havePublished(), unpublished)
      const pair = make()
      const result = tally(pair)
      for (const trial of sampled(trials(pair), 144, `${name} ${kind}`)) result.add(trial)
      console.log(`${name}, ${kind}: ${result.summary()} (seed ${seed}, ${sampleNote})`)
      expect(result.disagreements, `seed ${seed}, ${sampleNote}`).toEqual([])
    })

test('the patterns of the authentication schemas are the only exceptions', () => {
  if (!havePublished()) console.log(unpublished)
  test.skip(!havePublished(), unpublished)
  expect(repairAuthentication('2.1').repaired).toBe(2)
  expect(repairAuthentication('2.0').repaired).toBe(5)
  expect(() => compile(readPublished('schemat_auth_v2-0.xsd'), 'published-2.0')).toThrow(/pattern/)

  const repaired = compile(repairAuthentication('2.1').schema, 'repaired')
  const published = compile(readPublished('schemat_auth_v2-1.xsd'), 'published')
  for (const xml of pairs['AuthTokenRequest 2.1']?.().seeds ?? []) {
    const verdicts = compare(xml, repaired, published)
    const affected = /<(NipVatUe|PeppolId)>/.test(xml)
    expect(verdicts?.own).toEqual([])
    expect(verdicts?.published.length).toBe(affected ? 1 : 0)
  }
})
