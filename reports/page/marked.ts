import { diffChars, diffWordsWithSpace } from 'diff'
import { escapeHtml } from '../html.ts'

/** Two texts as HTML, with what only one of them has marked. */

export interface Marked {
  readonly left: string
  readonly right: string
}

/** JSON in its usual layout, so that each member is on a separate line. */
const laidOutJson = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}

/** A status and its code may precede the body of an answer. */
const answer = /^(\d{3}(?:, code \d+)?) ([[{<][\s\S]*)$/

/** JSON and XML with each member or element on a separate line; other text as it is. */
const laidOut = (text: string): string => {
  const [, status, body] = answer.exec(text) ?? []
  if (status !== undefined && body !== undefined) return `${status}\n${laidOut(body)}`
  if (/^\s*[[{]/.test(text)) return laidOutJson(text)
  return /^\s*</.test(text) ? text.replaceAll(/>\s*</g, '>\n<') : text
}

/** Values without spaces of these lengths are compared letter by letter; shorter ones have nothing marked. */
const word = { min: 10, max: 80 } as const

/** The minimum share of equal text: below it, marking the differences does not help. */
const minSame = 0.3

export const marked = (left: string, right: string): Marked => {
  const [a, b] = [laidOut(left), laidOut(right)]
  const plain = { left: escapeHtml(a), right: escapeHtml(b) }
  if (a === '' || b === '' || a === b) return plain
  const single = ![a, b].some((text) => /\s/.test(text))
  const longest = Math.max(a.length, b.length)
  if (single && longest < word.min) return plain
  const oneWord = single && longest <= word.max
  const parts = oneWord ? diffChars(a, b) : diffWordsWithSpace(a, b)
  const same = parts
    .filter(({ added, removed }) => !added && !removed)
    .reduce((sum, { value }) => sum + value.trim().length, 0)
  if (same < minSame * longest) return plain
  const side = (own: 'added' | 'removed', other: 'added' | 'removed', tag: string): string =>
    parts
      .filter((part) => !part[other])
      .map((part) =>
        part[own] ? `<${tag}>${escapeHtml(part.value)}</${tag}>` : escapeHtml(part.value),
      )
      .join('')
  return { left: side('removed', 'added', 'del'), right: side('added', 'removed', 'ins') }
}
