import { isBuiltin } from 'node:module'
import type { Source } from './sources.ts'

/** Whether an import names a file of the project, not a package and none of Node's modules. */
export const isPath = (specifier: string): boolean =>
  /\.ts$|\.json$/.test(specifier) && !isBuiltin(specifier)

const packageOf = (specifier: string) =>
  specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')

/** The packages that a file imports. */
export const packageImports = (source: Source): string[] =>
  source.imports.filter((name) => !isPath(name) && !isBuiltin(name)).map(packageOf)

/** Whether a path begins with one of these prefixes, and with none that `!` excludes. */
export const allowed = (prefixes: readonly string[], path: string): boolean =>
  prefixes.some((prefix) => !prefix.startsWith('!') && path.startsWith(prefix)) &&
  !prefixes.some((prefix) => prefix.startsWith('!') && path.startsWith(prefix.slice(1)))
