import type { Malformation } from '../../../generators/faults/malformation.ts'

/** The results for the documents of one class. */
export interface Tried {
  readonly layer: string
  /** Id of the class, or what else was tried. */
  readonly id: string
  /** Documents that the class could be applied to, and that were judged. */
  readonly documents: number
  /** Documents that it could not be applied to, because they have nothing to break in that place. */
  readonly notApplicable: number
  readonly disagreements: readonly string[]
}

export interface SoakOptions {
  readonly seed: number
  /** Documents of each class. */
  readonly each: number
  /** Valid documents of each schema. */
  readonly valid: number
  /** Layers, ids or beginnings of ids; everything when empty. */
  readonly only: readonly string[]
  /** Which share of the classes, of how many: `[0, 2]` is the first half. */
  readonly share: readonly [number, number]
}

/** Whether a class is selected and belongs to this process. `place` is its index among all classes of its kind. */
export const isOurs = (
  { only, share: [part, parts] }: SoakOptions,
  { id, layer }: Pick<Malformation, 'id' | 'layer'>,
  place: number,
): boolean =>
  place % parts === part &&
  (only.length === 0 || only.some((each) => layer === each || id.startsWith(each)))

/** Few are enough to find the cause. */
const kept = 5

/** Counts the documents of one class. */
export function tried({ id, layer }: Pick<Malformation, 'id' | 'layer'>, name = id) {
  const counts = { documents: 0, notApplicable: 0 }
  const disagreements: string[] = []
  let dropped = 0
  return {
    count(complaint?: string): void {
      counts.documents += 1
      if (complaint === undefined) return
      if (disagreements.length < kept) disagreements.push(`${name}: ${complaint}`)
      else dropped += 1
    },
    complain(complaint: string): void {
      if (disagreements.length < kept) disagreements.push(`${name}: ${complaint}`)
      else dropped += 1
    },
    skip(): void {
      counts.notApplicable += 1
    },
    done(): Tried {
      const more = dropped > 0 ? [`${name}: and ${dropped} more`] : []
      return { layer, id, ...counts, disagreements: [...disagreements, ...more] }
    },
  }
}
