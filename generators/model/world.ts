import { isoDay } from '../../lib/local-time.ts'
import type { Client } from '../../lib/client.ts'
import type { Exchange } from '../../lib/exchange.ts'
import type { ExportStarted } from '../../lib/flows/export.ts'
import { contextKey, loginWithDocument, refreshAccess } from '../../lib/flows/login.ts'
import type { Challenge, Context, Login, Started } from '../../lib/flows/login.ts'
import type { PublicKey } from '../../lib/flows/keys.ts'
import { fetchKeys } from '../../lib/flows/keys.ts'
import type { OnlineSession } from '../../lib/flows/session.ts'
import { makeInvoice } from '../invoice/invoice.ts'
import type { ModelRule } from './rules.ts'
import type {
  ChallengeState,
  ExportState,
  GrantState,
  InvoiceState,
  LoginState,
  Party,
  SessionState,
  TokenState,
} from './state.ts'

/** The real identity behind a party of the model. */
export interface Actor extends Context {
  readonly nip: string
  /** A signed authentication request for the context. */
  document(challenge: string): Promise<string>
}

/** The identity of the model's person, and how it authenticates in the first context. */
interface Visitor {
  readonly subject: { readonly type: string; readonly value: string }
  readonly actor: Actor
}

/** What the target returned for a piece of the model. */
interface Handles {
  readonly challenges: Map<ChallengeState, Challenge>
  readonly started: Map<LoginState, Started>
  readonly tokens: Map<LoginState, { accessToken: string; readonly refreshToken: string }>
  readonly serviceTokens: Map<
    TokenState,
    { readonly referenceNumber: string; readonly token: string; readonly seen: string[] }
  >
  readonly sessions: Map<SessionState, OnlineSession>
  readonly invoices: Map<
    InvoiceState,
    { readonly referenceNumber: string; readonly bytes: Uint8Array }
  >
  readonly grants: Map<GrantState, string>
  readonly exports: Map<ExportState, ExportStarted>
}

export interface WorldOptions {
  readonly client: Client
  /** One for each context of the model. */
  readonly owners: readonly Actor[]
  readonly visitor?: Visitor
  /** Moves the clock forward by milliseconds, where the target allows it. */
  readonly advance?: (ms: number) => Promise<void>
  /** Nothing happens at the target unless the clock moves: what is pending stays so until then. */
  readonly still: boolean
  /** Nothing is limited or counted: everything may be looked at after every step. */
  readonly unlimited: boolean
  /** Other clients work in the contexts too: what the sequence did not make may be theirs. */
  readonly shared?: boolean
  /** Beginning of every invoice number of the sequence. */
  readonly series: string
  readonly confirms: (gap: string) => boolean
}

/** The target, as a sequence of commands works on it. */
export interface World extends WorldOptions {
  readonly handles: Handles
  /** How often each rule was compared. */
  readonly judged: Map<ModelRule, number>
  /** Steps that were made, as a report shows them. */
  readonly steps: string[]
  readonly keys: () => Promise<readonly PublicKey[]>
  readonly actorOf: (party: Party) => Actor
  /** A client with the access token of a login. */
  readonly as: (login: LoginState) => Client
  /** A client for the owner of a context that is none of the model's logins: it reads, and changes nothing. */
  readonly observer: (context: number) => Promise<Client>
  /** The issue date of its invoices. */
  readonly day: string
  /** The next number of a seller; another seller's has the same. */
  readonly nextNumber: (seller: number) => string
  readonly invoiceBytes: (wanted: WantedInvoice) => Uint8Array
}

interface WantedInvoice {
  readonly seller: number
  readonly buyer: number
  readonly number: string
  readonly kind: 'VAT' | 'UPR'
  readonly broken: boolean
  /** Issued by another party in the name of the seller. */
  readonly byAgent: boolean
}

const placeholder = 'NUMBER-OF-THE-INVOICE'
const templates = new Map<string, string>()

/** A valid invoice with a number to fill in; made once, because only number and marks differ in a sequence. */
const templateOf = (
  seller: string,
  buyer: string | undefined,
  day: string,
  kind: string,
): string => {
  const key = [seller, buyer, day, kind].join(' ')
  const known = templates.get(key)
  if (known !== undefined) return known
  if (templates.size > 500) templates.clear()
  const bytes = makeInvoice(
    {
      profile: 'services',
      lines: 1,
      seller,
      number: placeholder,
      issueDate: day,
      kind: kind as 'VAT',
      ...(buyer === undefined ? {} : { buyer }),
    },
    1,
  )
  const text = new TextDecoder().decode(bytes)
  templates.set(key, text)
  return text
}

const aheadMs = 60_000

/** A login that may read everything of a context, and is kept separate from those of the model. */
const createObserver = (client: Client, owner: Actor): (() => Promise<Client>) => {
  let login: Login | undefined
  let until = 0
  const identity = () => ({ bearer: login?.accessToken ?? '', context: contextKey(owner) })
  return async () => {
    const now = client.now()
    if (login !== undefined && now + aheadMs < until) return client.with(identity())
    if (login !== undefined && now + aheadMs < (login.refreshValidUntil ?? 0)) {
      const { accessToken, accessValidUntil } = await refreshAccess(client, login.refreshToken)
      login = { ...login, accessToken, accessValidUntil }
    } else {
      login = await loginWithDocument(client, { sign: (challenge) => owner.document(challenge) })
    }
    until = login.accessValidUntil ?? now
    return client.with(identity())
  }
}

/** A target at which a sequence has not begun yet. */
export const createWorld = (options: WorldOptions): World => {
  const { client, owners, visitor, advance } = options
  const day = isoDay(client.now())
  const observers = owners.map((owner) => createObserver(client, owner))
  const handles: Handles = {
    challenges: new Map(),
    started: new Map(),
    tokens: new Map(),
    serviceTokens: new Map(),
    sessions: new Map(),
    invoices: new Map(),
    grants: new Map(),
    exports: new Map(),
  }
  const numbers = new Map<number, number>()
  let keys: readonly PublicKey[] | undefined
  // A key may be replaced meanwhile, as a check before the sequence may have planned.
  const pass = async (ms: number): Promise<void> => {
    await advance?.(ms)
    keys = undefined
  }

  const actorOf = ({ owner, context }: Party): Actor => {
    const actor = owner ? owners[context] : visitor?.actor
    if (actor === undefined) throw new Error('no actor represents this party')
    return actor
  }

  return {
    ...options,
    ...(advance && { advance: pass }),
    handles,
    judged: new Map(),
    steps: [],
    keys: async () => (keys ??= await fetchKeys(client)),
    actorOf,
    as: (login) =>
      client.with({
        bearer: handles.tokens.get(login)?.accessToken ?? '',
        context: contextKey(actorOf(login.party)),
      }),
    observer: (context) => {
      const observer = observers[context]
      if (observer === undefined) throw new Error(`there is no context ${context}`)
      return observer()
    },
    day,
    nextNumber: (seller) => {
      const number = (numbers.get(seller) ?? 0) + 1
      numbers.set(seller, number)
      return `${options.series}/${number}`
    },
    invoiceBytes({ seller, buyer: bought, number, kind, broken, byAgent }) {
      const nip = owners[seller]?.nip ?? ''
      const buyer = bought === seller ? undefined : owners[bought]?.nip
      let text = templateOf(nip, buyer, day, kind).replace(placeholder, number)
      if (byAgent) text = text.replace('<P_17>2<', '<P_17>1<')
      if (broken) text = text.replace(/<P_15>[^<]*</, '<P_15>much<')
      return new TextEncoder().encode(text)
    },
  }
}

/** The code of a status record, or undefined. */
export const codeOf = (exchange: Exchange): number | undefined => {
  const { status } = (exchange.body ?? {}) as { status?: { code?: unknown } }
  return typeof status?.code === 'number' ? status.code : undefined
}
