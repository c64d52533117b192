import { invoiceSchemas } from '../../contract/environments.ts'
import { rateRules } from '../../contract/limits.ts'
import type { RateRuleId } from '../../contract/limits.ts'
import { makeInvoice } from '../../generators/invoice/invoice.ts'
import { createClient } from '../../lib/client.ts'
import type { Client } from '../../lib/client.ts'
import type { Exchange } from '../../lib/exchange.ts'
import { loginWithToken, refreshAccess } from '../../lib/flows/login.ts'
import type { Login } from '../../lib/flows/login.ts'
import { openOnline, settleSession, submissionBody } from '../../lib/flows/session.ts'
import type { OnlineSession } from '../../lib/flows/session.ts'
import { nodeCodec } from '../../lib/node/codec.ts'
import { packBatch } from '../../lib/node/archive.ts'
import { openBatch, uploadParts } from '../../lib/flows/batch.ts'
import type { LimitsSource } from '../../lib/plan/design.ts'
import { planLimits, shareOf } from '../../lib/plan/design.ts'
import type { SendingPlan } from '../../lib/plan/plan.ts'
import type { PlannedSession } from '../../lib/plan/sessions.ts'
import { createReference } from '../../reference/service/reference.ts'
import type { Reference } from '../../reference/service/reference.ts'

/** Carries a plan out against an embedded reference in virtual time: the proof that it is legal and on time. */

export interface Rehearsal {
  readonly calls: number
  /** Calls of the plan that were refused with 429. */
  readonly limited: number
  /** Invoices that the closed sessions report as processed. */
  readonly invoices: number
  readonly plannedMs: number
  /** From the first call of the plan to the last one, by the clock of the service. */
  readonly tookMs: number
}

const startAt = Date.parse('2026-06-15T08:00:00Z')
const renewAfter = 10 * 60_000
const loginAfter = 6 * 86_400_000
/** A gap between two steps in which a login fits, and how long after the gap no other login may fall due. */
const pauseMs = 10_000
const aheadMs = 3_600_000

/** What each context and address does, in the order of time. */
type Step =
  | { readonly at: number; readonly does: 'open' | 'close'; readonly session: PlannedSession }
  | { readonly at: number; readonly does: 'submit' }

interface Sender {
  /** Logged in; the login is renewed when it falls due within `withinMs`. */
  readonly client: (withinMs?: number) => Promise<Client>
  readonly seller: string
  readonly address: string
  current: OnlineSession | undefined
  sessions: string[]
  sent: number
  share: number
}

const stepsOf = ({ schedule, design }: SendingPlan): readonly Step[] => {
  const steps: Step[] = []
  let at = 0
  const submissions = (schedule?.bursts ?? []).flatMap((burst) =>
    design.mode === 'batch'
      ? []
      : Array.from({ length: burst.calls }, (): Step => ({ at: burst.at, does: 'submit' })),
  )
  for (const session of schedule?.sessions ?? []) {
    steps.push({ at: session.opened, does: 'open', session })
    steps.push(...submissions.slice(at, at + session.invoices))
    at += session.invoices
    steps.push({ at: session.closed, does: 'close', session })
  }
  return steps
}

const limitsOption = (source: LimitsSource) => {
  if (source.off) return 'off' as const
  const limits = planLimits(source)
  return Object.fromEntries(
    (Object.keys(rateRules) as RateRuleId[]).map((rule) => [rule, limits.rate(rule)]),
  ) as never
}

/** Runs every step of the plan at its time. */
export const rehearse = async (
  plan: SendingPlan,
  source: LimitsSource,
  seed: number,
  progress: (done: number, all: number) => void = () => undefined,
): Promise<Rehearsal> => {
  const service = await createReference({
    seed,
    clock: 'manual',
    startAt,
    publicUrl: 'http://reference.test',
    dialect: { ...source.dialect, limits: { ...source.dialect.limits, ...source.values } },
    limits: limitsOption(source),
  })
  try {
    return await perform(plan, service, seed, progress)
  } finally {
    await service.close()
  }
}

const perform = async (
  plan: SendingPlan,
  service: Reference,
  seed: number,
  progress: (done: number, all: number) => void,
): Promise<Rehearsal> => {
  const senders = await sendersOf(plan, service)
  const steps = stepsOf(plan)
  const { clock } = service
  const start = clock.now()
  let limited = 0
  let calls = 0
  const counted = (exchange: Exchange) => {
    calls += 1
    if (exchange.status === 429) limited += 1
  }
  let last = start
  for (const [index, step] of steps.entries()) {
    const gap = start + step.at - clock.now()
    // A login takes time, so it is renewed in a pause: at a step it would delay the calls into the next window.
    if (gap >= pauseMs) for (const sender of senders) await sender.client(gap + aheadMs)
    if (gap > 0) await clock.set(start + step.at)
    for (const sender of senders)
      if (step.does !== 'submit' || sender.sent < sender.share)
        await carryOut(step, sender, plan, seed, counted)
    last = clock.now()
    if (index % 2000 === 0) progress(index, steps.length)
  }
  await clock.advance(60_000)
  let invoices = 0
  const kind = plan.design.mode === 'batch' ? 'batchSession' : 'onlineSession'
  for (const sender of senders)
    for (const referenceNumber of sender.sessions) {
      // Looks keep to the limits, too.
      await clock.advance(1000)
      const { body } = await settleSession(await sender.client(), { referenceNumber }, kind)
      invoices += Number(body['successfulInvoiceCount'] ?? 0)
    }
  const plannedMs = plan.schedule?.ends ?? 0
  return { calls, limited, invoices, plannedMs, tookMs: last - start }
}

const sendersOf = async (plan: SendingPlan, service: Reference): Promise<Sender[]> => {
  const { design, pairs } = plan
  const senders: Sender[] = []
  for (let context = 0; context < design.contexts; context += 1) {
    const { value, token } = await service.control.createContext({})
    for (let address = 0; address < design.addresses; address += 1) {
      const { largest } = shareOf(design)
      // The first shares are one larger where the invoices do not divide evenly.
      const share = senders.length < design.invoices - (largest - 1) * pairs ? largest : largest - 1
      const from = `10.0.0.${address + 1}`
      senders.push({
        client: renewing(service, from, { value, token }),
        seller: value,
        address: from,
        current: undefined,
        sessions: [],
        sent: 0,
        share,
      })
    }
  }
  for (const sender of senders) await sender.client()
  return senders
}

/** A client whose access is renewed long before it ends. */
const renewing = (
  service: Reference,
  address: string,
  context: { readonly value: string; readonly token: string },
): Sender['client'] => {
  const { clock } = service
  const anonymous = createClient({
    send: async ({ method, url, headers, body }) => {
      const request = new Request(url, { method, headers, body: (body ?? null) as BodyInit | null })
      const answer = await service.fetch(request, { address })
      return {
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: new Uint8Array(await answer.arrayBuffer()),
      }
    },
    baseUrl: service.service.publicUrl,
    dialect: service.service.dialect,
    codec: nodeCodec,
    now: () => clock.now(),
    sleep: (ms) => clock.advance(ms),
    polling: { everyMs: 1, times: 200, atMostMs: 1000 },
  })
  let login: Login | undefined
  let client = anonymous
  let since = { login: 0, access: 0 }
  return async (withinMs = 0) => {
    const now = clock.now()
    if (login === undefined || now + withinMs - since.login > loginAfter) {
      login = await loginWithToken(anonymous, {
        context: { type: 'Nip', value: context.value },
        token: context.token,
      })
      client = anonymous.with({ bearer: login.accessToken })
      since = { login: clock.now(), access: clock.now() }
    } else if (now - since.access > renewAfter) {
      const { accessToken } = await refreshAccess(anonymous, login.refreshToken)
      client = anonymous.with({ bearer: accessToken })
      since.access = clock.now()
    }
    return client
  }
}

const carryOut = async (
  step: Step,
  sender: Sender,
  { design }: SendingPlan,
  seed: number,
  counted: (exchange: Exchange) => void,
): Promise<void> => {
  const client = await sender.client()
  const { formCode } = invoiceSchemas.fa3
  const makeNext = (): Uint8Array => {
    sender.sent += 1
    return makeInvoice(
      {
        seller: sender.seller,
        number: `P/${sender.address}/${sender.sent}`,
        issueDate: '2026-06-15',
        profile: 'services',
      },
      seed + sender.sent,
    )
  }
  if (step.does === 'submit') {
    const session = sender.current
    if (session === undefined) throw new Error('the plan submits outside a session')
    const body = await submissionBody(client, session, makeNext())
    counted(
      await client.call('invoices.submit', {
        path: { referenceNumber: session.referenceNumber },
        body,
      }),
    )
    return
  }
  if (step.does === 'close') {
    const referenceNumber = sender.sessions.at(-1) ?? ''
    const operation = design.mode === 'batch' ? 'sessions.closeBatch' : 'sessions.closeOnline'
    counted(await client.call(operation, { path: { referenceNumber } }))
    return
  }
  if (design.mode === 'online') {
    sender.current = await openOnline(client, { formCode })
    sender.sessions.push(sender.current.referenceNumber)
    counted(sender.current.exchange)
    return
  }
  const count = Math.min(step.session.invoices, sender.share - sender.sent)
  const files = Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`invoice-${at + 1}.xml`, makeNext()]),
  )
  const archive = await packBatch(files)
  const session = await openBatch(client, archive, { formCode })
  sender.sessions.push(session.referenceNumber)
  counted(session.exchange)
  await uploadParts(client, session, archive.parts)
}
