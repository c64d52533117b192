import type { Lifecycle } from '../../../contract/types.ts'
import type { Send } from '../../../lib/exchange.ts'
import { statedContext } from '../../../lib/node/target.ts'
import type { TargetContext } from '../../../lib/node/target.ts'
import { Inconclusive } from '../../../lib/outcome.ts'

/** Limits that a management port makes small. */
export type Sizes = Readonly<
  Partial<
    Record<
      'receipt.documentsPerPage' | 'exports.partBytes' | 'exports.invoices' | 'query.records',
      number
    >
  >
>

/** The management port of a reference. Explained in docs/guides/reference-service.md. */
export interface Management {
  /** Whether the clock stands still. */
  readonly frozen: boolean
  /** Whether anything but waiting was done since the last reset. */
  readonly touched: boolean
  /** Whether the rate limits were switched off. */
  readonly unlimited: boolean
  /** Unix milliseconds of the service's clock, as last reported, plus the time since then. */
  now(): number
  /** Advances the clock. */
  advance(ms: number): Promise<void>
  /** Sets the clock to an instant, Unix milliseconds. */
  set(instant: number): Promise<void>
  freeze(on: boolean): Promise<void>
  /** Back to the start: store, clock, limiter, mutants. */
  reset(): Promise<void>
  install(mutant: string): Promise<void>
  /** Begins to note which parts of the service are used, until the next reset. */
  record(): Promise<void>
  /** Places, decisions and limits that were used since. */
  used(): Promise<ReadonlySet<string>>
  setLimits(limits: unknown): Promise<void>
  /** Puts back the limits that were in force before they were first set. */
  restoreLimits(): Promise<void>
  /** Has the next piece of work of a lifecycle, or that of a reference number, end in a state of failure. */
  endNext(lifecycle: Lifecycle, code: number, subject?: string): Promise<void>
  /** Makes all work of a kind that starts from now on take this much longer. */
  delay(kind: string, ms: number): Promise<void>
  /** Has no work take longer any more. */
  restoreDelays(): Promise<void>
  /** Limits pages and packages to these sizes, by the names of their limits. */
  setSizes(sizes: Sizes): Promise<void>
  /** Puts back the sizes of the contract. */
  restoreSizes(): Promise<void>
  rotateKeys(usage: string, overlapMs: number): Promise<void>
  /** Makes a context with a service token and a certificate, at paths on the machine of the service. */
  createContext(): Promise<TargetContext>
  /** Lines of the journal after a sequence number. */
  journal(after: number): Promise<readonly Record<string, unknown>[]>
}

const seconds = (ms: number): string => `PT${(ms / 1000).toFixed(3)}S`

type Call = (method: string, path: string, body?: unknown) => Promise<string>

/** @throws {Inconclusive} from every call that is not answered with success */
const portAt =
  (send: Send, base: string): Call =>
  async (method, path, body) => {
    const response = await send({
      method,
      url: base + path,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = Buffer.from(response.body).toString()
    if (response.status >= 200 && response.status < 300) return text
    throw new Inconclusive(
      `management: ${method} ${path}`,
      `a success (2xx), got ${response.status}: ${text.slice(0, 300)}`,
    )
  }

const journalLines = (text: string): readonly Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

interface Turned {
  readonly now: string | number
  readonly frozen?: boolean
}

const usedParts = (text: string): ReadonlySet<string> =>
  new Set((JSON.parse(text) as { readonly used: readonly string[] }).used)

/** The kinds of work that were delayed, so that the delays can be reset. */
const delaysBy = (call: Call) => {
  const kinds = new Set<string>()
  return {
    next(kind: string, ms: number) {
      kinds.add(kind)
      return { [kind]: seconds(ms) }
    },
    async restore() {
      if (kinds.size === 0) return
      await call('PUT', '/delays', Object.fromEntries([...kinds].map((kind) => [kind, 0])))
      kinds.clear()
    },
    forget: () => kinds.clear(),
  }
}

/** Whether sizes were lowered, so that they can be restored. */
const sizesBy = (call: Call, touch: () => void) => {
  let isSet = false
  return {
    async setSizes(sizes: Sizes) {
      touch()
      isSet = true
      await call('PUT', '/sizes', sizes)
    },
    async restoreSizes() {
      if (isSet) await call('DELETE', '/sizes')
      isSet = false
    },
  }
}

/** The calls that only read. */
const readsBy = (call: Call): Pick<Management, 'used' | 'createContext' | 'journal'> => ({
  used: async () => usedParts(await call('GET', '/usage')),
  createContext: async () =>
    statedContext(JSON.parse(await call('POST', '/contexts', {})) as object),
  journal: async (after) => journalLines(await call('GET', `/journal?after=${after}`)),
})

/**
 * Speaks to a management port.
 * @throws {Inconclusive} from every call that is not answered with success
 */
export const createManagement = (
  send: Send,
  url: string,
  /** Called when the clock was set or everything was reset: earlier times no longer mean anything. */
  onLeap: () => void = () => {},
): Management => {
  const call = portAt(send, url.replace(/\/$/, ''))
  let offset = 0
  let touched = false
  let unlimited = false
  let limitsBefore: unknown
  const delays = delaysBy(call)
  let frozenAt: number | undefined

  const turn = async (body: unknown): Promise<void> => {
    const { now, frozen } = JSON.parse(await call('PUT', '/clock', body)) as Turned
    const instant = typeof now === 'number' ? now : Date.parse(now)
    offset = instant - Date.now()
    frozenAt = frozen === true ? instant : undefined
  }

  const change = async (method: string, path: string, body?: unknown): Promise<void> => {
    touched = true
    await call(method, path, body)
  }

  return {
    now: () => frozenAt ?? Date.now() + offset,
    advance: (ms) => turn({ advance: seconds(ms) }),
    get frozen() {
      return frozenAt !== undefined
    },
    get touched() {
      return touched
    },
    get unlimited() {
      return unlimited
    },
    async set(instant) {
      touched = true
      await turn({ set: new Date(instant).toISOString() })
      onLeap()
    },
    async freeze(on) {
      touched = true
      await turn({ freeze: on })
    },
    async reset() {
      await call('POST', '/reset')
      touched = false
      unlimited = false
      limitsBefore = undefined
      delays.forget()
      await turn({ advance: seconds(0) })
      onLeap()
    },
    install: (mutant) => change('PUT', `/mutants/${encodeURIComponent(mutant)}`),
    record: () => change('PUT', '/usage'),
    async setLimits(limits) {
      touched = true
      limitsBefore ??= (JSON.parse(await call('GET', '/')) as { limits?: unknown }).limits
      unlimited = limits === 'off'
      await call('PUT', '/limits', limits)
    },
    async restoreLimits() {
      if (limitsBefore === undefined) return
      await call('PUT', '/limits', limitsBefore)
      limitsBefore = undefined
      unlimited = false
      onLeap()
    },
    endNext: (lifecycle, code, subject) => change('POST', '/endings', { lifecycle, code, subject }),
    delay: (kind, ms) => change('PUT', '/delays', delays.next(kind, ms)),
    restoreDelays: () => delays.restore(),
    ...sizesBy(call, () => (touched = true)),
    rotateKeys: (usage, overlapMs) =>
      change('POST', '/keys/rotate', { usage, overlap: seconds(overlapMs) }),
    ...readsBy(call),
  }
}
