import { expect, test } from '@playwright/test'
import { circles, folderCircles } from './circles.ts'
import type { Source } from './sources.ts'

const file = (name: string, ...imports: string[]): Source => ({ path: name, text: '', imports })

test('finds import cycles of files', () => {
  expect(circles([file('a', 'b'), file('b', 'c'), file('c', 'b')])).toEqual(['b -> c -> b'])
})

test('finds import cycles of folders whose files are in none', () => {
  const files = [
    file('x/a/one', 'x/b/one', 'y/a/one'),
    file('x/a/two', 'x/a/one'),
    file('x/b/one'),
    file('x/b/inner/two', 'x/a/one', 'node:fs'),
    file('y/a/one', 'x/a/one'),
  ]
  expect(folderCircles(files, 'x/')).toEqual(['x/a/ -> x/b/ -> x/a/'])
  expect(circles(files.filter(({ path }) => path.startsWith('x/')))).toEqual([])
})
