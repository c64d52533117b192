import { batchBody, openBatch, uploadParts } from '../../../lib/flows/batch.ts'
import { createExport, exportParts, settleExport } from '../../../lib/flows/export.ts'
import { receiptPages } from '../../../lib/flows/receipt.ts'
import { openOnline } from '../../../lib/flows/session.ts'
import { Inconclusive } from '../../../lib/outcome.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import type { Client } from '../../../lib/client.ts'
import type { Rng } from '../../../lib/random.ts'
import type { LoginOptions, Me, OwnContext } from '../service/contexts.ts'
import { obtainCertificate } from './enrolment.ts'
import { issuedAround } from '../steps/filters.ts'
import type { MadeInvoice } from '../documents/invoice-source.ts'
import { formCodes } from '../checks/forms.ts'
import {
  authorizationGrant,
  authorizeSelfInvoicing,
  grantBy,
  grantPerson,
  personGrant,
} from './grants.ts'
import { inOnePart, only, packed } from '../steps/packages.ts'
import { listOf } from './permission-lists.ts'
import { mintToken } from './service-token.ts'
import { accept, finish, retrieve } from '../steps/steps.ts'
import type { Target } from '../service/target.ts'

/** What the scenes of a check are made with. */
export interface Scene {
  readonly me: Me
  /** Without credentials. */
  readonly api: Client
  readonly login: (options?: LoginOptions) => Promise<Me>
  readonly another: () => Promise<OwnContext>
  readonly invoice: () => MadeInvoice
  readonly rng: Rng
  readonly target: Target
}

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

/**
 * Resources of one caller for calls of the operations. `shared` resources are created when they are first
 * needed and serve every call; the others are new each time, because a call uses them up.
 */
export const createStage = (scene: Scene) => {
  const { me, invoice, another, rng, target } = scene
  const { api } = me
  const session = () => openOnline(api, { formCode: formCodes.fa3 })
  const batch = async () => {
    const made = await packed([invoice()], inOnePart)
    return { batch: made, session: await openBatch(api, made, { formCode: formCodes.fa3 }) }
  }
  const grant = async () => {
    const subject = { type: 'Nip', value: drawNip(rng) }
    const { exchanges } = await grantPerson(api, subject, ['Introspection'])
    return { subject, exchanges }
  }
  const accepted = once(async () => {
    const desk = { api, session: await session() }
    const made = invoice()
    const outcome = await accept(desk, made.bytes)
    const [page] = receiptPages(await finish(desk))
    if (page === undefined) throw new Inconclusive('find the aggregate receipt', 'a page')
    return { ...outcome, made, session: desk.session.referenceNumber, page }
  })
  return {
    ...scene,
    session,
    batch,
    batchBody: async () => batchBody(api, await packed([invoice()], inOnePart), formCodes.fa3),
    uploadedBatch: async () => {
      const made = await batch()
      await uploadParts(api, made.session, made.batch.parts)
      return made.session
    },
    token: () => mintToken(me),
    certificate: () => obtainCertificate(api),
    filters: () => issuedAround(target.now()),
    /** An accepted invoice in a session that is closed and settled. */
    shared: {
      open: once(session),
      accepted,
      /** The same invoice, once it can be retrieved. */
      stored: once(async () => {
        const { svcNumber, made } = await accepted()
        await retrieve(api, 'invoices.bySvcNumber', { svcNumber })
        return { svcNumber, made }
      }),
      exported: once(async () => {
        const started = await createExport(api, { filters: issuedAround(target.now()) })
        const [part] = exportParts(await settleExport(api, started))
        return { referenceNumber: started.referenceNumber, part }
      }),
      client: once(async () => {
        const client = await scene.login({ context: await another() })
        const permissions = [{ type: 'InvoiceRead', canDelegate: true }]
        await grantBy(client.api, 'permissions.grantEntity', {
          subjectIdentifier: { type: 'Nip', value: me.context.nip },
          permissions,
          description: 'granted by a conformance check',
          subjectDetails: { fullName: 'Office of a check' },
        })
        return client
      }),
    },
    personGrant: () => personGrant({ type: 'Nip', value: drawNip(rng) }, ['Introspection']),
    permission: async () => {
      const { subject } = await grant()
      const body = {
        queryType: 'PermissionsGrantedInCurrentContext',
        authorizedIdentifier: subject,
      }
      return String(only(await listOf(api, 'persons', body))['id'])
    },
    authorization: async () => {
      const agent = drawNip(rng)
      await authorizeSelfInvoicing(api, agent)
      const body = { queryType: 'Granted', authorizedIdentifier: { type: 'Nip', value: agent } }
      return String(only(await listOf(api, 'authorizations', body))['id'])
    },
    authorizationGrant: () =>
      authorizationGrant({ type: 'Nip', value: drawNip(rng) }, 'SelfInvoicing'),
  }
}

export type Stage = ReturnType<typeof createStage>
