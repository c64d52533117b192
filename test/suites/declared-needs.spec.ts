import { expect, test } from '@playwright/test'
import { projectRoot, readSources } from '../sources.ts'

/** What a check needs or assumes is data of its rule, variant or family: plans and reports read it there. */

const root = projectRoot()

/**
 * Where a spec may look: limits that another check set can only be there where they could be set; and 10,000 invoices
 * are not sent once more for what is assumed of their counts and receipts.
 */
const admitted = [
  'suites/limits/rate/by-environment.spec.ts',
  'suites/sessions/online/ten-thousand.spec.ts',
]

test('no spec asks for a capability or a confirmed assumption', () => {
  test.skip(root === undefined, 'the published package carries no sources')
  const asking = readSources(root ?? '')
    .filter(({ path }) => path.startsWith('suites/') && path.endsWith('.spec.ts'))
    .filter(({ text }) => /\btarget\.has\(|\.confirms\(/.test(text))
    .map(({ path }) => path)
  expect(asking, 'Declare it in `needs` or `assumes` of the rule, variant or family.').toEqual(
    admitted,
  )
})
