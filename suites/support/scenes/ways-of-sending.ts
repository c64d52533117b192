import type { OperationId } from '../../../contract/endpoints.ts'
import { openOnline } from '../../../lib/flows/session.ts'
import { expectObject } from '../../../lib/outcome.ts'
import type { Me } from '../service/contexts.ts'
import { formCodes } from '../checks/forms.ts'
import type { WorkOutcome } from '../judging/matchers.ts'
import { offered } from '../service/offered.ts'
import { listInvoices, only, packed, sendAlone, sendBatch } from '../steps/packages.ts'
import {
  accept,
  acceptedOf,
  outcomeOfInvoice,
  outcomeOfSending,
  settleById,
} from '../steps/steps.ts'

/** The ways in which one invoice is sent: in a session of its own, a package, or neither. */

/** An accepted invoice, and the session that its status names. */
interface Sent {
  readonly referenceNumber: string
  readonly svcNumber: string
  readonly session: string
}

export interface Way {
  /** An operation that not every target has. */
  readonly needs?: OperationId
  readonly send: (me: Pick<Me, 'api'>, bytes: Uint8Array) => Promise<Sent>
  /** The outcome of an invoice that need not be accepted. */
  readonly outcome: (me: Pick<Me, 'api'>, bytes: Uint8Array) => Promise<WorkOutcome>
}

const begin = async ({ api }: Pick<Me, 'api'>) => ({
  api,
  session: await openOnline(api, { formCode: formCodes.fa3 }),
})

export const ways: Readonly<Record<string, Way>> = {
  'interactive session': {
    async send(me, bytes) {
      const desk = await begin(me)
      const { referenceNumber, svcNumber } = await accept(desk, bytes)
      return { referenceNumber, svcNumber, session: desk.session.referenceNumber }
    },
    outcome: async (me, bytes) => outcomeOfInvoice(await begin(me), bytes),
  },
  'batch session': {
    async send({ api }, bytes) {
      const { referenceNumber: session } = await sendBatch(api, await packed([{ bytes }]))
      const { referenceNumber, svcNumber = '' } = only(await listInvoices(api, session))
      return { referenceNumber, svcNumber, session }
    },
    outcome: ({ api }, bytes) => sendAlone(api, bytes),
  },
  'no session': {
    needs: 'invoices.send',
    async send({ api }, bytes) {
      const sent = await api.call('invoices.send', { body: bytes })
      const { referenceNumber } = expectObject(sent, 'send an invoice')
      const settled = await settleById(api, String(referenceNumber))
      const { svcNumber, body } = acceptedOf(settled, String(referenceNumber))
      const session = String(body['sessionReferenceNumber'])
      return { referenceNumber: String(referenceNumber), svcNumber, session }
    },
    outcome: ({ api }, bytes) => outcomeOfSending(api, bytes),
  },
}

/** Whether the target has it. */
const isOffered = ({ needs }: Way): boolean => needs === undefined || offered(needs).length > 0

/** Those that the target has. */
export const offeredWays = (): readonly (readonly [string, Way])[] =>
  Object.entries(ways).filter(([, way]) => isOffered(way))
