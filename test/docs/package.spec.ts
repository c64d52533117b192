import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { projectRoot } from '../sources.ts'

/**
 * What the published package holds: all that it needs, and nothing else. That it works once installed is shown by
 * `npm run package-test`, which needs a registry and a minute.
 */

const root = projectRoot() ?? '.'
test.skip(projectRoot() === undefined, 'the published package has no sources')

interface Packed {
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string }[]
}

const pack = (): Packed => {
  const json = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return (JSON.parse(json) as [Packed])[0]
}
let unpackedSize: number
let names: ReadonlySet<string>
let scripts: readonly string[]
test.beforeAll(() => {
  const packed = pack()
  unpackedSize = packed.unpackedSize
  names = new Set(packed.files.map((file) => file.path))
  scripts = [...names].filter((name) => name.startsWith('dist/') && name.endsWith('.js'))
})

/** Literal imports of compiled JavaScript, static and dynamic. */
const importsOf = (name: string): string[] =>
  [
    ...readFileSync(path.join(root, name), 'utf8').matchAll(
      /(?:^(?:import|export)\s[^;]*?from\s*|^import\s*|\bimport\()['"]([^'"]+)['"]/gm,
    ),
  ].flatMap((match) => match[1] ?? [])

/** Bytes of the interface's declarations: `npm pack` adds them, but the dry run leaves them out. */
const declarations = 15_000

/** What `npm pack` saves because it writes scripts and schemas in short, which the dry run does not do. */
const savedInShort = async (): Promise<number> => {
  const short = path.join(root, 'scripts/short.mjs')
  const { inShort, isShortened } = (await import(short)) as {
    inShort: (file: string, text: string) => Promise<string>
    isShortened: (file: string) => boolean
  }
  let saved = 0
  for (const name of [...names].filter((one) => one.startsWith('dist/') && isShortened(one))) {
    const text = readFileSync(path.join(root, name), 'utf8')
    saved += Buffer.byteLength(text) - Buffer.byteLength(await inShort(name, text))
  }
  return saved
}

test('is smaller than 5 MB', async () => {
  expect(unpackedSize + declarations - (await savedInShort())).toBeLessThan(5_000_000)
})

test('has no tests, source maps, sources or programs of this repository', () => {
  const stray = [...names].filter(
    (name) =>
      /^(?:test|scripts|bench|shared)\//.test(name) ||
      /^dist\/(?:test|bench)\//.test(name) ||
      /\.map$|(?<!\.d)\.ts$|\.spec\.ts$/.test(name),
  )
  expect(stray).toEqual([])
})

test('every import leads to a file of the package or to a dependency of it', () => {
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(path.join(root, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'optionalDependencies', Record<string, string>>
  const packages = new Set([...Object.keys(dependencies), ...Object.keys(optionalDependencies)])
  expect(scripts.length).toBeGreaterThan(400)
  const missing = scripts.flatMap((name) =>
    importsOf(name)
      .filter((specifier) => {
        if (specifier.startsWith('.'))
          return !names.has(path.posix.join(path.posix.dirname(name), specifier))
        const parts = specifier.split('/', specifier.startsWith('@') ? 2 : 1)
        return (
          !isBuiltin(specifier) && !/^k6(\/|$)/.test(specifier) && !packages.has(parts.join('/'))
        )
      })
      .map((specifier) => `${name} imports ${specifier}`),
  )
  expect(missing).toEqual([])
})

/** Half a megabyte: pictures, the changelog, and pages that commands can print too. */
const onlyInRepository = new Set([
  'CHANGELOG.md',
  'docs/reference/endpoints.md',
  'docs/reference/gaps.md',
  'docs/reference/malformations.md',
  'docs/reference/rules.md',
])
const isOnlyInRepository = (target: string): boolean =>
  onlyInRepository.has(target) || target.startsWith('docs/images/')

test('every page that it links to is in it', () => {
  const pages = [...names].filter((name) => name.endsWith('.md'))
  const missing = pages.flatMap((page) =>
    [...readFileSync(path.join(root, page), 'utf8').matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)]
      .map(([, target = '']) => path.posix.join(path.posix.dirname(page), target))
      .filter((target) => !isOnlyInRepository(target))
      .filter(
        (target) => ![...names].some((name) => name === target || name.startsWith(`${target}/`)),
      )
      .map((target) => `${page} links to ${target}`),
  )
  expect(missing).toEqual([])
})
