import { expect as playwright, test } from '@playwright/test'
import { svc } from '../../contract/dialects/svc.ts'
import { setExpectations } from '../../suites/support/service/expectations.ts'
import { expect as ours } from '../../suites/support/judging/matchers.ts'

/** State codes rest on assumptions: only a target that confirms them is held to the numbers. */

const held = (confirms: boolean) =>
  setExpectations({ dialect: svc, confirms: () => confirms, has: () => true })
test.afterEach(() => held(true))

const holds = (assertion: () => unknown): boolean => {
  try {
    assertion()
    return true
  } catch {
    return false
  }
}

test('success is the code of the lifecycle, or any of 200 to 299 where the numbers are not confirmed', () => {
  const succeeded = (code: number) =>
    holds(() => ours({ status: { code } }).toHaveSucceeded('invoice'))
  held(true)
  playwright([150, 200, 217, 440].map(succeeded)).toEqual([false, true, false, false])
  held(false)
  playwright([150, 200, 217, 440].map(succeeded)).toEqual([false, true, true, false])
})

test('a refusal in a state is one of its codes, or any failure where they are not confirmed', () => {
  const rejected = (code: number) =>
    holds(() => ours({ status: { code } }).toBeRejected('duplicate-invoice'))
  held(true)
  playwright([150, 200, 440, 477].map(rejected)).toEqual([false, false, true, false])
  held(false)
  playwright([150, 200, 440, 477].map(rejected)).toEqual([false, false, true, true])
})

test('states move along the lifecycle; unknown numbers only have to stay ended', () => {
  const moves = (...codes: number[]) => holds(() => ours(codes).toMoveAlong('invoice'))
  held(true)
  playwright(moves(100, 150, 200)).toBe(true)
  playwright(moves(100, 133, 200), 'an unknown code').toBe(false)
  playwright(moves(200, 150)).toBe(false)
  held(false)
  playwright(moves(101, 133, 217)).toBe(true)
  playwright(moves(133, 217, 133), 'what has ended begins again').toBe(false)
})
