import { isBuiltin } from 'node:module'
import { expect, test } from '@playwright/test'
import { circles, folderCircles } from './circles.ts'
import { allowed, isPath } from './imports.ts'
import { projectRoot, readSources } from './sources.ts'
import type { Source } from './sources.ts'

interface Layer {
  readonly files: readonly string[]
  readonly may: readonly string[]
  readonly builtins?: true
}

/** A row for each folder of a folder: it may import itself and the ones after it. */
const inside = (folder: string, may: readonly string[], names: readonly string[]): Layer[] =>
  names.map((name, i) => ({
    files: [`${folder}${name}/`],
    may: [...may, ...names.slice(i).map((each) => `${folder}${each}/`)],
    builtins: true,
  }))

/**
 * Who may import whom. A path belongs to the first row that lists a prefix of it in `files`. `may` lists prefixes of
 * the paths that it may import, `!` excludes; `builtins` allows Node's own modules. Arrows point towards `contract`.
 */
const layers: readonly Layer[] = [
  { files: ['contract/'], may: ['contract/'] },
  { files: ['lib/node/'], may: ['contract/', 'lib/'], builtins: true },
  { files: ['lib/'], may: ['contract/', 'lib/', '!lib/node/'] },
  ...inside(
    'generators/',
    ['contract/', 'lib/'],
    ['corpus', 'faults', 'requests', 'invoice', 'schema', 'draw'],
  ),
  {
    files: ['generators/model/'],
    may: ['contract/', 'lib/', 'generators/invoice/', 'generators/model/'],
    builtins: true,
  },
  {
    files: ['lint/'],
    may: ['contract/', 'lib/', '!lib/node/', 'generators/invoice/', 'generators/schema/', 'lint/'],
    builtins: true,
  },
  ...inside(
    'reference/',
    // It derives its own schemas of a dialect: tester and reference share rows, not derivations.
    ['contract/', '!contract/wire-schemas.ts'],
    [
      'server',
      'service',
      // What is above may be broken by mutants and knows them; what is below does not.
      'mutants',
      'handlers',
      // The domain: first what works with the service, below `call` what the service consists of.
      'invoices',
      'certificates',
      'login',
      'rights',
      'call',
      'verification',
      'keys',
      'rates',
      'policy',
      'model',
      // Mechanisms, which know no domain.
      'http',
      'xml',
      'time',
      'base',
    ],
  ),
  {
    files: ['suites/support/service/target.ts', 'suites/client/'],
    may: ['contract/', 'lib/', 'generators/', 'suites/', 'reference/', 'reports/', 'cli/', 'load/'],
    builtins: true,
  },
  ...inside(
    'suites/support/',
    ['contract/', 'lib/', 'generators/'],
    [
      // What checks have happen, with everything below.
      'scenes',
      'harness',
      'cleanup',
      'callers',
      'steps',
      'documents',
      // What is right: of answers by themselves, and of what a run has shown.
      'judging',
      'coverage',
      'service',
      'run',
      'checks',
      'answers',
    ],
  ),
  {
    files: ['suites/'],
    may: ['contract/', 'lib/', 'generators/', 'suites/'],
    builtins: true,
  },
  { files: ['load/engine.ts'], may: ['contract/', 'lib/', 'load/'], builtins: true },
  { files: ['load/'], may: ['contract/', 'lib/', '!lib/node/', 'load/', '!load/engine.ts'] },
  { files: ['reports/'], may: ['contract/', 'lib/', 'load/trace/', 'reports/'], builtins: true },
  { files: ['examples/'], may: ['contract/', 'lib/', 'examples/'], builtins: true },
  {
    files: ['api/'],
    may: ['contract/', 'lib/', 'generators/', 'reference/', 'api/'],
  },
  {
    files: ['cli/', 'test/', 'playwright.config.ts'],
    may: [''],
    builtins: true,
  },
]

const root = projectRoot()
const sources = root === undefined ? [] : readSources(root)

test.skip(root === undefined, 'the published package carries no sources')

const layerOf = (file: string) =>
  layers.find(({ files }) => files.some((start) => file.startsWith(start)))

/** Where imports go in one direction only. The folders with rows of their own are compared with each other too. */
const circlesIn = {
  'the whole tree': circles(sources),
  'the folders of generators/': folderCircles(sources, 'generators/'),
  'the folders of reference/': folderCircles(sources, 'reference/'),
  'the folders of suites/support/': folderCircles(sources, 'suites/support/'),
}

test('the scan finds sources and imports', () => {
  expect(sources.length).toBeGreaterThan(50)
  expect(sources.flatMap(({ imports }) => imports).length).toBeGreaterThan(100)
})

/** Imports of a file that its layer may not have. */
const againstDirection = ({ path: file, imports }: Source): string[] => {
  const layer = layerOf(file)
  if (!layer) return [`${file} is in no layer`]
  return imports
    .filter((name) =>
      isBuiltin(name) ? !layer.builtins : isPath(name) && !allowed(layer.may, name),
    )
    .map((name) => `${file} imports ${name}; it may import ${layer.may.join(' ')}`)
}

test('every file lies in a layer and imports only what its layer may', () => {
  expect(
    sources.flatMap(againstDirection),
    'Move the code to the layer that may do this, or pass the value in as an argument. A new arrow needs a row in `layers` (test/layers.spec.ts) and its reason in docs/decisions/.',
  ).toEqual([])
})

test('the table is printed, with what was found', () => {
  const rows = layers.map((row) => {
    const files = sources.filter(({ path: file }) => layerOf(file) === row)
    const wrong = files.flatMap(againstDirection).length
    return `${String(files.length).padStart(5)} ${String(wrong).padStart(8)}  ${row.files.join(' ')}`
  })
  const found = Object.entries(circlesIn).map(
    ([where, ways]) => `${ways.length} circles in ${where}`,
  )
  process.stdout.write(`${['files  against', ...rows, ...found].join('\n')}\n`)
  expect(rows.length).toBeGreaterThan(10)
})

test('every row of the table matches files', () => {
  const paths = sources.map(({ path: file }) => file)
  const stale = layers.flatMap((row) =>
    [...row.files, ...row.may.map((start) => start.replace(/^!/, ''))].filter(
      (start) => !paths.some((file) => file.startsWith(start)),
    ),
  )
  const shadowed = layers
    .filter((row) => !paths.some((file) => layerOf(file) === row))
    .map(({ files }) => files.join(' '))
  expect(
    [...stale, ...shadowed],
    'Remove from `layers` (test/layers.spec.ts) what no file begins with.',
  ).toEqual([])
})

for (const [where, ways] of Object.entries(circlesIn)) {
  test(`no circles in ${where}, imports of types included`, () => {
    expect(
      ways,
      'Move what both need into a third one below them, or pass it in as an argument.',
    ).toEqual([])
  })
}
