import { expect, test } from '@playwright/test'
import { projectRoot, readSources } from './sources.ts'

// What the project asks of each source file, whatever it holds.

const root = projectRoot()
const sources = root === undefined ? [] : readSources(root)

test.skip(root === undefined, 'the published package carries no sources')

test('files hold one concept: under 300 lines, data tables in contract/ aside', () => {
  const violations = sources
    .filter(({ path: file }) => !file.startsWith('contract/'))
    .map(({ path: file, text }) => ({ file, lines: text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > 300)
    .map(({ file, lines }) => `${file}: ${lines} lines`)
  expect(violations, 'Split it along its concepts into files named after them.').toEqual([])
})

test('files are named after what they hold', () => {
  const vague = /^(?:utils?|helpers?|common|misc|index|types?-utils?)$/
  const violations = sources
    .map(({ path: file }) => file)
    .filter((file) =>
      file.split('/').some((part) => vague.test(part.replace(/(?:\.spec)?\.ts$/, ''))),
    )
  expect(violations, 'Name the file and its folder after the one thing that they hold.').toEqual([])
})

test('no file only re-exports', () => {
  const reExport = /^export\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s+from\s+'[^']+'$/gm
  const violations = sources
    .filter(({ text }) => {
      const code = text.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')
      const rest = code.replace(reExport, '')
      return rest !== code && rest.trim() === ''
    })
    .map(({ path: file }) => file)
  expect(violations, 'Import from the file that has it; delete this one.').toEqual([])
})
