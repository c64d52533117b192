import { compilePair } from './schemas.ts'
import type { Pair } from './schemas.ts'
import { compare } from './verdict.ts'

/** A document, and how it was made. */
export interface Trial {
  made: string
  xml: string
  /** Its maker promises that it is valid. */
  valid?: boolean
}

export interface Disagreement extends Trial {
  own: string[]
  published: string[]
}

/** Few are enough to find the cause. */
const KEPT = 5

/** Asks both schemas about documents, and counts. */
export function tally(pair: Pair) {
  const schemas = compilePair(pair)
  const counts = { documents: 0, valid: 0, invalid: 0, malformed: 0, disagreements: 0 }
  const disagreements: Disagreement[] = []
  return {
    disagreements,
    add({ made, xml, valid = false }: Trial): void {
      counts.documents += 1
      const verdicts = compare(xml, schemas.own, schemas.published)
      if (verdicts === undefined) {
        counts.malformed += 1
        return
      }
      if (verdicts.published.length === 0) counts.valid += 1
      else counts.invalid += 1
      const { own, published } = verdicts
      const same = own.length === published.length && own.every((at, i) => at === published[i])
      if (same && !(valid && own.length > 0)) return
      counts.disagreements += 1
      if (disagreements.length < KEPT) {
        disagreements.push({
          made,
          xml: xml.slice(0, 5000),
          own: own.filter((place) => !published.includes(place)),
          published: published.filter((place) => !own.includes(place)),
        })
      }
    },
    summary(): string {
      const { documents, valid, invalid, malformed } = counts
      return (
        `${documents} documents (${valid} valid, ${invalid} invalid, ${malformed} not well-formed), ` +
        `${counts.disagreements} disagreements`
      )
    },
  }
}
