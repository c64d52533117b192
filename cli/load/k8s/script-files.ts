import { readFileSync } from 'node:fs'
import path from 'node:path'

/** Files of a script and of everything that it imports by a relative path, from a folder. */
export const scriptFiles = (folder: string, script: string): readonly string[] => {
  const found = new Set<string>()
  const visit = (file: string): void => {
    if (found.has(file)) return
    found.add(file)
    const source = readFileSync(path.join(folder, file), 'utf8')
    for (const [, specifier = ''] of source.matchAll(/\bfrom\s*'(\.[^']+)'/g))
      visit(path.posix.join(path.posix.dirname(file), specifier))
  }
  visit(script)
  return [...found]
}
