import { expect, test } from '@playwright/test'
import { withoutHookSteps } from '../../suites/support/run/hook-steps.ts'

/** A worker does not say that its hooks begin and end; it says all else. */

const event = (method: string, params: object) => ({
  method: '__dispatch__',
  params: { method, params },
})

test('the steps of hooks are not sent, begin and end; all other messages are', () => {
  const sent: unknown[] = []
  const send = withoutHookSteps((message) => {
    sent.push(message)
    return true
  })
  const others = [
    { method: 'ready' },
    event('testBegin', { testId: 'a' }),
    event('stepBegin', { stepId: 'expect@2', category: 'expect', parentStepId: 'hook@1' }),
    event('stepEnd', { stepId: 'expect@2' }),
    event('testEnd', { testId: 'a' }),
    { method: '__dispatch__', params: { id: 1, result: {} } },
  ]
  const hooks = [
    event('stepBegin', { stepId: 'hook@1', category: 'hook' }),
    event('stepEnd', { stepId: 'hook@1' }),
  ]
  for (const message of [...others.slice(0, 2), hooks[0], ...others.slice(2, 4), hooks[1]])
    expect(send(message)).toBe(true)
  for (const message of others.slice(4)) send(message)
  expect(sent).toEqual(others)
  send(event('stepEnd', { stepId: 'hook@1' }))
  expect(sent).toHaveLength(others.length + 1)
})
