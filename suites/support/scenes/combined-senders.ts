import type { Client } from '../../../lib/client.ts'
import { contextKey, refreshAccess } from '../../../lib/flows/login.ts'
import type { Me } from '../service/contexts.ts'
import type { CheckFixtures } from '../harness/fixtures.ts'
import { authorizationGrant, authorizeSelfInvoicing, byNip, grantBy } from '../callers/grants.ts'
import { workerInUnit } from '../callers/kin.ts'
import { selfInvoiced, withAuthorizedParty } from '../documents/parties.ts'
import { mintToken } from '../callers/service-token.ts'
import type { Target } from '../service/target.ts'

/** Who may send the invoices of one seller, each by a login and with documents that permit it. */

export const senderFacets = {
  /** The owner of the context of the seller, a person there, a worker in its unit, or an agent that it authorized. */
  sender: ['owner', 'person', 'unit', 'agent'],
  login: ['by certificate', 'refreshed', 'by service token'],
  /** By which authorization an agent sends. */
  tie: ['self-invoicing', 'tax representative'],
} as const

export type SenderName = (typeof senderFacets.sender)[number]

/** Who sends, and how they have logged in. */
export interface Sender {
  readonly sender: SenderName
  readonly login: (typeof senderFacets.login)[number]
  readonly tie: (typeof senderFacets.tie)[number]
}

/** Whether the context of the seller is that of the sender. */
export const isInSellerContext = (sender: SenderName): boolean =>
  sender === 'owner' || sender === 'person'

/** Whether a sender does not log in so: service tokens are created for the owner alone. */
export const isNoLogin = ({ sender, login }: Partial<Sender>): boolean =>
  sender !== undefined && sender !== 'owner' && login === 'by service token'

/** The contract does not specify who may send for a seller without a session: these are not asked to. */
export const sendsInSessionsOnly = (sender: SenderName | undefined): boolean =>
  sender !== undefined && !isInSellerContext(sender)

export interface Senders {
  readonly seller: Me
  readonly agent: Me
  readonly apiOf: (who: Pick<Sender, 'sender' | 'login'>) => Client
  /** Makes an invoice of the seller one that this sender may send. */
  readonly alter: (who: Pick<Sender, 'sender' | 'tie'>, bytes: Uint8Array) => Uint8Array
}

export type SenderScene = Pick<CheckFixtures, 'login' | 'another' | 'limited' | 'rng'> & {
  readonly target: Target
}

const refreshedApi = async ({ api, refreshToken, context }: Me): Promise<Client> => {
  const { accessToken: bearer } = await refreshAccess(api, refreshToken)
  return api.with({ bearer, context: contextKey(context) })
}

/**
 * Logs in each sender.
 * @throws {Inconclusive} when one cannot log in, or cannot be given its permission
 */
export const logInSenders = async (scene: SenderScene): Promise<Senders> => {
  const { login, another, limited } = scene
  const seller = await login()
  const agent = await login({ context: await another() })
  const { nip } = agent.context
  await authorizeSelfInvoicing(seller.api, nip)
  const representation = authorizationGrant(byNip(nip), 'TaxRepresentative')
  await grantBy(seller.api, 'permissions.grantAuthorization', representation)
  const all = {
    owner: seller,
    person: await limited(['InvoiceRead', 'InvoiceWrite']),
    unit: await login({ context: await workerInUnit({ ...scene, me: seller }) }),
    agent,
  }
  const refreshed = {
    owner: await refreshedApi(all.owner),
    person: await refreshedApi(all.person),
    unit: await refreshedApi(all.unit),
    agent: await refreshedApi(all.agent),
  }
  const byToken = await login({ token: (await mintToken(seller)).token })
  return {
    seller,
    agent,
    apiOf({ sender, login: how }) {
      if (sender === 'owner' && how === 'by service token') return byToken.api
      return how === 'refreshed' ? refreshed[sender] : all[sender].api
    },
    alter({ sender, tie }, bytes) {
      if (sender !== 'agent') return bytes
      return tie === 'self-invoicing'
        ? selfInvoiced(bytes)
        : withAuthorizedParty(selfInvoiced(bytes, false), nip)
    },
  }
}
