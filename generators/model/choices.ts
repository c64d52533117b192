import type { Model } from './state.ts'

/**
 * What the commands of a sequence chose among. A command draws a number, and what it stands for depends on what there
 * is; where other commands are left out, it shall be the same piece of the model nevertheless, if that is still there.
 */
export interface Choices {
  /** What was chosen: the command and the how manieth of its choices -> where the piece came from. */
  readonly made: ReadonlyMap<string, string>
  /** The command at this place of the sequence is asked, or made. */
  begin(place: number): void
  /** What is new in the model came from the command that has begun last. */
  note(model: Model): void
  /** The piece that a drawn number stands for. */
  pick<T>(from: readonly T[], drawn: number): T | undefined
}

const kinds = [
  'challenges',
  'tokens',
  'logins',
  'sessions',
  'invoices',
  'grants',
  'exports',
] as const

/**
 * The choices of one run of a sequence.
 * @param before those of the whole sequence, which are made again as far as they can be
 */
export const createChoices = (before: ReadonlyMap<string, string> = new Map()): Choices => {
  const origins = new Map<unknown, string>()
  const made = new Map<string, string>()
  let current = 0
  let choice = 0
  return {
    made,
    begin(place) {
      current = place
      choice = 0
    },
    note(model) {
      for (const party of model.parties) origins.set(party, party.name)
      for (const kind of kinds) {
        const fresh = (model[kind] as readonly unknown[]).filter((piece) => !origins.has(piece))
        for (const [at, piece] of fresh.entries()) origins.set(piece, `${kind} ${current} ${at}`)
      }
    },
    pick(from, drawn) {
      choice += 1
      const key = `${current} ${choice}`
      const wanted = before.get(key)
      const same = from.find((piece) => origins.get(piece) === wanted)
      // The latest stays the latest, whatever else is left out before it.
      const chosen = wanted === undefined ? from[drawn % from.length] : (same ?? from.at(-1))
      made.set(key, origins.get(chosen) ?? '')
      return chosen
    },
  }
}
