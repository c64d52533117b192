/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
const distance = (from: string, to: string): number => {
  let before: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1]
      let lowest = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1])
        lowest = Math.min(lowest, before[j - 2]! + 1)
      next.push(lowest)
    }
    before = row
    row = next
  }
  return row[to.length]!
}

/** The known word that was probably meant; undefined where none is close. */
const nearest = (word: string, known: Iterable<string>): string | undefined => {
  let best: { readonly word: string; readonly away: number } | undefined
  for (const candidate of known) {
    const away = distance(word.toLowerCase(), candidate.toLowerCase())
    const close = away <= Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3))
    if (close && (best === undefined || away < best.away)) best = { word: candidate, away }
  }
  return best?.word
}

/** `; did you mean "check"?`, or nothing. */
export const didYouMean = (word: string, known: Iterable<string>, prefix = ''): string => {
  const meant = nearest(word, known)
  return meant === undefined ? '' : ` Did you mean ${prefix}${meant}?`
}
