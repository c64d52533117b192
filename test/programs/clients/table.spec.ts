import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { projectRoot } from '../../sources.ts'
import { guide, marks } from './guide.ts'
import { clientRows } from './rows.ts'
import type { ClientRow } from './rows.ts'
import type { Result } from './table.ts'
import { tableAfter, tableOf } from './table.ts'

/** The table of clients: complete after each run, whatever this machine could run. */

const newest: ClientRow = { registry: 'PyPI', package: 'a-client', flow: 'a.py' }
const pinned: ClientRow = { ...newest, version: '0.1.0' }
const crate: ClientRow = { registry: 'crates.io', package: 'a-client', flow: 'a.rs' }
const rows = [newest, pinned, crate]

const ran = (row: ClientRow, version: string, ...steps: Result['steps']): Result => ({
  row,
  version,
  steps: [{ name: 'login' }, ...steps],
})
const first = [ran(newest, '0.9.0'), ran(pinned, '0.1.0'), ran(crate, '3.0.0')]
const before = tableOf(first)

const linesOf = (table: string): string[] => table.split('\n').slice(2)

test('a run of every client replaces every line', () => {
  const results = [ran(newest, '0.9.1'), ran(pinned, '0.1.0'), ran(crate, '3.1.0')]
  expect(tableAfter(before, rows, results)).toEqual({ table: tableOf(results), kept: [] })
})

test('a run of one client keeps the lines of the others, except for the pinned version', () => {
  const again = ran(newest, '0.9.1', { name: 'batch', failure: 'a | b\nc' })
  const { table, kept } = tableAfter(before, rows, [again])
  expect(linesOf(table)).toEqual([
    String.raw`| PyPI | ${'`a-client`'} | 0.9.1 | login | batch (a \| b c) |`,
    ...linesOf(before).slice(1),
  ])
  expect(kept.map(({ client }) => client)).toEqual(['PyPI a-client', 'crates.io a-client'])
})

test('a client that cannot be installed here keeps its line, with the reason', () => {
  const missing: Result = {
    row: crate,
    version: 'newest',
    steps: [],
    problem: 'spawn cargo ENOENT',
    isMissing: true,
  }
  const { table, kept } = tableAfter(before, rows, [first[0]!, first[1]!, missing])
  expect(table).toBe(before)
  expect(kept).toEqual([{ client: 'crates.io a-client', reason: 'spawn cargo ENOENT' }])
  expect(linesOf(tableAfter('', rows, [missing]).table)).toEqual([
    '| crates.io | `a-client` | newest |  | not run: spawn cargo ENOENT |',
  ])
})

test('a client that was installed and printed nothing loses its line', () => {
  const silent: Result = { row: crate, version: '3.1.0', steps: [], problem: 'a panic' }
  const { table } = tableAfter(before, rows, [silent])
  expect(linesOf(table).at(-1)).toBe('| crates.io | `a-client` | 3.1.0 |  | not run: a panic |')
})

test('the guide has a line for each client, and none besides', () => {
  const root = projectRoot()
  test.skip(root === undefined, 'the guide is in a clone of the sources only')
  const text = readFileSync(path.join(root ?? '.', guide), 'utf8')
  const [begin, end] = marks.map((mark) => text.indexOf(mark))
  const { kept } = tableAfter(text.slice(begin, end), clientRows, [])
  expect(kept).toHaveLength(clientRows.length)
  const lines = text.slice(begin, end).split('\n')
  expect(lines.filter((line) => /^\| (npm|PyPI|crates\.io) /.test(line))).toHaveLength(kept.length)
})
