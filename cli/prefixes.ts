/** Ids, and every prefix of theirs that ends before a dot: what a selector may be. */
export const prefixesOf = (ids: readonly string[]): string[] => [
  ...new Set(
    ids.flatMap((id) => id.split('.').map((_, at, parts) => parts.slice(0, at + 1).join('.'))),
  ),
]
