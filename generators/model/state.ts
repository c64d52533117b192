import type { RefusalId } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Permission } from '../../contract/types.ts'
import type { Choices } from './choices.ts'
import type { ModelRule } from './rules.ts'

/**
 * The service as a state model: what there is, and what must become of it. Pure data and pure functions; what the
 * target really returned (references, tokens, keys) is kept by the world, under these very objects.
 */

/** Who acts: the owner of a context, or a person who has nothing but what the owner of the first context grants. */
export interface Party {
  readonly name: string
  /** Place of the context among those of the model. */
  readonly context: number
  readonly owner: boolean
}

export interface ChallengeState {
  /** Unix milliseconds of the target's clock, like every instant of the model. */
  readonly givenAt: number
  spent: boolean
}

/** A service token that an owner made; it may do what invoices need. */
export interface TokenState {
  readonly party: Party
  revoked: boolean
}

export interface LoginState {
  readonly party: Party
  /** The service token that opened it, where one did. */
  readonly token?: TokenState
  readonly startedAt: number
  /** Until when the authentication token holds. */
  readonly tokenUntil: number
  /** Whether it must succeed. */
  readonly succeeds: boolean
  /** Status codes in the order in which they were seen. */
  readonly seen: number[]
  redeemed: boolean
  revoked: boolean
  /** End of the access token; of the refresh token, at the latest. */
  accessUntil: number
  refreshUntil: number
  /** Whether the target states the end of the refresh token; else that may come earlier. */
  refreshStated: boolean
}

export interface SessionState {
  readonly kind: 'onlineSession' | 'batchSession'
  readonly party: Party
  readonly openedAt: number
  /** When it closes by itself; undefined when the target does not say. */
  readonly validUntil: number | undefined
  readonly seen: number[]
  closed: boolean
}

/** In which role a context is named in an invoice: as its seller or as its buyer. */
export type Role = 'subject1' | 'subject2'

/** What an invoice must end as, and the rule that says so. */
export type Expected = { readonly rule: ModelRule } & (
  | { readonly ends: 'accepted' }
  | { readonly ends: 'rejected'; readonly as: readonly RefusalId[] }
)

export interface InvoiceState {
  readonly session: SessionState
  /** Place of the context in whose name it is issued. */
  readonly seller: number
  /** Place of the context that it is issued to. */
  readonly buyer: number
  readonly number: string
  readonly kind: 'VAT' | 'UPR'
  readonly broken: boolean
  /** When it was sent. */
  readonly sentAt: number
  readonly expected: Expected
  /** The accepted one that it repeats. */
  readonly original: InvoiceState | undefined
  readonly seen: number[]
  settled: boolean
  svcNumber: string | undefined
  /** Its latest receipt link. */
  link: { readonly url: string; readonly until: number } | undefined
}

export interface GrantState {
  readonly permission: Permission
  revoked: boolean
}

export interface ExportState {
  readonly party: Party
  readonly role: Role
  readonly askedAt: number
  /** What the package must hold. */
  readonly holds: readonly InvoiceState[]
  readonly seen: number[]
  /** When the package expires; undefined until it is ready. */
  expiresAt: number | undefined
}

export interface Model {
  /** What commands choose among pieces of the model. */
  readonly choices: Choices
  /** The target's clock at the last step. */
  now: number
  /** Whether the clock can be set. */
  readonly clock: boolean
  /** When the sequence began. */
  readonly began: number
  readonly parties: readonly Party[]
  readonly challenges: ChallengeState[]
  readonly tokens: TokenState[]
  readonly logins: LoginState[]
  readonly sessions: SessionState[]
  readonly invoices: InvoiceState[]
  readonly grants: GrantState[]
  /** Contexts that may invoice for the first one. */
  readonly agents: Set<number>
  readonly exports: ExportState[]
}

/** A service at which nothing has happened yet, with as many contexts as given. */
export const emptyModel = (given: {
  readonly now: number
  readonly clock: boolean
  readonly contexts: number
  readonly person: boolean
  readonly choices: Choices
}): Model => ({
  choices: given.choices,
  now: given.now,
  clock: given.clock,
  began: given.now,
  parties: [
    ...Array.from({ length: given.contexts }, (_, context) => ({
      name: String.fromCharCode(65 + context),
      context,
      owner: true,
    })),
    ...(given.person ? [{ name: 'P', context: 0, owner: false }] : []),
  ],
  challenges: [],
  tokens: [],
  logins: [],
  sessions: [],
  invoices: [],
  grants: [],
  agents: new Set(),
  exports: [],
})

/** Milliseconds around an end in which nothing is expected: the clock may tick while a call is on its way. */
const margin = 5_000

/** Whether an end is clearly ahead, clearly over, or too close to tell. */
export const ahead = (model: Model, end: number): boolean => model.now < end - margin
export const over = (model: Model, end: number): boolean => model.now > end + margin
export const clear = (model: Model, end: number): boolean => ahead(model, end) || over(model, end)

export const challengeEnd = ({ givenAt }: ChallengeState): number =>
  givenAt + limits['challenge.lifetime'].value * 1000

/** Permissions of a party in its context as they stand; an owner has all that the commands need. */
export const holds = (model: Model, party: Party, permission: Permission): boolean =>
  party.owner || model.grants.some((grant) => grant.permission === permission && !grant.revoked)

export const holdsAny = (model: Model, party: Party): boolean =>
  party.owner || model.grants.some(({ revoked }) => !revoked)

/** The rule under which a person is refused: never granted, or revoked. */
export const lackRule = (model: Model, permission?: Permission): ModelRule =>
  model.grants.some((grant) => permission === undefined || grant.permission === permission)
    ? 'permissions.revoke.effective'
    : 'permissions.grant.effective'

/**
 * Logins whose tokens were not revoked. The contract does not say what an access token may do once the service token
 * behind it was revoked.
 */
export const usable = (model: Model): LoginState[] =>
  model.logins.filter(
    ({ redeemed, revoked, token }) => redeemed && !revoked && token?.revoked !== true,
  )

/** Logins whose access token works now. */
export const alive = (model: Model): LoginState[] =>
  usable(model).filter(({ accessUntil }) => ahead(model, accessUntil))

/** Sessions that take invoices now; one that is about to close by itself belongs to neither side. */
export const isOpen = (model: Model, session: SessionState): boolean =>
  !session.closed && (session.validUntil === undefined || ahead(model, session.validUntil))

export const isClosed = (model: Model, session: SessionState): boolean =>
  session.closed || (session.validUntil !== undefined && over(model, session.validUntil))

/** The rule under which a session is over: it was closed, or its time was up. */
export const endRule = ({ kind, closed }: SessionState): ModelRule =>
  kind === 'batchSession'
    ? 'sessions.batch.close'
    : closed
      ? 'sessions.online.close'
      : 'sessions.status.dates'

export const invoicesOf = (model: Model, session: SessionState): InvoiceState[] =>
  model.invoices.filter((invoice) => invoice.session === session)

export const isAccepted = ({ expected }: InvoiceState): boolean => expected.ends === 'accepted'

/** A context that a seller issues an invoice to: another one, where there is another. */
export const buyerOf = (
  { parties }: Pick<Model, 'parties'>,
  seller: number,
  drawn: number,
): number => {
  const others = parties.filter(({ owner, context }) => owner && context !== seller)
  return others[drawn % others.length]?.context ?? seller
}

/** The accepted invoices in which a context has a role. */
export const invoicesFor = (
  model: Model,
  { context, role }: { readonly context: number; readonly role: Role },
): InvoiceState[] => {
  const field = role === 'subject1' ? 'seller' : 'buyer'
  return model.invoices.filter((one) => one.svcNumber !== undefined && one[field] === context)
}

/** Statuses are kept for days: older ones are not asked for any more. */
export const isRecent = (model: Model, at: number): boolean =>
  model.now < at + (limits['retention.statusDays'].value - 1) * 24 * 3600 * 1000

/** The accepted invoice that holds a triple of seller, kind and number. */
export const holderOf = (
  model: Model,
  { seller, kind, number }: Pick<InvoiceState, 'seller' | 'kind' | 'number'>,
): InvoiceState | undefined =>
  model.invoices.find(
    (one) => isAccepted(one) && one.seller === seller && one.kind === kind && one.number === number,
  )

/** What must become of an invoice, and under which rule. Source: specification, Duplicates; Invoice validation. */
export const expectedOf = (
  model: Model,
  invoice: Pick<InvoiceState, 'session' | 'seller' | 'kind' | 'number' | 'broken'>,
): Expected => {
  const { session, seller, number, broken } = invoice
  const held = holderOf(model, invoice)
  const context = session.party.context
  if (broken)
    return {
      ends: 'rejected',
      as: ['invoice-invalid', ...(held === undefined ? [] : (['duplicate-invoice'] as const))],
      rule: 'invoices.content.invalid-rejected',
    }
  if (context !== seller && !model.agents.has(context))
    return {
      ends: 'rejected',
      // The contract does not say which of two faults is reported.
      as: ['seller-not-allowed', ...(held === undefined ? [] : (['duplicate-invoice'] as const))],
      rule: 'invoices.content.invalid-rejected',
    }
  if (held !== undefined)
    return {
      ends: 'rejected',
      as: ['duplicate-invoice'],
      rule:
        held.session === session ? 'invoices.duplicate.rejected' : 'invoices.duplicate.everywhere',
    }
  const same = model.invoices.filter((one) => one.number === number)
  const rule = same.some((one) => isAccepted(one))
    ? 'invoices.duplicate.triple'
    : same.some((one) => one.seller === seller)
      ? 'invoices.rejected.may-be-resent'
      : invoicesOf(model, session).some((one) => !isAccepted(one))
        ? session.kind === 'batchSession'
          ? 'sessions.batch.errors-isolated'
          : 'invoices.rejected.isolated'
        : 'invoices.submit.accepted'
  return { ends: 'accepted', rule }
}

/** How a session stands at its end: by the contract's codes of its lifecycle. */
export const finalCode = (model: Model, session: SessionState): 200 | 440 | 445 => {
  const sent = invoicesOf(model, session)
  if (sent.length === 0) return 440
  return sent.some((invoice) => isAccepted(invoice)) ? 200 : 445
}
