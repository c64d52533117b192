import fc from 'fast-check'
import { drawSecret } from '../../../lib/flows/session.ts'
import { exportBody } from '../../../lib/flows/export.ts'
import { expectText } from '../../../lib/outcome.ts'
import { poll } from '../../../lib/poll.ts'
import type { Client } from '../../../lib/client.ts'
import { command } from '../command.ts'
import { agreeOk, agreeRefused } from '../divergence.ts'
import { settleAll } from '../settling.ts'
import { invoicesFor } from '../state.ts'
import type { ExportState, LoginState, Role } from '../state.ts'
import { callerOf, nameOf, refusalOf } from './callers.ts'

const around = 20 * 24 * 3600 * 1000

/** Everything in which the caller has a role, issued in the weeks around an instant. */
const issuedAround = (instant: number, subjectType: Role) => ({
  subjectType,
  dateRange: {
    dateType: 'issue',
    from: new Date(instant - around).toISOString(),
    to: new Date(instant + around).toISOString(),
  },
})

/** Awaits that a search finds what was accepted: the data may lag behind. */
const awaitFound = async (api: Client, role: Role, numbers: readonly string[]): Promise<void> => {
  if (numbers.length === 0) return
  const body = issuedAround(api.now(), role)
  await poll(
    () => api.call('queries.metadata', { body, query: { pageSize: 100 } }),
    ({ text }) => numbers.every((number) => text.includes(number)),
    { ...api.polling, sleep: api.sleep },
  )
}

/** Asks for an export of everything that the context issued, or was issued. */
export const askExport = () =>
  fc.record({ place: fc.nat(15), stray: fc.boolean(), bought: fc.boolean() }).map((drawn) =>
    command<LoginState>({
      name: 'ask for an export',
      find: (model) =>
        model.exports.length > 2
          ? undefined
          : callerOf(model, drawn, 'InvoiceRead', ({ party }) => party.owner),
      says: (model, login) =>
        `${nameOf(model, login)} asks for export ${model.exports.length + 1}, of what it ${drawn.bought ? 'bought' : 'sold'}`,
      async act(model, world, login) {
        await settleAll(model, world)
        const { context } = login.party
        const role = drawn.bought ? 'subject2' : 'subject1'
        const holds = invoicesFor(model, { context, role })
        if (!world.still)
          await awaitFound(
            await world.observer(context),
            role,
            holds.flatMap(({ svcNumber }) => svcNumber ?? []),
          )
        const api = world.as(login)
        const secret = drawSecret()
        const filters = issuedAround(world.client.now(), role)
        const body = await exportBody(api, { filters, keys: await world.keys() }, secret)
        model.now = world.client.now()
        const refusal = refusalOf(model, login, 'InvoiceRead')
        const exchange = await api.call('exports.create', { body })
        if (refusal !== undefined) return agreeRefused(world, refusal.rule, exchange, refusal.as)
        agreeOk(world, 'exports.create.accepted', exchange)
        const one: ExportState = {
          party: login.party,
          role,
          askedAt: model.now,
          holds,
          seen: [],
          expiresAt: undefined,
        }
        model.exports.push(one)
        const referenceNumber = expectText(exchange, 'create an export', 'referenceNumber')
        world.handles.exports.set(one, { referenceNumber, exchange, ...secret })
      },
    }),
  )
