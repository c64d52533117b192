import { drawNip } from '../../../../lib/identifiers/nip.ts'
import { fingerprint } from '../../../../lib/node/certificate.ts'
import { anonymousSubject, makeCertificate } from '../../../../lib/node/pki.ts'
import { euAdministrator } from '../../callers/administrators.ts'
import {
  entityGrant,
  euAdministrationGrant,
  euGrant,
  granted,
  indirectGrant,
  unitGrant,
} from '../../callers/grants.ts'
import { nothing, unfiltered } from './ready-call.ts'
import type { CallsOf } from './ready-call.ts'
import { drawUnit } from '../../run/units.ts'

export const permissionCalls: CallsOf<'permissions'> = {
  'permissions.grantPerson': ({ personGrant }) => Promise.resolve({ body: personGrant() }),
  'permissions.grantEntity': ({ rng }) =>
    Promise.resolve({ body: entityGrant(drawNip(rng), [{ type: 'InvoiceRead' }]) }),
  'permissions.grantAuthorization': ({ authorizationGrant }) =>
    Promise.resolve({ body: authorizationGrant() }),
  'permissions.grantIndirect': async ({ rng, shared }) => {
    const { context } = await shared.client()
    const firm = { type: 'Nip', value: context.nip }
    return { body: indirectGrant({ type: 'Nip', value: drawNip(rng) }, ['InvoiceRead'], firm) }
  },
  'permissions.grantSubunit': ({ me, rng }) => {
    const unit = drawUnit(rng, me.context.nip)
    return Promise.resolve({
      body: unitGrant({ type: 'Nip', value: drawNip(rng) }, unit, 'a branch'),
    })
  },
  'permissions.grantEuAdministration': ({ me, rng, target }) => {
    const administrator = makeCertificate({
      subject: anonymousSubject(`Bezimienna ${rng.digits(6)}`),
      now: target.now(),
    })
    const context = `${me.context.nip}-DE${rng.digits(9)}`
    return Promise.resolve({
      body: euAdministrationGrant(fingerprint(administrator.certificate), context),
    })
  },
  'permissions.grantEu': async (stage) => {
    const { api } = await euAdministrator(stage)
    const clerk = makeCertificate({ subject: anonymousSubject('Nowak'), now: stage.target.now() })
    return { by: api, body: euGrant(fingerprint(clerk.certificate), ['InvoiceRead']) }
  },
  'permissions.revoke': async ({ permission }) => ({
    path: { permissionId: await permission() },
  }),
  'permissions.revokeAuthorization': async ({ authorization }) => ({
    path: { permissionId: await authorization() },
  }),
  'permissions.attachmentStatus': nothing,
  'permissions.queryPersonal': unfiltered,
  'permissions.queryPersons': () => Promise.resolve({ body: granted }),
  'permissions.querySubunits': unfiltered,
  'permissions.queryEntities': unfiltered,
  'permissions.queryRoles': nothing,
  'permissions.querySubordinateRoles': unfiltered,
  'permissions.queryAuthorizations': () => Promise.resolve({ body: { queryType: 'Granted' } }),
  'permissions.queryEu': unfiltered,
}
