import { expect, test } from '@playwright/test'
import fc from 'fast-check'
import { linearize, unknown } from '../../generators/model/linearize.ts'
import type { HistoryCall, SequentialService } from '../../generators/model/linearize.ts'
import { sampleNote, sampleSeed } from '../sample.ts'

/** The judge of concurrent histories, against examples and against a search over every order. */

type Operation = 'take' | 'give' | 'look'

/** A thing that can be taken and given back. */
const thing: SequentialService<boolean, Operation> = {
  initial: false,
  key: String,
  step(taken, operation): Readonly<Record<string, boolean>> {
    if (operation === 'look') return { [taken ? 'taken' : 'free']: taken }
    if (operation === 'give') return { ok: false }
    return taken ? { refused: true } : { ok: true }
  },
}

const call = (
  operation: Operation,
  began: number,
  ended: number,
  outcome: string,
): HistoryCall<Operation> => ({ client: `at ${began}`, operation, began, ended, outcome })

const explained = (...calls: readonly HistoryCall<Operation>[]) => linearize(calls, thing).explained

test('calls that overlap may take effect in any order', () => {
  expect(explained(call('take', 1, 4, 'refused'), call('take', 2, 3, 'ok'))).toBe(true)
  expect(explained(call('take', 1, 4, 'ok'), call('look', 2, 3, 'free'))).toBe(true)
})

test('of two that take the same thing, one may succeed', () => {
  const judged = linearize([call('take', 1, 3, 'ok'), call('take', 2, 4, 'ok')], thing)
  expect(judged.explained).toBe(false)
  expect(judged.order).toHaveLength(1)
  expect(judged.next.map(({ possible }) => possible)).toEqual([['refused']])
})

test('a call that ended takes effect before those that begin later', () => {
  expect(explained(call('take', 1, 2, 'ok'), call('look', 3, 4, 'free'))).toBe(false)
  expect(explained(call('take', 1, 2, 'refused'), call('take', 3, 4, 'ok'))).toBe(false)
})

test('a call without an answer took effect, or did not, or does so later', () => {
  const lost = call('take', 1, 2, unknown)
  expect(explained(lost, call('take', 3, 4, 'ok'))).toBe(true)
  expect(explained(lost, call('take', 3, 4, 'refused'))).toBe(true)
  expect(explained(lost, call('look', 3, 4, 'free'), call('look', 5, 6, 'taken'))).toBe(true)
  expect(explained(lost, call('look', 3, 4, 'taken'), call('look', 5, 6, 'free'))).toBe(false)
})

/** Every order of some items. */
const orders = <T>(items: readonly T[]): T[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, place) =>
        orders(items.toSpliced(place, 1)).map((others) => [item, ...others]),
      )

/** Whether calls that take effect in this order would have been answered like this. */
const fits = (order: readonly HistoryCall<Operation>[]): boolean => {
  const apart = order.every((late, place) =>
    order.slice(0, place).every(({ began }) => began < late.ended),
  )
  let states = [thing.initial]
  for (const { operation, outcome } of order)
    states = states.flatMap((state) => {
      const possible = thing.step(state, operation)
      // A call without an answer may not have happened at all.
      if (outcome === unknown) return [state, ...Object.values(possible)]
      return outcome in possible ? [possible[outcome] === true] : []
    })
  return apart && states.length > 0
}

const history = fc
  .array(
    fc.record({
      operation: fc.constantFrom<Operation>('take', 'give', 'look'),
      at: fc.integer({ min: 0, max: 30 }),
      lasts: fc.integer({ min: 1, max: 15 }),
      outcome: fc.constantFrom('ok', 'refused', 'taken', 'free', unknown),
    }),
    { maxLength: 6 },
  )
  .map((drawn) =>
    drawn.map(({ operation, at, lasts, outcome }) => {
      const told = { take: ['ok', 'refused'], give: ['ok', 'ok'], look: ['free', 'taken'] }[
        operation
      ]
      const other = outcome === 'refused' || outcome === 'taken' ? told[1] : told[0]
      const answer = outcome === unknown ? unknown : String(other)
      // A lost answer never ends: what was sent may take effect at any time.
      return call(operation, at, answer === unknown ? Infinity : at + lasts, answer)
    }),
  )

test(`judges as a search over every order does (${sampleNote})`, () => {
  const seen = new Set<boolean>()
  fc.assert(
    fc.property(history, (calls) => {
      const verdict = orders(calls).some(fits)
      seen.add(verdict)
      expect(linearize(calls, thing).explained).toBe(verdict)
    }),
    { seed: sampleSeed, numRuns: 2_000 },
  )
  expect(seen, 'verdicts that were compared').toEqual(new Set([false, true]))
})
