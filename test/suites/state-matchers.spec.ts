import { expect as expectPlainly, test } from '@playwright/test'
import { svc } from '../../contract/dialects/svc.ts'
import { expectations, setExpectations } from '../../suites/support/service/expectations.ts'
import { expect } from '../../suites/support/judging/matchers.ts'

/** State codes bind a target that confirms the assumption behind them; another is held to pending, success, failure. */

const confirmed = expectations()
test.afterEach(() => setExpectations(confirmed))

const confirming = (...gaps: readonly string[]): void =>
  setExpectations({ dialect: svc, confirms: (gap) => gaps.includes(gap), has: () => true })

const state = (code: number) => ({ status: { code, description: 'd' } })
const strange = { pending: 160, success: 250, failure: 499 }

test('a target that confirms the assumption is held to its codes', () => {
  confirming('authentication-states')
  expect(state(460)).toBeRejected('certificate-refused')
  expectPlainly(() => expect(state(strange.failure)).toBeRejected('certificate-refused')).toThrow()
  expectPlainly(() => expect(state(strange.success)).toHaveSucceeded('authentication')).toThrow()
  expectPlainly(() => expect([100, strange.pending]).toMoveAlong('authentication')).toThrow()
})

test('a target that does not confirm it may have codes of its own', () => {
  confirming()
  expect(state(strange.failure)).toBeRejected('certificate-refused')
  expect(state(strange.success)).toHaveSucceeded('authentication')
  expect([100, strange.pending, strange.success]).toMoveAlong('authentication')
  expectPlainly(() => expect(state(200)).toBeRejected('certificate-refused')).toThrow()
  expectPlainly(() => expect([200, 100]).toMoveAlong('authentication')).toThrow()
})

test('the assumption of another lifecycle confirms nothing', () => {
  confirming('session-states')
  expect(state(strange.failure)).toBeRejected('certificate-refused')
  expectPlainly(() => expect(state(strange.success)).toHaveSucceeded('onlineSession')).toThrow()
})

test('a state that only an assumption names is held to its meaning where that is not confirmed', () => {
  confirming('session-states')
  expectPlainly(() => expect(state(strange.failure)).toBeInState('onlineSession', 440)).toThrow()
  confirming()
  expect(state(strange.failure)).toBeInState('onlineSession', 440)
  expectPlainly(() => expect(state(strange.success)).toBeInState('onlineSession', 440)).toThrow()
})
