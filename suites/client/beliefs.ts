import { readFileSync } from 'node:fs'
import type { Belief } from './history.ts'

/**
 * What the client wrote about its documents, NDJSON: `{ document, outcome, number }` for what it issued, `{ received }`
 * for what it received. Undefined when it wrote no file; a line that is cut short is left out.
 */
export function readBeliefs(file: string): Belief[] | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
  return text.split('\n').flatMap((line): Belief[] => {
    if (line.trim() === '') return []
    let value: Readonly<Record<string, unknown>>
    try {
      value = JSON.parse(line) as Readonly<Record<string, unknown>>
    } catch {
      return []
    }
    const { document, outcome, number, received } = value
    if (typeof received === 'string')
      return [{ document: received, outcome: 'accepted', number: received }]
    if (typeof document !== 'string') return []
    return [
      {
        document,
        outcome: outcome === 'accepted' || outcome === 'rejected' ? outcome : 'unknown',
        ...(typeof number === 'string' && { number }),
      },
    ]
  })
}
