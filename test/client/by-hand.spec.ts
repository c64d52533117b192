import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from '@playwright/test'
import { keepExamination, keepResult } from '../../cli/examine/kept.ts'
import { sound } from '../../examples/client/conduct.ts'
import { run as runClient } from '../../examples/client/run.ts'
import { readTask } from '../../examples/client/task.ts'
import type { OrdealResult } from '../../suites/client/examiner.ts'
import { mannersOf } from '../../suites/client/manners.ts'
import { run } from '../cli/in-process.ts'

let out = ''
test.beforeEach(() => {
  out = mkdtempSync(path.join(tmpdir(), 'assay-examined-'))
})
test.afterEach(() => rmSync(out, { recursive: true, force: true }))

test('--manual prints where to point the client, shows its calls, and ends with Enter', async () => {
  const input = new PassThrough()
  const environment: Record<string, string> = {}
  let said = ''
  const { exit, out: text } = await run(`examine --manual --seed 1 --out ${out}`, {
    input: () => input,
    err(line) {
      said += line
      for (const [, name = '', value = ''] of line.matchAll(/^ {2}(ASSAY_\w+)=(.*)$/gm))
        environment[name] = value
      if (line.includes('press Enter'))
        void runClient(readTask(environment), sound).then(() => input.write('\n'))
    },
  })
  expect(said).toMatch(/#\d+ sessions\.openOnline -> 201/)
  expect(text).toMatch(/documents issued exactly once +3 of 3/)
  expect(exit).toBe(0)
})

const reported: OrdealResult = {
  id: 'quiet-day',
  title: 'three invoices',
  seed: 1,
  conditions: [],
  opinions: [
    { rule: 'client.keys.chosen', verdict: 'pass', reason: 'a key that fits', steps: [1] },
  ],
  history: { source: 'journal', steps: [], events: [] },
  manners: mannersOf([]),
  ms: 1,
  stallMs: 0,
  ends: ['exit 0'],
}
const examined = { command: ['false'], cwd: tmpdir(), dialect: 'svc', seed: 7 }

test('--resume keeps what was reported and runs the rest', async () => {
  keepExamination(out, { ...examined, ordeals: ['quiet-day', 'burst'] })
  keepResult(out, reported)
  // A line that was truncated by the interruption.
  appendFileSync(path.join(out, 'ordeals.ndjson'), '{"id":"burst","ti')
  const { exit, out: text, err } = await run(`examine --resume ${out}`)
  expect(err).toContain('2 ordeals, seed 7; 1 reported already')
  expect(text).toMatch(/^pass +client\.keys\.chosen +in 1 ordeal$/m)
  expect(text).toContain('inconclusive   burst: the client made no call (exit 1)')
  expect(exit).toBe(3)
})

test('refuses a directory without an examination, and a second choice of ordeals', async () => {
  expect((await run(`examine --resume ${out}`)).err).toContain('holds no examination.json')
  keepExamination(out, { ...examined, ordeals: ['quiet-day'] })
  expect((await run(`examine burst --resume ${out}`)).err).toContain('leave them out')
  expect((await run('examine --manual -- node client.js')).err).toContain('leave out the command')
  expect((await run('examine')).err).toContain('no command')
})
