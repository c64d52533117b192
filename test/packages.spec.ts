import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { allowed, packageImports } from './imports.ts'
import { projectRoot, readSources } from './sources.ts'

/** Where each package enters. A package that is not here may not be imported at all. */
const packages: Readonly<Record<string, string[]>> = {
  'xml-crypto': ['lib/node/'],
  '@xmldom/xmldom': ['lib/node/'],
  'node-forge': ['lib/node/'],
  libxmljs2: ['lib/node/', 'cli/commands/doctor.ts', 'test/generators/'],
  ajv: ['lib/node/', 'test/'],
  'ajv-formats': ['lib/node/', 'test/'],
  fflate: ['lib/node/'],
  'http-proxy-agent': ['lib/node/'],
  'https-proxy-agent': ['lib/node/'],
  'proxy-from-env': ['lib/node/'],
  'jsonc-parser': ['lib/node/'],
  'fast-check': ['generators/', 'api/', 'test/'],
  '@playwright/test': ['suites/', 'test/', 'reports/', 'playwright.config.ts'],
  hono: ['reference/', 'test/'],
  '@hono/node-server': ['reference/', 'test/programs/bench/'],
  'fast-jwt': ['reference/'],
  'libxml2-wasm': ['reference/', 'test/'],
  '@peculiar/x509': ['reference/'],
  'reflect-metadata': ['reference/'],
  lmdb: ['reference/'],
  yauzl: ['reference/'],
  'tar-stream': ['reference/'],
  'allure-js-commons': ['reports/'],
  'junit-report-builder': ['reports/'],
  echarts: ['reports/charts/'],
  diff: ['reports/page/'],
  yargs: ['cli/', 'test/programs/'],
  k6: ['load/'],
  'ksef-client-ts': ['test/', 'examples/adapters/'],
  yaml: ['test/docs/', 'test/load/', 'test/programs/template-test/'],
}

/** Heavy packages that each enter through a single file of `lib/node`, so that they can be exchanged. */
const oneFileEach = ['xml-crypto', 'node-forge', 'libxmljs2', 'ajv', 'fflate']

const root = projectRoot()
const sources = root === undefined ? [] : readSources(root)

test.skip(root === undefined, 'the published package carries no sources')

test('every package enters where it is owned', () => {
  const violations = sources.flatMap((source) =>
    packageImports(source)
      .filter((name) => !allowed(packages[name] ?? [], source.path))
      .map((name) => `${source.path} imports ${name} (${packages[name]?.join(' ') ?? 'no owner'})`),
  )
  expect(
    violations,
    'Use the module that already wraps this package, or give the package an owner in `packages` (test/packages.spec.ts).',
  ).toEqual([])
})

test('every row of the table of packages is used', () => {
  const stale = Object.entries(packages).flatMap(([name, owners]) =>
    owners
      .filter(
        (owner) =>
          !sources.some(
            (source) => source.path.startsWith(owner) && packageImports(source).includes(name),
          ),
      )
      .map((owner) => `${name} in ${owner}`),
  )
  expect(stale, 'Remove it from `packages` (test/packages.spec.ts).').toEqual([])
})

for (const name of oneFileEach) {
  test(`${name} enters through one file`, () => {
    const files = sources
      .filter(({ path: file }) => file.startsWith('lib/node/'))
      .filter((source) => packageImports(source).includes(name))
      .map(({ path: file }) => file)
    expect(files, 'Let them share one wrapper in lib/node.').toHaveLength(1)
  })
}

test('tester and reference share no package', () => {
  const usedIn = (...starts: string[]) =>
    new Set(sources.filter(({ path: file }) => allowed(starts, file)).flatMap(packageImports))
  const tester = usedIn('lib/', 'generators/', 'lint/', 'suites/', '!suites/client/')
  const reference = usedIn('reference/')
  expect(
    [...tester].filter((name) => reference.has(name)),
    'A bug of a package on both sides would cancel itself out: the contract is all that they share. Give one side another implementation.',
  ).toEqual([])
})

test('every imported package is a dependency that the user gets', () => {
  const manifest = JSON.parse(
    readFileSync(path.join(root ?? '', 'package.json'), 'utf8'),
  ) as Record<string, Record<string, string> | undefined>
  const shipped = { ...manifest['dependencies'], ...manifest['optionalDependencies'] }
  const imported = new Set(
    sources
      .filter(({ path: file }) => !/^(?:load|test|examples)\//.test(file))
      .flatMap(packageImports),
  )
  expect(
    [...imported].filter((name) => !(name in shipped)),
    'Add it to `dependencies` in package.json.',
  ).toEqual([])
})
