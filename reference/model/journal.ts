import type { Instant } from '../base/instants.ts'

/**
 * A numbered log of every exchange (redacted), decision and change of state. The examination of clients reads it. The
 * number of entries and their total size are bounded; the oldest are dropped first.
 */
export interface JournalEntry {
  /** From 1, without gaps. */
  readonly sequence: number
  readonly at: Instant
  readonly kind: 'exchange' | 'decision' | 'state' | 'management' | 'broken'
  readonly [field: string]: unknown
}

export interface Journal {
  /**
   * Adds an entry. Secrets are removed when an entry is read, because most entries are never read. The caller must not
   * change the fields afterwards, and shortens long values itself (`redact`).
   * @param weight size of an entry that has more than a few short fields (`weightOf`)
   */
  add(kind: JournalEntry['kind'], fields: object, weight?: number): void
  /** Entries with a number above `sequence`. */
  after(sequence: number): readonly JournalEntry[]
  /** Calls `listener` for every new entry until the returned function is called. */
  follow(listener: (entry: JournalEntry) => void): () => void
  /** Number of the newest entry. */
  last(): number
  clear(): void
}

const secret =
  /^(authorization|token|accesstoken|refreshtoken|authenticationtoken|encryptedtoken|encryptedsymmetrickey|cookie|key|privatekey)$/i
const bulky = /^(encryptedinvoicecontent|certificate|csr)$/i

/** The signature of a link, which grants access: in the query, or after the reference number. */
const signature = /([?&]sig=|(?:^|\/)[\dA-Z-]{36}\.)[^&/?\s"]+/g
/** Tokens that a login returns; no other text contains a pipe. */
const bearer = /eyJ[\w-]{5,}\.[\w-]+\.[\w-]*|\|[0-9a-f]{64}/g

const shortened = /^\(\d+ characters\)$/

/** More fields than any body of the contract has; further ones are not kept. */
const maxFields = 200

type Nature = 'secret' | 'bulky' | 'plain'

/** Field names repeat in every entry, so each is classified once. */
const natures = new Map<string, Nature>()

const natureOf = (name: string): Nature => {
  const known = natures.get(name)
  if (known !== undefined) return known
  const nature = secret.test(name) ? 'secret' : bulky.test(name) ? 'bulky' : 'plain'
  // Callers can invent names: the cache is bounded.
  if (natures.size > 2000) natures.clear()
  natures.set(name, nature)
  return nature
}

const shownText = (text: string, nature: Nature): string => {
  if (nature === 'secret') return '***'
  if (nature === 'bulky' || text.length > 4000)
    // Shortened already where it was long in a request.
    return shortened.test(text) ? text : `(${text.length} characters)`
  if (text.length < 40 && !text.includes('sig=')) return text
  return text.replace(signature, '$1***').replace(bearer, '***')
}

/** A copy without secrets: tokens and keys become `***`, long contents their length. */
export const redact = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return shownText(value, 'plain')
  if (typeof value !== 'object' || value === null) return value
  if (depth > 12) return '(deep)'
  if (value instanceof Uint8Array) return `(${value.length} bytes)`
  if (Array.isArray(value)) {
    const shown = value.slice(0, 100).map((item) => redact(item, depth + 1))
    return value.length > 100 ? [...shown, `(${value.length - 100} more)`] : shown
  }
  const names = Object.keys(value)
  if (names.length <= maxFields) return redactFields(value, depth)
  const fields = value as Readonly<Record<string, unknown>>
  return redactFields(
    {
      ...Object.fromEntries(names.slice(0, maxFields).map((name) => [name, fields[name]])),
      '(more)': names.length - maxFields,
    },
    depth,
  )
}

/** A copy by spreading keeps the form of the object, which makes it several times as quick as one built up. */
const redactFields = <T extends object>(fields: T, depth: number): T => {
  const shown = { ...fields } as Record<string, unknown>
  for (const name of Object.keys(shown)) {
    const item = shown[name]
    if (typeof item === 'string') {
      const kept = shownText(item, natureOf(name))
      if (kept !== item) shown[name] = kept
    } else if (typeof item === 'object' && item !== null) shown[name] = redact(item, depth + 1)
  }
  return shown as T
}

/** About the memory of a value, bytes. */
export const weightOf = (value: unknown): number => {
  if (typeof value === 'string') return 24 + value.length
  if (typeof value !== 'object' || value === null) return 8
  if (value instanceof Uint8Array) return value.length
  let weight = 24
  for (const name in value)
    weight += 16 + name.length + weightOf((value as Record<string, unknown>)[name])
  return weight
}

interface Kept {
  readonly sequence: number
  readonly at: Instant
  readonly kind: JournalEntry['kind']
  readonly fields: object
  readonly weight: number
}

const read = ({ sequence, at, kind, fields }: Kept): JournalEntry => ({
  ...redactFields(fields, 0),
  sequence,
  at,
  kind,
})

/** How many of the newest entries, counted from the end, weigh no more than `most`. */
const lighter = (entries: readonly Kept[], max: number): number => {
  let count = 0
  for (let weight = 0; count < entries.length; count++) {
    weight += entries[entries.length - 1 - count]!.weight
    if (weight > max) break
  }
  return count
}

/** A journal in memory that keeps the newest entries: at most `bound`, with at most `mostWeight` bytes in them. */
export const createJournal = (
  now: () => Instant,
  bound = 100_000,
  mostWeight = 100_000_000,
): Journal => {
  let entries: Kept[] = []
  let last = 0
  let held = 0
  const listeners = new Set<(entry: JournalEntry) => void>()
  return {
    add(kind, fields, weight = 0) {
      const entry: Kept = { sequence: ++last, at: now(), kind, fields, weight }
      entries.push(entry)
      held += weight
      if (entries.length > bound + bound / 10 || held > mostWeight) {
        const keep = Math.min(bound, lighter(entries, mostWeight / 2))
        entries = keep === 0 ? [] : entries.slice(-keep)
        held = entries.reduce((sum, one) => sum + one.weight, 0)
      }
      if (listeners.size === 0) return
      const shown = read(entry)
      for (const listener of listeners) listener(shown)
    },
    after(sequence) {
      const first = entries[0]?.sequence ?? last + 1
      return entries.slice(Math.max(0, sequence + 1 - first)).map(read)
    },
    follow(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    last: () => last,
    clear() {
      entries = []
      held = 0
    },
  }
}
