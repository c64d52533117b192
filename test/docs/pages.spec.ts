import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { projectRoot } from '../sources.ts'

/** A reader who starts at README finds every page within two clicks. */

const root = projectRoot() ?? '.'
test.skip(projectRoot() === undefined, 'the published package has no sources')

const linksOf = (page: string): string[] =>
  [...readFileSync(path.join(root, page), 'utf8').matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(
    ([, target = '']) => path.posix.join(path.posix.dirname(page), target),
  )

test('every page and picture of docs is within two clicks of README', () => {
  const first = linksOf('README.md')
  const second = first.filter((page) => page.endsWith('.md')).flatMap(linksOf)
  const reached = new Set([...first, ...second])
  const pages = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((name) => `docs/${name.replaceAll(path.sep, '/')}`)
    .filter((name) => /\.\w+$/.test(name))
  expect(pages.length).toBeGreaterThan(25)
  expect(pages.filter((page) => !reached.has(page))).toEqual([])
})
