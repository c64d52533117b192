import fc from 'fast-check'
import { invoiceSchemas } from '../../../contract/environments.ts'
import { drawSecret, encryptionFields } from '../../../lib/flows/session.ts'
import { expectText } from '../../../lib/outcome.ts'
import { command } from '../command.ts'
import { agreeOk, agreeRefused } from '../divergence.ts'
import type { LoginState, SessionState } from '../state.ts'
import { callerOf, nameOf, refusalOf } from './callers.ts'

/** Opens an interactive session, or is refused. */
export const openSession = () =>
  fc.record({ place: fc.nat(15), stray: fc.boolean() }).map((drawn) =>
    command<LoginState>({
      name: 'open a session',
      find: (model) => callerOf(model, drawn, 'InvoiceWrite'),
      says: (model, login) => `${nameOf(model, login)} opens session ${model.sessions.length + 1}`,
      async act(model, world, login) {
        const api = world.as(login)
        const secret = drawSecret()
        const formCode = invoiceSchemas.fa3.formCode
        const fields = await encryptionFields(api, secret, await world.keys())
        const exchange = await api.call('sessions.openOnline', { body: { formCode, ...fields } })
        const refusal = refusalOf(model, login, 'InvoiceWrite')
        if (refusal !== undefined) return agreeRefused(world, refusal.rule, exchange, refusal.as)
        // A caller who is not the owner has access by a grant.
        const rule = login.party.owner ? 'sessions.online.opens' : 'permissions.grant.effective'
        agreeOk(world, rule, exchange)
        const end = Date.parse(String((exchange.body as { validUntil?: unknown }).validUntil))
        const session: SessionState = {
          kind: 'onlineSession',
          party: login.party,
          openedAt: model.now,
          validUntil: Number.isNaN(end) ? undefined : end,
          seen: [],
          closed: false,
        }
        model.sessions.push(session)
        const referenceNumber = expectText(exchange, 'open a session', 'referenceNumber')
        world.handles.sessions.set(session, { referenceNumber, exchange, ...secret })
      },
    }),
  )
