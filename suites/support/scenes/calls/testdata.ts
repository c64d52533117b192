import { drawNip } from '../../../../lib/identifiers/nip.ts'
import { drawPesel } from '../../../../lib/identifiers/pesel.ts'
import { expectObject, expectOk } from '../../../../lib/outcome.ts'
import { knownFields } from '../../answers/known-fields.ts'
import type { Stage } from '../../callers/stage.ts'
import { nothing } from './ready-call.ts'
import type { CallsOf } from './ready-call.ts'

const description = 'made by a conformance check'

const subject = async ({ api, rng }: Stage) => {
  const subjectNip = drawNip(rng)
  const body = { subjectNip, subjectType: 'VatGroup', description }
  expectOk(await api.call('testdata.createSubject', { body }), 'create a subject')
  return subjectNip
}
const person = ({ rng }: Stage) => ({
  nip: drawNip(rng),
  pesel: drawPesel(rng),
  isBailiff: false,
  description,
})
const here = ({ me }: Stage) => ({ type: me.context.type, value: me.context.value })

export const testdataCalls: CallsOf<'testdata'> = {
  'testdata.createSubject': ({ rng }) =>
    Promise.resolve({
      body: { subjectNip: drawNip(rng), subjectType: 'VatGroup', description },
    }),
  'testdata.removeSubject': async (stage) => ({ body: { subjectNip: await subject(stage) } }),
  'testdata.createPerson': (stage) => Promise.resolve({ body: person(stage) }),
  'testdata.removePerson': async (stage) => {
    const body = person(stage)
    expectOk(await stage.api.call('testdata.createPerson', { body }), 'create a person')
    return { body: { nip: body.nip } }
  },
  'testdata.grant': (stage) =>
    Promise.resolve({
      body: {
        contextIdentifier: { type: 'Nip', value: stage.me.context.nip },
        authorizedIdentifier: { type: 'Nip', value: drawNip(stage.rng) },
        permissions: [{ permissionType: 'InvoiceRead', description }],
      },
    }),
  'testdata.revoke': async (stage) => {
    const body = {
      contextIdentifier: { type: 'Nip', value: stage.me.context.nip },
      authorizedIdentifier: { type: 'Nip', value: drawNip(stage.rng) },
    }
    const permissions = [{ permissionType: 'InvoiceRead', description }]
    const given = await stage.api.call('testdata.grant', { body: { ...body, permissions } })
    expectOk(given, 'grant permissions')
    return { body }
  },
  'testdata.allowAttachments': ({ me }) => Promise.resolve({ body: { nip: me.context.nip } }),
  'testdata.denyAttachments': async ({ api, me }) => {
    const body = { nip: me.context.nip }
    expectOk(await api.call('testdata.allowAttachments', { body }), 'enable attachments')
    return { body }
  },
  'testdata.blockContext': async ({ another }) => {
    const { type, value } = await another()
    return { body: { contextIdentifier: { type, value } } }
  },
  'testdata.unblockContext': (stage) =>
    Promise.resolve({ body: { contextIdentifier: here(stage) } }),
  'testdata.updateCertificate': async ({ certificate, target }) => ({
    path: { serialNumber: (await certificate()).serialNumber },
    body: { validTo: new Date(target.now() + 24 * 3600 * 1000).toISOString() },
  }),
  'testdata.setSessionLimits': async ({ me }) => ({
    body: knownFields(
      expectObject(await me.api.call('limits.context'), 'read the limits'),
      'ContextLimits',
    ),
  }),
  'testdata.restoreSessionLimits': nothing,
  'testdata.setSubjectLimits': () =>
    Promise.resolve({ body: { certificate: { maxCertificates: 2 } } }),
  'testdata.restoreSubjectLimits': nothing,
  'testdata.setRateLimits': async ({ me }) => ({
    body: {
      rateLimits: knownFields(
        expectObject(await me.api.call('limits.rates'), 'read the rates'),
        'RateLimits',
      ),
    },
  }),
  'testdata.restoreRateLimits': nothing,
  'testdata.productionRateLimits': nothing,
}
