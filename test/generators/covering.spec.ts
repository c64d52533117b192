import { expect, test } from '@playwright/test'
import fc from 'fast-check'
import type { Facets } from '../../generators/draw/covering.ts'
import { coveringArray } from '../../generators/draw/covering.ts'
import { createRng } from '../../lib/random.ts'
import { runOptions } from '../../suites/support/checks/run-options.ts'

/** Covering arrays: every pair that can be occurs, none that cannot, and the same draws give the same combinations. */

const { seed } = runOptions

test.beforeAll(() => {
  console.log(`seed ${seed}`)
})

/** Facets with values that are numbers, so that what cannot be together can be drawn as a pair of numbers. */
const facets = fc
  .array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 5 })
  .map((sizes): Facets =>
    Object.fromEntries(
      sizes.map((size, at) => [`f${at}`, Array.from({ length: size }, (_, value) => `${value}`)]),
    ),
  )

const pairsOf = (of: Facets): Readonly<Record<string, string>>[] => {
  const names = Object.keys(of)
  return names.flatMap((one, at) =>
    names
      .slice(at + 1)
      .flatMap((other) =>
        of[one]!.flatMap((first) =>
          of[other]!.map((second) => ({ [one]: first, [other]: second })),
        ),
      ),
  )
}

const has = (row: Readonly<Record<string, string | undefined>>, pair: object) =>
  Object.entries(pair).every(([name, value]) => row[name] === value)

test('covering arrays: every possible pair occurs, no other does, and few combinations do', () => {
  fc.assert(
    fc.property(facets, fc.string(), fc.nat(), (of, label, which) => {
      const pairs = pairsOf(of)
      // The first value of each facet goes with every other, so that each pair is part of some combination.
      const excluded = pairs.filter(
        (pair, at) => Object.values(pair).every((value) => value !== '0') && (at + which) % 5 === 0,
      )
      const isImpossible = (some: Readonly<Record<string, string | undefined>>) =>
        excluded.some((pair) => has(some, pair))
      const rows = coveringArray(createRng(label), of, isImpossible)
      expect(coveringArray(createRng(label), of, isImpossible)).toEqual(rows)
      const names = Object.keys(of)
      expect(rows.filter((row) => names.some((name) => !of[name]!.includes(row[name]!)))).toEqual(
        [],
      )
      // One expectation of all pairs: hundreds of them take seconds.
      const occurring = pairs.filter((pair) => rows.some((row) => has(row, pair)))
      expect(occurring).toEqual(pairs.filter((pair) => !excluded.includes(pair)))
      const sizes = Object.values(of)
        .map(({ length }) => length)
        .toSorted((a, b) => b - a)
      expect(rows.length).toBeLessThanOrEqual(2 * sizes[0]! * sizes[1]! + 2)
    }),
    { seed, numRuns: 50 },
  )
})

test('covering arrays: names what goes with nothing', () => {
  const of = { one: ['a', 'b'], other: ['c', 'd'], third: ['e'] }
  expect(() =>
    coveringArray(createRng('x'), of, ({ one, third }) => one === 'b' && third === 'e'),
  ).toThrow('no third')
})
