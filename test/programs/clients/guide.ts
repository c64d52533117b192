import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** The guide that has the table of clients, between two marks. */

export const guide = 'docs/guides/connect-a-client.md'
export const marks = ['<!-- clients: begin -->', '<!-- clients: end -->'] as const

/**
 * Replaces the table.
 * @param change is given what is between the marks
 */
export const rewriteTable = (root: string, change: (before: string) => string): void => {
  const file = path.join(root, guide)
  const text = readFileSync(file, 'utf8')
  const begin = text.indexOf(marks[0])
  const end = text.indexOf(marks[1])
  if (begin < 0 || end < begin) throw new Error(`${guide} lacks the marks ${marks.join(' and ')}`)
  const table = change(text.slice(begin + marks[0].length, end))
  writeFileSync(file, `${text.slice(0, begin)}${marks[0]}\n\n${table}\n\n${text.slice(end)}`)
}
