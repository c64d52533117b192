/** Sets of characters as the regular expressions of XML Schema write them. */
export type CharSet =
  | { readonly kind: 'range'; readonly from: number; readonly to: number }
  /** The inside of a JavaScript character class. */
  | { readonly kind: 'class'; readonly inside: string }
  | { readonly kind: 'union'; readonly of: readonly CharSet[] }
  | { readonly kind: 'not'; readonly of: CharSet }
  | { readonly kind: 'minus'; readonly of: CharSet; readonly without: CharSet }

const singles: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9 }

/** The code point of an escape of one character, such as `\.`; undefined for classes. */
export function singleEscape(char: string): number | undefined {
  const named = singles[char]
  if (named !== undefined) return named
  return /^[\\|.?*+(){}\-[\]^]$/.test(char) ? char.codePointAt(0) : undefined
}

export function isNormalChar(char: string): boolean {
  return !/^[.\\?*+{}()[\]|]$/.test(char)
}

// The schema language follows the first editions of XML, whose names take letters only, none beyond the BMP.
const nameStart = String.raw`A-Z_a-z:\u{C0}-\u{D6}\u{D8}-\u{F6}\u{F8}-\u{2FF}\u{370}-\u{37D}\u{37F}-\u{1FFF}\u{3005}-\u{D7FF}`
const nameMore = String.raw`${nameStart}\-.0-9\u{B7}\u{300}-\u{36F}\u{203F}-\u{2040}`

const classes: Readonly<Record<string, string>> = {
  d: String.raw`\p{Nd}`,
  s: String.raw` \t\n\r`,
  i: nameStart,
  c: nameMore,
}

const blocks: Readonly<Record<string, string>> = {
  IsBasicLatin: String.raw`\u{0}-\u{7F}`,
  'IsLatin-1Supplement': String.raw`\u{80}-\u{FF}`,
  'IsLatinExtended-A': String.raw`\u{100}-\u{17F}`,
  'IsLatinExtended-B': String.raw`\u{180}-\u{24F}`,
  IsGreek: String.raw`\u{370}-\u{3FF}`,
  IsCyrillic: String.raw`\u{400}-\u{4FF}`,
}

const not = (of: CharSet): CharSet => ({ kind: 'not', of })

/** `\d`, `\P{L}` and so on; undefined for what is not known. */
export function classEscape(char: string, property: string | undefined): CharSet | undefined {
  if (char === '.') return not({ kind: 'class', inside: String.raw`\n\r` })
  if (char === 'w') return not({ kind: 'class', inside: String.raw`\p{P}\p{Z}\p{C}` })
  if (char === 'W') return { kind: 'class', inside: String.raw`\p{P}\p{Z}\p{C}` }
  if (char === 'p' || char === 'P') {
    const name = property ?? ''
    const inside = blocks[name] ?? (/^[A-Z][a-z]?$/.test(name) ? `\\p{${name}}` : undefined)
    if (inside === undefined) return undefined
    return char === 'p' ? { kind: 'class', inside } : not({ kind: 'class', inside })
  }
  const positive = classes[char.toLowerCase()]
  if (positive === undefined) return undefined
  const set: CharSet = { kind: 'class', inside: positive }
  return char === char.toLowerCase() ? set : not(set)
}

const point = (code: number) => `\\u{${code.toString(16)}}`

/** A JavaScript expression (flag `u`) that matches one character of the set. */
export function setSource(set: CharSet): string {
  switch (set.kind) {
    case 'range':
      return set.from === set.to ? point(set.from) : `[${point(set.from)}-${point(set.to)}]`
    case 'class':
      return `[${set.inside}]`
    case 'union':
      return set.of.length === 1 ? setSource(set.of[0]!) : `(?:${set.of.map(setSource).join('|')})`
    case 'not':
      return `(?!${setSource(set.of)})[^]`
    case 'minus':
      return `(?!${setSource(set.without)})${setSource(set.of)}`
  }
}
