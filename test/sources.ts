// The project's own sources, for the tests that read them.

import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export type Source = {
  /** From the project's root, with slashes, such as `lib/node/xades.ts`. */
  path: string
  text: string
  /** What it imports: paths from the root for relative imports, otherwise the specifier. */
  imports: readonly string[]
}

const folders =
  'api contract lib generators lint reference suites load reports cli examples test'.split(' ')

/** The folder with the sources, or undefined in the published package, which has none. */
export const projectRoot = (): string | undefined => {
  for (let folder = path.dirname(fileURLToPath(import.meta.url)); ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'contract/types.ts'))) return folder
    if (folder === path.dirname(folder)) return undefined
  }
}

/** Every TypeScript file of the project below `root`, declarations aside. */
export const readSources = (root: string): Source[] => {
  const files = [
    ...readdirSync(root),
    ...folders
      .filter((folder) => existsSync(path.join(root, folder)))
      .flatMap((folder) =>
        readdirSync(path.join(root, folder), { encoding: 'utf8', recursive: true }).map((file) =>
          path.posix.join(folder, file.replaceAll(path.sep, '/')),
        ),
      ),
  ]
  return files
    .filter((file) => /(?<!\.d)\.ts$/.test(file) && !file.includes('node_modules/'))
    .toSorted()
    .map((file) => {
      const text = readFileSync(path.join(root, file), 'utf8')
      return { path: file, text, imports: importsOf(file, text) }
    })
}

// Statements at the start of a line, dynamic imports and requires of a literal; our formatter leaves no other form.
const importForms = [
  /^(?:import|export)\s+(?:type\s+)?[\w*{][^'"();=]*?\sfrom\s+'([^']+)'/gm,
  /^import\s+'([^']+)'/gm,
  /\bimport\('([^']+)'\)/g,
  /\bcreateRequire\(import\.meta\.url\)\('([^']+)'\)/g,
]

const importsOf = (file: string, text: string): string[] =>
  importForms
    .flatMap((form) => [...text.matchAll(form)].flatMap((match) => match[1] ?? []))
    .map((specifier) =>
      specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : specifier,
    )
