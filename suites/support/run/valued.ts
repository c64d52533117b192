import { expect as base } from '@playwright/test'
import { shownValue } from './thrown.ts'

/**
 * Playwright's matchers that report a message but neither the expected nor the actual value: repeated here with both,
 * so that reports show values and read no message. A value of the wrong kind (a missing count, a list that is not a
 * list) does not meet the expectation; it is not a fault of the tool.
 */
const silent = [
  'toBeDefined',
  'toBeFalsy',
  'toBeGreaterThan',
  'toBeGreaterThanOrEqual',
  'toBeLessThan',
  'toBeLessThanOrEqual',
  'toBeNull',
  'toBeTruthy',
  'toBeUndefined',
  'toContain',
  'toContainEqual',
  'toHaveLength',
  'toHaveProperty',
  'toMatch',
  'toMatchObject',
] as const

type Silent = (typeof silent)[number]
type Matcher = (...args: readonly unknown[]) => void

const words = (name: Silent): string =>
  name
    .replace(/^to/, '')
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim()

const valued = (name: Silent) =>
  function match(this: { readonly isNot: boolean }, actual: unknown, ...args: unknown[]) {
    const { isNot } = this
    const asserted = isNot ? base(actual).not : base(actual)
    const expected = [`${isNot ? 'not ' : ''}to ${words(name)}`, ...args.map(shownValue)].join(' ')
    try {
      ;(asserted as unknown as Record<Silent, Matcher>)[name](...args)
      return { pass: !isNot, message: () => '', expected, actual }
    } catch (error) {
      return { pass: isNot, message: () => (error as Error).message, expected, actual }
    }
  }

/** Playwright's `expect`, whose every failure carries the expected and the actual value. */
export const expect = base.extend(
  Object.fromEntries(silent.map((name) => [name, valued(name)])),
) as unknown as typeof base
