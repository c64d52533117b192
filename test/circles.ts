import type { Source } from './sources.ts'

/** Paths of imports that lead back to where they begin, each circle once. */
export function circles(files: readonly Source[]): string[] {
  const importsOf = new Map(files.map((source) => [source.path, source.imports]))
  const done = new Set<string>()
  const found: string[] = []
  const visit = (file: string, way: readonly string[]): void => {
    const from = way.indexOf(file)
    if (from >= 0) found.push([...way.slice(from), file].join(' -> '))
    if (from >= 0 || done.has(file)) return
    for (const next of importsOf.get(file) ?? []) {
      if (importsOf.has(next)) visit(next, [...way, file])
    }
    done.add(file)
  }
  for (const file of importsOf.keys()) visit(file, [])
  return found
}

/**
 * The same between the folders directly below a folder. Two folders can import each other through different files, so
 * that no file is part of a circle.
 */
export function folderCircles(files: readonly Source[], folder: string): string[] {
  const nameOf = (file: string) =>
    file.startsWith(folder) ? file.slice(0, file.indexOf('/', folder.length) + 1) : ''
  const names = new Set(files.map((file) => nameOf(file.path)).filter((name) => name !== ''))
  return circles(
    [...names].map((name) => ({
      path: name,
      text: '',
      imports: files
        .filter((file) => nameOf(file.path) === name)
        .flatMap(({ imports }) => imports.map(nameOf))
        .filter((other) => other !== name),
    })),
  )
}
