import { expect, test } from '@playwright/test'
import { examinationLines } from '../../cli/examine/console.ts'
import { verdictsOf } from '../../suites/client/judge.ts'
import { mannersOf } from '../../suites/client/manners.ts'
import { convicted } from '../../suites/client/opinion.ts'
import { written } from './written-history.ts'
import { keys, open } from './written-steps.ts'

const rule = 'client.keys.chosen'

const result = (id: string, place: number, steps: readonly number[]) => ({
  id,
  title: `title of ${id}`,
  seed: 1,
  conditions: [],
  opinions: [convicted(rule, `session S-${place} was opened with a wrong key`, steps)],
  history: { source: 'journal', steps: written([keys, open]), events: [] } as const,
  manners: mannersOf([]),
  ms: 1,
  stallMs: 0,
  ends: ['exit 1: const x = 1\n^\n\nTypeError: no key\n    at main.js:1:1\n\nNode.js v20'],
})

test('violations of one kind are one finding, with the shortest history and the error of the client', () => {
  const results = [result('first', 1, [1, 2]), result('second', 2, [2]), result('third', 3, [1, 2])]
  const opinions = results.flatMap(({ id, opinions: own }) =>
    own.map((opinion) => ({ ...opinion, ordeal: id })),
  )
  const found = {
    seed: 1,
    started: '2026-06-15T08:00:00Z',
    finished: '2026-06-15T08:00:01Z',
    results,
    verdicts: verdictsOf(opinions, { strict: false, rules: [rule] }),
    missing: [],
  }
  const text = [...examinationLines(found, 'svc', 1)].join('\n')
  expect(text.match(/was opened with a wrong key/g)).toHaveLength(1)
  expect(text).toContain('in second (title of second)')
  expect(text).toContain('the same in 2 other ordeals: first, third')
  expect(text).toContain('the client ended: exit 1: TypeError: no key\n')
})
