import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { built } from './root.ts'

const specs = async (directory: string): Promise<string[]> => {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile() && /\.spec\.[jt]s$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !file.includes(`${path.sep}meta${path.sep}`))
}

/**
 * How many checks the suite has for each rule: counted from the text of the specs, since asking Playwright for
 * its list takes seconds and `assay list` is asked often.
 */
export const registeredChecks = async (): Promise<Map<string, number>> => {
  const counts = new Map<string, number>()
  for (const file of await specs(path.join(built, 'suites'))) {
    const text = await readFile(file, 'utf8')
    for (const [, id] of text.matchAll(/\brule\(\s*'([a-z0-9.-]+)'/g))
      if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return counts
}
