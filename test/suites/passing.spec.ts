import { expect as playwrights, test } from '@playwright/test'
import fc from 'fast-check'
import { hasAsserted, passingQuickly } from '../../suites/support/judging/passing.ts'
import { sampleNote, sampleSeed } from '../sample.ts'

/** Where the quick assertions of the suite say that one holds, Playwright says so too. */

const own = {
  toBeEven: (actual: unknown) => ({ pass: Number(actual) % 2 === 0, message: () => 'odd' }),
}
const slowly = playwrights.extend(own)
const quickly = passingQuickly(slowly, own)

/** Those that take nothing but the value. */
const alone = ['toBeDefined', 'toBeUndefined', 'toBeNull', 'toBeTruthy', 'toBeFalsy', 'toBeEven']
const matchers = [
  ...alone,
  'toBe',
  'toEqual',
  'toStrictEqual',
  'toMatchObject',
  'toBeGreaterThan',
  'toBeGreaterThanOrEqual',
  'toBeLessThan',
  'toBeLessThanOrEqual',
  'toHaveLength',
  'toContain',
  'toMatch',
]

const leaf = fc.constantFrom<unknown>(
  0,
  -0,
  1,
  2,
  Number.NaN,
  '',
  'a',
  'ab',
  null,
  undefined,
  true,
  new Date(0),
  /a/,
  /b$/g,
  10n,
)
// Few values, so that equal ones meet.
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'length'), tie('value'), { maxKeys: 2 }),
  ),
}))

type Assertions = Readonly<Record<string, (...expected: readonly unknown[]) => void>>

const holds = (assertions: unknown, matcher: string, expected: unknown): boolean => {
  try {
    ;(assertions as Assertions)[matcher]!(...(alone.includes(matcher) ? [] : [expected]))
    return true
  } catch {
    return false
  }
}

for (const negated of [false, true])
  test(`${negated ? 'negated' : 'plain'} assertions hold as Playwright's do`, () => {
    console.log(sampleNote)
    fc.assert(
      fc.property(fc.constantFrom(...matchers), value, value, (matcher, actual, expected) => {
        const [ours, theirs] = [quickly, slowly].map((expect) =>
          holds(negated ? expect(actual).not : expect(actual), matcher, expected),
        )
        return ours === theirs
      }),
      { numRuns: 500, seed: sampleSeed },
    )
  })

test('Playwright gets each assertion that fails; that others held is known', ({}, info) => {
  const got: string[] = []
  const asserts = (kind: string) => (actual: unknown) => ({
    toBe: (expected: unknown) => void got.push(`${kind} ${String(actual)} ${String(expected)}`),
  })
  const expected = passingQuickly(Object.assign(asserts('hard'), { soft: asserts('soft') }), {})
  playwrights(hasAsserted(info)).toBe(false)
  expected.soft(2).toBe(2)
  expected.soft(2).toBe(3)
  expected(4).toBe(4)
  expected(4).toBe(5)
  playwrights(hasAsserted(info)).toBe(true)
  playwrights(got).toEqual(['soft 2 3', 'hard 4 5'])
})
