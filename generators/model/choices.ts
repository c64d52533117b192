const kinds = [
  'challenges',
  'tokens',
  'logins',
  'sessions',
  'invoices',
  'grants',
  'exports',
] as const

/** The parts of a model that commands choose from. */
type Pieces = Readonly<Record<(typeof kinds)[number], readonly unknown[]>> & {
  readonly parties: readonly { readonly name: string }[]
}

/**
 * What the commands of a sequence chose. A command draws a number; the piece that the number selects depends on the
 * pieces that exist. When other commands are removed from the sequence, the command selects the same piece as before
 * where that piece still exists.
 */
export interface Choices {
  /** Maps (command, choice index) to the origin of the piece that was chosen. */
  readonly made: ReadonlyMap<string, string>
  /** The command at this position of the sequence is checked or run. */
  begin(place: number): void
  /** Whatever is new in the model came from the command that began last. */
  note(model: Pieces): void
  /** The piece that a drawn number selects. */
  pick<T>(from: readonly T[], drawn: number): T | undefined
}

/**
 * The choices of one run of a sequence.
 * @param before the choices of the whole sequence, repeated where their pieces exist
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
        const fresh = model[kind].filter((piece) => !origins.has(piece))
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
