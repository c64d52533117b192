import type { Dialect } from '../../contract/dialect.ts'
import { invoiceSchemas } from '../../contract/environments.ts'
import { rateRules } from '../../contract/limits.ts'
import { makeInvoice } from '../../generators/invoice/invoice.ts'
import { isoDay } from '../../lib/local-time.ts'
import { closeOnline } from '../../reference/invoices/processing.ts'
import type { Service } from '../../reference/call/service.ts'
import type { Invoice } from '../../reference/model/documents.ts'
import type { Reference } from '../../reference/service/reference.ts'
import { createReference } from '../../reference/service/reference.ts'
import type { SeededContext } from '../../reference/service/seed.ts'
import { midnightAfter } from '../support/steps/midnight.ts'
import type { Act } from './conditions/condition.ts'
import type { Held, HistoryEvent } from './history.ts'
import { inProcess, issueAll } from './issuer.ts'
import type { Ordeal, ServiceOptions } from './ordeal.ts'

/** A separate service for one ordeal, with everything that happens to it. */

export interface World {
  readonly running: Reference
  readonly context: SeededContext
  readonly dialect: Dialect
  /** Performs an act; the examiner itself handles `kill`. */
  act(act: Act): Promise<HistoryEvent['kind'] | undefined>
  /** Issues documents as the context of the client. */
  issueOwn(documents: readonly Uint8Array[]): Promise<string[]>
  /** Has invoices of another seller arrive in the context of the client; returns their service numbers. */
  arrive(count: number): Promise<string[]>
  /** Moves invoices to one instant of permanent storage. */
  storeAtOnce(numbers: readonly string[]): void
  /** Numbers of everything that arrived. */
  readonly arrived: readonly string[]
  /** What the service holds of the client's context, without what was there before. */
  held(before: ReadonlySet<string>): Held[]
  /** References of all documents of the context. */
  references(): Set<string>
  /** Invoice numbers of documents, by reference. */
  numberOf(reference: string): string | undefined
  close(): Promise<void>
}

const dayMs = 86_400_000

/** Unix ms at which the service's clock starts; undefined: now. */
function startOf({ aheadMs, formChangesAfterMs }: ServiceOptions): number | undefined {
  if (formChangesAfterMs !== undefined)
    return midnightAfter(Date.now(), 'Warsaw') - formChangesAfterMs
  return aheadMs === undefined ? undefined : Date.now() + aheadMs
}

/** The reference of an ordeal, in a dialect with its lifetimes. */
async function openReference(
  base: Dialect,
  options: ServiceOptions,
  seed: number,
): Promise<Reference> {
  const dialect: Dialect = {
    ...base,
    // The examination must still work after the year in which service tokens end.
    tokensEnd: false,
    limits: { ...base.limits, ...options.lifetimes },
  }
  const rates = Object.fromEntries(
    Object.entries(rateRules).map(([rule, { window }]) => [
      rule,
      options.rates?.[rule as keyof typeof rateRules] ??
        dialect.rates[rule as keyof typeof rateRules] ??
        window,
    ]),
  )
  const startAt = startOf(options)
  const lastDay = startAt === undefined ? '' : isoDay(startAt)
  return createReference({
    dialect,
    seed,
    limits: options.rates === undefined ? 'production' : rates,
    explain: true,
    environment: options.environment ?? 'test',
    ...(options.latency && { latency: true }),
    ...(startAt !== undefined && { startAt }),
    ...(options.formChangesAfterMs !== undefined && {
      decisions: { schemaInForce: ({ id }, day) => (id === 'fa2') === day <= lastDay },
    }),
  })
}

function limitSessions(service: Service, value: string, maxInvoices: number): void {
  const context = { type: 'Nip', value } as const
  const { online, batch } = service.limits.session(context)
  const limits = { online: { ...online, maxInvoices }, batch: { ...batch, maxInvoices } }
  service.state.contextLimits.put({ context, limits })
}

type Acts = {
  readonly [K in Exclude<Act['kind'], 'kill'>]: (
    act: Extract<Act, { kind: K }>,
  ) => Promise<HistoryEvent['kind']>
}

const sessionsOf = ({ state }: Service, context: string) =>
  [...state.sessions.values()].filter((one) => one.context.value === context)

/** What can happen at the service, to the context of the client. */
function actsAt(
  service: Service,
  context: string,
  arrive: (count: number) => Promise<unknown>,
): Acts {
  const { state, clock } = service
  const permissionsHeld = state.tokens.by('context', `Nip:${context}`)[0]?.permissions ?? []
  const permit = (permissions: typeof permissionsHeld): void => {
    for (const token of state.tokens.by('context', `Nip:${context}`))
      state.tokens.put({ ...token, permissions })
  }

  return {
    rotate: async ({ usage, overlapMs }) => {
      await service.keys.rotate(service.policy, usage, overlapMs, clock.now())
      return 'keys-rotated'
    },
    'revoke-login': async () => {
      for (const login of state.authentications.by('context', `Nip:${context}`))
        state.authentications.put({ ...login, revokedAt: clock.now() })
      return 'login-revoked'
    },
    'revoke-token': async () => {
      for (const token of state.tokens.by('context', `Nip:${context}`))
        state.tokens.put({ ...token, status: 'Revoked' })
      return 'token-revoked'
    },
    'close-session': async () => {
      for (const session of sessionsOf(service, context))
        if (session.kind === 'online' && session.status.code === 100) closeOnline(service, session)
      return 'session-closed'
    },
    'withdraw-permission': async () => {
      permit(permissionsHeld.filter((one) => one !== 'InvoiceWrite'))
      return 'permission-withdrawn'
    },
    'restore-permission': async () => {
      permit(permissionsHeld)
      return 'permission-restored'
    },
    arrive: async ({ count }) => {
      await arrive(count)
      return 'arrival'
    },
  }
}

const heldOf = ({ hash, number, svcNumber, session, referenceNumber, status }: Invoice): Held => ({
  hash,
  number,
  svcNumber,
  session,
  reference: referenceNumber,
  code: status.code,
  ...(status.details && { reason: status.details.join('; ') }),
})

export async function createWorld(
  base: Dialect,
  { service: options = {} }: Ordeal,
  seed: number,
): Promise<World> {
  const running = await openReference(base, options, seed)
  const { service, control, clock } = running
  const { dialect } = service
  const context = await control.createContext({})
  const other = await control.createContext({})
  const { state } = service
  const arrived: string[] = []
  let made = 0
  const client = () =>
    inProcess(
      dialect,
      new URL(service.publicUrl).origin,
      async (request, address) => running.fetch(request, { address }),
      () => clock.now(),
    )
  const own = { nip: context.value, token: context.token }
  const ownInvoices = () =>
    sessionsOf(service, context.value).flatMap(({ referenceNumber }) =>
      state.invoices.by('session', referenceNumber),
    )

  if (options.sessionInvoices !== undefined)
    limitSessions(service, context.value, options.sessionInvoices)

  async function arrive(count: number): Promise<string[]> {
    const documents = Array.from({ length: count }, () => {
      made += 1
      const [seller, buyer, number] = [other.value, context.value, `ARR/${seed}/${made}`]
      // Every other one was written days before it was sent.
      const issueDate = isoDay(clock.now() - (made % 2) * 4 * dayMs)
      return makeInvoice({ seller, buyer, number, issueDate, lines: 1, kind: 'VAT' }, seed + made)
    })
    const numbers = await issueAll(
      client(),
      { nip: other.value, token: other.token },
      invoiceSchemas.fa3.formCode,
      documents,
    )
    arrived.push(...numbers)
    return numbers
  }

  const acts = actsAt(service, context.value, arrive)

  return {
    running,
    context,
    dialect,
    arrived,
    arrive,
    act: async (act) =>
      act.kind === 'kill'
        ? undefined
        : (acts[act.kind] as (one: Act) => Promise<HistoryEvent['kind']>)(act),
    storeAtOnce(numbers) {
      const entries = numbers.flatMap((number) => state.issued.get(number) ?? [])
      const storedAt = Math.max(...entries.map((entry) => entry.storedAt ?? 0))
      for (const entry of entries) state.issued.put({ ...entry, storedAt })
    },
    issueOwn: (documents) => issueAll(client(), own, invoiceSchemas.fa3.formCode, documents),
    references: () => new Set(ownInvoices().map((one) => one.referenceNumber)),
    held: (before) =>
      ownInvoices()
        .filter(({ referenceNumber }) => !before.has(referenceNumber))
        .map(heldOf),
    numberOf: (reference) => state.invoices.get(reference)?.number,
    close: () => running.close(),
  }
}
