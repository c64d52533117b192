import { isDeepStrictEqual } from 'node:util'
import { test } from '@playwright/test'
import type { TestInfo } from '@playwright/test'

/**
 * Makes assertions that hold fast. For each assertion Playwright creates some five hundred functions, captures a stack
 * and sends two messages to another process, and a run of the suite has tens of thousands. So an assertion is decided
 * here first. Playwright only gets those that do not certainly hold: it words the failure.
 */

/** Whether a matcher would pass. */
type Decision = (actual: unknown, ...args: readonly never[]) => boolean

const same = (actual: unknown, expected: unknown): boolean =>
  Object.is(actual, expected) || isDeepStrictEqual(actual, expected)

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

const contains = (actual: unknown, expected: unknown): boolean => {
  if (Array.isArray(expected))
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((part, place) => contains(actual[place], part))
    )
  if (!isPlain(expected)) return same(actual, expected)
  return (
    isPlain(actual) &&
    Object.entries(expected).every(([key, part]) => key in actual && contains(actual[key], part))
  )
}

const ordered =
  (holds: (actual: number, limit: number) => boolean) =>
  (actual: unknown, limit: unknown): boolean =>
    typeof actual === 'number' && typeof limit === 'number' && holds(actual, limit)

/** Playwright's matchers: true only if they pass. They may still pass if this returns false. */
const certain: Readonly<Record<string, Decision>> = {
  toBe: Object.is,
  toEqual: same,
  toStrictEqual: same,
  toMatchObject: (actual, expected) =>
    typeof expected === 'object' && expected !== null && contains(actual, expected),
  toBeDefined: (actual) => actual !== undefined,
  toBeUndefined: (actual) => actual === undefined,
  toBeNull: (actual) => actual === null,
  toBeTruthy: Boolean,
  toBeFalsy: (actual) => !actual,
  toBeGreaterThan: ordered((actual, limit) => actual > limit),
  toBeGreaterThanOrEqual: ordered((actual, limit) => actual >= limit),
  toBeLessThan: ordered((actual, limit) => actual < limit),
  toBeLessThanOrEqual: ordered((actual, limit) => actual <= limit),
  toHaveLength: (actual: unknown, length: unknown) =>
    (Array.isArray(actual) || typeof actual === 'string') && actual.length === length,
  toContain: (actual: unknown, part: unknown) =>
    Array.isArray(actual)
      ? actual.includes(part)
      : typeof actual === 'string' && typeof part === 'string' && actual.includes(part),
  toMatch: (actual: unknown, pattern: unknown) =>
    typeof actual === 'string' &&
    (typeof pattern === 'string'
      ? actual.includes(pattern)
      : pattern instanceof RegExp && !pattern.global && !pattern.sticky && pattern.test(actual)),
}

const holding = new WeakSet<TestInfo>()

/** Whether a check has asserted something that held, of which Playwright knows nothing. */
export const hasAsserted = (info: TestInfo): boolean => holding.has(info)

/** A matcher as `expect.extend` takes it, without a promise. */
type Matcher = (...args: never[]) => { readonly pass: boolean }

/** `expect`, or what goes on after a failure (`expect.soft`). */
type Asserts = (actual: unknown, message?: string) => unknown

type Call = (...args: readonly unknown[]) => unknown

/**
 * The same `expect`, quicker where an assertion holds.
 * @param own - the matchers that it was extended with
 */
export const passingQuickly = <Expect extends Asserts & { readonly soft: Asserts }>(
  expect: Expect,
  own: Readonly<Record<string, Matcher>>,
): Expect => {
  const decide = (name: string, args: readonly unknown[]): boolean => {
    const matcher = own[name]
    if (matcher !== undefined) return matcher(...(args as never[])).pass
    return certain[name]?.(...(args as [unknown, ...never[]])) ?? false
  }
  const isDecidable = (name: unknown): name is string =>
    typeof name === 'string' && (Object.hasOwn(own, name) || Object.hasOwn(certain, name))
  interface Given {
    readonly asserts: Asserts
    readonly actual: unknown
    readonly message: string | undefined
  }
  const assertions: ProxyHandler<Given> = {
    get({ asserts, actual, message }, name) {
      const playwrights = (): unknown =>
        (asserts(actual, message) as Readonly<Record<string | symbol, unknown>>)[name]
      if (!isDecidable(name)) return playwrights()
      return (...args: readonly unknown[]): unknown => {
        if (!decide(name, [actual, ...args])) return (playwrights() as Call)(...args)
        holding.add(test.info())
        return undefined
      }
    },
  }
  const quick = <Kind extends Asserts>(asserts: Kind): Kind =>
    new Proxy(asserts, {
      apply: (_asserts, _this, [actual, message]: [unknown, string | undefined]) =>
        new Proxy({ asserts, actual, message }, assertions),
      get: (target, name, receiver) =>
        name === 'soft' ? soft : (Reflect.get(target, name, receiver) as unknown),
    })
  const soft = quick(expect.soft)
  return quick(expect)
}
