import type { Instant } from './clock.ts'

/**
 * What happened, one entry after the other, numbered: every exchange (redacted), decision and change of state.
 * The input of the examination of clients. Entries are data, kept up to a bound; the oldest go first.
 */
export interface JournalEntry {
  /** From 1, without gaps. */
  readonly sequence: number
  readonly at: Instant
  readonly kind: 'exchange' | 'decision' | 'state' | 'management' | 'broken'
  readonly [field: string]: unknown
}

export interface Journal {
  /** Adds an entry; secrets in its fields are redacted first. */
  add(kind: JournalEntry['kind'], fields: Readonly<Record<string, unknown>>): void
  /** Entries with a number above `sequence`. */
  after(sequence: number): readonly JournalEntry[]
  /** Calls back for every entry to come, until the returned function is called. */
  follow(listener: (entry: JournalEntry) => void): () => void
  readonly last: number
  clear(): void
}

const secret =
  /^(authorization|token|accesstoken|refreshtoken|authenticationtoken|encryptedtoken|encryptedsymmetrickey|cookie|key|privatekey)$/i
const bulky = /^(encryptedinvoicecontent|certificate|csr)$/i

/** Whoever has the signature of an address may follow it: in the query, or behind the reference number. */
const signature = /([?&]sig=|(?:^|\/)[\dA-Z-]{36}\.)[^&/?\s"]+/g
/** What `login` gives out; a pipe stands in no other text. */
const bearer = /eyJ[\w-]{5,}\.[\w-]+\.[\w-]*|\|[0-9a-f]{64}/g

/** A copy without secrets: tokens and keys become `***`, long contents their length. */
export const redact = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') {
    if (value.length > 4000) return `(${value.length} characters)`
    if (value.length < 40 && !value.includes('sig=')) return value
    return value.replace(signature, '$1***').replace(bearer, '***')
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth > 12) return '(deep)'
  if (value instanceof Uint8Array) return `(${value.length} bytes)`
  if (Array.isArray(value)) {
    const shown = value.slice(0, 100).map((item) => redact(item, depth + 1))
    return value.length > 100 ? [...shown, `(${value.length - 100} more)`] : shown
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      if (secret.test(name) && typeof item === 'string') return [name, '***']
      if (bulky.test(name) && typeof item === 'string') return [name, `(${item.length} characters)`]
      return [name, redact(item, depth + 1)]
    }),
  )
}

/** A journal in memory that keeps the newest `bound` entries. */
export const createJournal = (now: () => Instant, bound = 100_000): Journal => {
  let entries: JournalEntry[] = []
  let last = 0
  const listeners = new Set<(entry: JournalEntry) => void>()
  return {
    add(kind, fields) {
      const entry: JournalEntry = {
        ...(redact(fields) as Record<string, unknown>),
        sequence: ++last,
        at: now(),
        kind,
      }
      entries.push(entry)
      if (entries.length > bound + bound / 10) entries = entries.slice(-bound)
      for (const listener of listeners) listener(entry)
    },
    after(sequence) {
      const first = entries[0]?.sequence ?? last + 1
      return entries.slice(Math.max(0, sequence + 1 - first))
    },
    follow(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    get last() {
      return last
    },
    clear() {
      entries = []
    },
  }
}
