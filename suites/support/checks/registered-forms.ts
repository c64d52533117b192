import type { TestDetails } from '@playwright/test'
import { formsOf, inForm } from './other-forms.ts'
import { again, subjectOf } from './rule.ts'

/**
 * Registers something in the name of the caller of `wrapper`: Playwright takes the second frame of the stack for the
 * place of a test, and would name the wrapper instead of the spec.
 */
const inNameOfCaller = (wrapper: (...args: never[]) => unknown, register: () => void): void => {
  const original = Object.getOwnPropertyDescriptor(Error, 'captureStackTrace') ?? {}
  const capture = Error.captureStackTrace.bind(Error)
  Error.captureStackTrace = (target: object & { stack?: unknown }) => {
    const prepare = Error.prepareStackTrace?.bind(Error)
    Error.prepareStackTrace = (error, frames) =>
      prepare?.(error, frames.slice(0, 1).concat(frames)) as unknown
    capture(target, wrapper)
    // Reading the property captures the frames.
    void target.stack
    Error.prepareStackTrace = prepare
  }
  try {
    register()
  } finally {
    Object.defineProperty(Error, 'captureStackTrace', original)
  }
}

/** `test` that registers a check once more for each other form of its requests, under a variant that names the form. */
export const inOtherForms = <Test extends (...args: never[]) => unknown>(test: Test): Test => {
  const apply = (_: unknown, __: unknown, args: unknown[]): void => {
    const register = (check: readonly unknown[]) =>
      inNameOfCaller(apply, () => Reflect.apply(test, undefined, check as never[]))
    register(args)
    const [, details, body] = args as [string, TestDetails | undefined, unknown]
    const { annotation = [] } = details ?? {}
    const subject = subjectOf(Array.isArray(annotation) ? annotation : [annotation])
    if (subject === undefined || body === undefined) return
    for (const form of formsOf(subject.rule, subject.variant))
      register([...again(subject.rule, inForm(form, subject.variant)), body])
  }
  return new Proxy<Test>(test, { apply })
}
