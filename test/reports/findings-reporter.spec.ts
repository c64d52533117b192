import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import type { FullConfig, Suite, TestCase, TestResult } from '@playwright/test/reporter'
import { expect, test } from '@playwright/test'
import FindingsReporter from '../../reports/findings-reporter.ts'

/** What the reporter makes of a run whose target does not answer any more. */

/** A check that ended in an outcome, as Playwright reports it. */
const checkNamed = (rule: string): TestCase =>
  ({
    title: `MUST ${rule}`,
    annotations: [{ type: 'rule', description: rule }],
    outcome: () => 'expected',
  }) as unknown as TestCase

/** How a check ends here: its calls reach the target or not, or it makes none. */
type Ending = 'answered' | 'lost' | 'not-verifiable' | 'not-applicable'

const outcomes = { answered: 'held', lost: 'inconclusive' } as const

const resultOf = (check: TestCase, ending: Ending): TestResult => {
  const unreachable = ending === 'lost'
  const outcome = ending === 'answered' || ending === 'lost' ? outcomes[ending] : ending
  return {
    status: 'passed',
    duration: 1,
    startTime: new Date('2026-06-15T08:00:00Z'),
    parallelIndex: 1,
    errors: [],
    attachments: [],
    steps: [{ category: 'expect', steps: [] }],
    annotations: [
      {
        type: 'finding',
        description: JSON.stringify({
          finding: {
            rule: check.annotations[0]?.description,
            check: check.title,
            verdict: outcome === 'held' ? 'pass' : outcome,
            ms: 1,
            reason: unreachable ? 'no answer' : undefined,
          },
          outcome,
          ...(unreachable ? { unreachable: 'ECONNREFUSED' } : {}),
        }),
      },
    ],
  } as unknown as TestResult
}

let folder: string
let signals: unknown[]
test.beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'assay-reporter-'))
  signals = []
})
test.afterEach(() => rmSync(folder, { recursive: true }))

/** The reporter uses its process, which here is the test's own: signals are intercepted, and output is returned. */
const aside = async (work: () => Promise<void>): Promise<string> => {
  let printed = ''
  const listeners = process.listeners('disconnect')
  const stdout = Object.getOwnPropertyDescriptors(process.stdout)
  const own = Object.getOwnPropertyDescriptors(process)
  process.stdout.write = (text: string | Uint8Array) => {
    printed += String(text)
    return true
  }
  Object.assign(process, { send: undefined })
  process.kill = (_pid, signal) => {
    signals.push(signal)
    return true
  }
  try {
    await work()
  } finally {
    Object.defineProperty(process.stdout, 'write', stdout.write)
    Object.defineProperty(process, 'kill', own.kill)
    if (own.send !== undefined) Object.defineProperty(process, 'send', own.send)
    for (const listener of process.listeners('disconnect'))
      if (!listeners.includes(listener)) process.off('disconnect', listener)
    process.channel?.ref()
  }
  return printed
}

/** Reports checks that reach the target or do not; returns the reporter's signals, and what it left behind. */
const report = async (...endings: readonly Ending[]) => {
  const checks = endings.map((_, at) => checkNamed(`area.rule-${at}`))
  const reporter = new FindingsReporter()
  await aside(async () => {
    reporter.onBegin(
      { metadata: { out: folder }, workers: 1 } as unknown as FullConfig,
      { allTests: () => checks } as unknown as Suite,
    )
    for (const [at, ending] of endings.entries())
      reporter.onTestEnd(checks[at]!, resultOf(checks[at]!, ending))
    await reporter.onEnd({ status: 'passed' } as never)
  })
  const { errors } = JSON.parse(readFileSync(path.join(folder, 'end.json'), 'utf8')) as {
    errors: string[]
  }
  return { signals, errors }
}

test('a finding has the time of its check and its worker', async () => {
  await report('answered')
  const [line = ''] = readFileSync(path.join(folder, 'findings.ndjson'), 'utf8').split('\n')
  expect(JSON.parse(line)).toMatchObject({ started: '2026-06-15T08:00:00.000Z', worker: 1 })
})

test('three checks in a row without an answer end the run, and say so', async () => {
  const ended = await report('answered', 'lost', 'lost', 'lost')
  expect(ended.signals).toEqual(['SIGINT'])
  expect(ended.errors).toEqual(['stopped after 3 checks in a row without an answer: no answer'])
})

test('a response in between continues the run', async () => {
  expect(await report('lost', 'lost', 'answered', 'lost', 'lost')).toEqual({
    signals: [],
    errors: [],
  })
})

test('checks that do not run in between are no answer', async () => {
  const ended = await report('lost', 'not-verifiable', 'lost', 'not-applicable', 'lost')
  expect(ended.signals).toEqual(['SIGINT'])
})

test('own tests print, checks do not', async () => {
  const reporter = new FindingsReporter()
  const own = { title: 'a table', annotations: [] } as unknown as TestCase
  const printed = await aside(async () => {
    reporter.onStdOut('a row\n', own)
    reporter.onStdOut(Buffer.from('another\n'), own)
    reporter.onStdOut('by a check\n', checkNamed('area.rule'))
    reporter.onStdOut('by nothing\n')
  })
  expect(printed).toBe('a row\nanother\n')
})
