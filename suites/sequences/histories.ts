import type { SequentialService } from '../../generators/model/linearize.ts'
import { openOnline, submissionBody } from '../../lib/flows/session.ts'
import { isoDay } from '../../lib/local-time.ts'
import { expectText } from '../../lib/outcome.ts'
import type { Rng } from '../../lib/random.ts'
import type { Plan, PlannedCall, Said } from '../support/steps/concurrent-history.ts'
import { issuedAround } from '../support/steps/filters.ts'
import type { Fixtures } from '../support/harness/fixtures.ts'
import { formCodes } from '../support/checks/forms.ts'
import {
  authorizeSelfInvoicing,
  grantPerson,
  listGranted,
  outcomeOfOperation,
  personGrant,
  revoke,
} from '../support/callers/grants.ts'
import { withInvalidAmount } from '../support/documents/malformed.ts'
import { toldOf } from '../support/judging/matchers.ts'
import { listInvoices, sendAlone } from '../support/steps/packages.ts'
import { personAt } from '../support/callers/people.ts'
import { enterByToken, mintToken, revokeToken } from '../support/callers/service-token.ts'
import { describedPlainly, documentOf } from '../support/documents/stock-document.ts'
import { outcomeOfInvoice } from '../support/steps/steps.ts'
import type { Desk } from '../support/steps/steps.ts'

/** What several clients do to the same thing at the same time, and what a sequential service would answer them. */

export interface Scene<State, Op extends Said> {
  readonly plan: Plan<Op>
  readonly afterwards: readonly PlannedCall<Op>[]
  readonly service: SequentialService<State, Op>
}

export type Given = Pick<
  Fixtures,
  'api' | 'own' | 'login' | 'open' | 'another' | 'invoice' | 'rng' | 'target'
>

const clients = ['one', 'two', 'three'] as const

/** This many calls for each client. */
const forEach = <Op>(
  count: number,
  draw: (client: (typeof clients)[number]) => PlannedCall<Op>,
): Plan<Op> =>
  Object.fromEntries(
    clients.map((client) => [client, Array.from({ length: count }, () => draw(client))]),
  )

/** Equal numbers, sent in three ways; some documents are invalid, so they must be rejected and use up no number. */
export const equalNumbers = async (given: Given, drawn: Rng) => {
  interface Sending {
    readonly says: string
    readonly number: string
    readonly broken: boolean
  }
  const { login, another, rng, target } = given
  const seller = await login()
  const agent = await login({ context: await another() })
  await authorizeSelfInvoicing(seller.api, agent.context.nip)
  const desks = await Promise.all(
    [seller, agent].map(async ({ api }): Promise<Desk> => ({
      api,
      session: await openOnline(api, { formCode: formCodes.fa3 }),
    })),
  )
  const numbers = [`H-${rng.digits(9)}`, `H-${rng.digits(9)}`]
  const ways = {
    one: (bytes: Uint8Array) => outcomeOfInvoice(desks[0] as Desk, bytes),
    two: (bytes: Uint8Array) => outcomeOfInvoice(desks[1] as Desk, bytes),
    three: (bytes: Uint8Array) => sendAlone(seller.api, bytes),
  }
  const sending = (client: keyof typeof ways, number: string, broken: boolean) => {
    const facts = { seller: seller.context.nip, number, issueDate: isoDay(target.now()) }
    const made = { ...describedPlainly(facts), isSelfInvoicing: client === 'two' }
    const text = new TextDecoder().decode(documentOf(made, { third: agent.context.nip }))
    const bytes = new TextEncoder().encode(broken ? withInvalidAmount(text) : text)
    return {
      operation: { says: `sends ${broken ? 'an invalid ' : ''}${number}`, number, broken },
      make: async () => toldOf(await ways[client](bytes), 'duplicate-invoice', 'invoice-invalid'),
    }
  }
  const scene: Scene<readonly string[], Sending> = {
    plan: forEach(2, (client) => sending(client, drawn.pick(numbers), drawn.int(0, 4) === 0)),
    afterwards: numbers.map((number) => sending('one', number, false)),
    service: {
      initial: [],
      key: (held) => held.join(' '),
      step(held, { number, broken }) {
        const duplicate = held.includes(number) ? { 'duplicate-invoice': held } : undefined
        // Which of two faults the service reports is not specified.
        if (broken) return { 'invoice-invalid': held, ...duplicate }
        return duplicate ?? { ok: [...held, number].toSorted() }
      },
    },
  }
  return scene
}

/** Submissions and two closings: a submission belongs to the session if it is accepted; after a closing, none is. */
export const submissionsAndClosings = async ({ open, invoice }: Given, drawn: Rng) => {
  interface Step {
    readonly says: string
    readonly document?: string
  }
  interface State {
    readonly closed: boolean
    readonly taken: readonly string[]
  }
  const { api, session } = await open()
  const path = { referenceNumber: session.referenceNumber }
  const names = new Map<string, string>()
  const bodies = await Promise.all(
    Array.from({ length: 4 }, () => submissionBody(api, session, invoice().bytes)),
  )
  const submissions = bodies.map((body, place): PlannedCall<Step> => {
    const document = `document ${place + 1}`
    return {
      operation: { says: `submits ${document}`, document },
      async make() {
        const answer = await api.call('invoices.submit', { path, body })
        if (answer.status < 300)
          names.set(expectText(answer, 'submit an invoice', 'referenceNumber'), document)
        return toldOf(answer, 'session-state-forbids')
      },
    }
  })
  const closing: PlannedCall<Step> = {
    operation: { says: 'closes the session' },
    make: async () =>
      toldOf(await api.call('sessions.closeOnline', { path }), 'session-state-forbids'),
  }
  const listing: PlannedCall<Step> = {
    operation: { says: 'lists the invoices' },
    make: async () =>
      (await listInvoices(api, session.referenceNumber))
        .map(({ referenceNumber }) => names.get(referenceNumber) ?? referenceNumber)
        .toSorted()
        .join(', '),
  }
  const first = drawn.int(0, 2)
  const scene: Scene<State, Step> = {
    plan: {
      one: submissions.slice(0, 2),
      two: submissions.slice(2),
      three: [closing, closing],
    },
    afterwards: first === 0 ? [listing, closing] : [listing],
    service: {
      initial: { closed: false, taken: [] },
      key: ({ closed, taken }) => [closed, ...taken].join(' '),
      step({ closed, taken }, { says, document }) {
        const state = { closed, taken }
        if (says === listing.operation.says) return { [taken.join(', ')]: state }
        if (closed) return { 'session-state-forbids': state }
        return document === undefined
          ? { ok: { closed: true, taken } }
          : { ok: { closed, taken: [...taken, document].toSorted() } }
      },
    },
  }
  return scene
}

interface Use {
  readonly says: string
  readonly ends?: true
}

/** A thing that can be used until it is ended, once and for all. */
const usableUntilEnded = (refusal: string): SequentialService<boolean, Use> => ({
  initial: true,
  key: String,
  step: (usable, { ends }): Readonly<Record<string, boolean>> =>
    ends ? { ok: false } : usable ? { ok: true } : { [refusal]: false },
})

/** Uses of a thing by two clients while a third one ends it. */
const usesUntil = (
  use: PlannedCall<Use>,
  end: PlannedCall<Use>,
  refusal: string,
): Scene<boolean, Use> => ({
  plan: { one: [use, use, use], two: [use, use, use], three: [end] },
  afterwards: [use],
  service: usableUntilEnded(refusal),
})

export const signInsAndRevocation = async ({ api, login }: Given) => {
  const held = await mintToken(await login())
  return usesUntil(
    {
      operation: { says: 'signs in by the token' },
      make: async () => toldOf(await enterByToken(api, held.context, held.token), 'token-refused'),
    },
    {
      operation: { says: 'revokes the token', ends: true },
      async make() {
        const state = await revokeToken(held.me.api, held.referenceNumber ?? '')
        return state === 'Revoked' ? 'ok' : `state ${String(state)}`
      },
    },
    'token-refused',
  )
}

export const refreshesAndEnd = async ({ api, login }: Given) => {
  const watcher = await login()
  const { refreshToken, referenceNumber } = await login()
  return usesUntil(
    {
      operation: { says: 'refreshes' },
      make: async () =>
        toldOf(await api.call('auth.refresh', { bearer: refreshToken }), 'refresh-refused'),
    },
    {
      operation: { says: 'ends the login', ends: true },
      make: async () =>
        toldOf(await watcher.api.call('auth.revoke', { path: { referenceNumber } })),
    },
    'refresh-refused',
  )
}

/** A permission that is granted and revoked by turns while it is used. */
export const grantsAndRevocations = async ({ login, own, rng, target }: Given) => {
  interface Step {
    readonly says: string
    readonly leaves?: 'granted' | 'revoked'
  }
  const { api } = await login()
  const person = personAt(own, rng, target)
  // Another permission stays, so that there is always a way in.
  await grantPerson(api, person.subject, ['CredentialsRead', 'InvoiceRead'])
  const holder = await login({ context: person.context })
  const idOf = async () =>
    (await listGranted(api)).find(
      ({ authorizedIdentifier, permissionScope }) =>
        authorizedIdentifier.value === person.subject.value && permissionScope === 'InvoiceRead',
    )?.id ?? 'none'
  const use: PlannedCall<Step> = {
    operation: { says: 'searches' },
    make: async () =>
      toldOf(
        await holder.api.call('queries.metadata', { body: issuedAround(target.now()) }),
        'missing-permission',
      ),
  }
  const revocation: PlannedCall<Step> = {
    operation: { says: 'revokes the permission', leaves: 'revoked' },
    make: async () => toldOf(await outcomeOfOperation(api, await revoke(api, await idOf()))),
  }
  const grant: PlannedCall<Step> = {
    operation: { says: 'grants the permission', leaves: 'granted' },
    async make() {
      const body = personGrant(person.subject, ['InvoiceRead'])
      const started = await api.call('permissions.grantPerson', { body })
      return toldOf(await outcomeOfOperation(api, started))
    },
  }
  const scene: Scene<boolean, Step> = {
    plan: {
      one: [use, use, use],
      two: [use, use, use],
      three: [revocation, grant, revocation],
    },
    afterwards: [use, grant, use],
    service: {
      initial: true,
      key: String,
      step: (held, { leaves }): Readonly<Record<string, boolean>> =>
        leaves === undefined
          ? { [held ? 'ok' : 'missing-permission']: held }
          : { ok: leaves === 'granted' },
    },
  }
  return scene
}
