import type { AnyCall, Handlers, ProtectedCall } from '../call/call.ts'
import type { ContextIdentifier, ContextLimits, SubjectIdentifier } from '../model/entities.ts'
import { keyOf } from '../model/entities.ts'
import type { RateTable } from '../rates/limits.ts'
import { putGrants } from '../rights/operations.ts'
import { refuse } from '../base/refusals.ts'
import { instantOf } from '../base/wording.ts'

/** Test data and limit simulation: in the test environment only. Source: gaps testdata-paths, limit-simulation. */

interface Shown {
  readonly maxInvoiceSizeInMB: number
  readonly maxInvoiceWithAttachmentSizeInMB: number
  readonly maxInvoices: number
}

const megabyte = 1_000_000
const limitsOf = (shown: Shown): ContextLimits['online'] => ({
  maxInvoiceBytes: shown.maxInvoiceSizeInMB * megabyte,
  maxInvoiceWithAttachmentBytes: shown.maxInvoiceWithAttachmentSizeInMB * megabyte,
  maxInvoices: shown.maxInvoices,
})

/** Without an offset it is read in Europe/Warsaw, as everywhere. */
const instantOr = (text: string | null | undefined, otherwise: number): number =>
  (text ? instantOf(text) : undefined) ?? otherwise

/** Revokes every grant of a subject, or those of test data in one context. */
const takeBack = (call: AnyCall, subject: SubjectIdentifier, context?: ContextIdentifier): void => {
  const { state } = call.service
  for (const grant of state.grants.by('subject', keyOf(subject))) {
    if (grant.revokedAt !== undefined) continue
    if (context && (grant.kind !== 'testdata' || keyOf(grant.context) !== keyOf(context))) continue
    state.grants.put({ ...grant, revokedAt: call.now })
  }
}

const setRates = (call: ProtectedCall, rates: RateTable) => {
  call.service.state.rates.put({ context: call.caller.context, rates })
  return {}
}

export const testdataHandlers = {
  'testdata.createSubject': ({ service, body, now }) => {
    const { subjectNip, subjectType, description, subunits, createdDate } = body
    const { subjects } = service.state
    if (!service.policy.subjectCreatable(subjects.get(subjectNip) !== undefined)) {
      throw refuse('testdata-exists', subjectNip)
    }
    subjects.put({
      nip: subjectNip,
      type: subjectType,
      description,
      subunits: (subunits ?? []).map((unit) => ({
        nip: unit.subjectNip,
        description: unit.description,
      })),
      createdAt: instantOr(createdDate, now),
    })
    return {}
  },

  'testdata.removeSubject': ({ service, body }) => {
    const { subjectNip } = body
    service.state.subjects.delete(subjectNip)
    return {}
  },

  'testdata.createPerson': ({ service, body, now }) => {
    const { nip, pesel, isBailiff, description, isDeceased, createdDate } = body
    const { persons } = service.state
    if (!service.policy.subjectCreatable(persons.get(nip) !== undefined)) {
      throw refuse('testdata-exists', nip)
    }
    persons.put({
      nip,
      pesel,
      bailiff: isBailiff,
      deceased: isDeceased ?? false,
      description,
      createdAt: instantOr(createdDate, now),
    })
    return {}
  },

  'testdata.removePerson': (call) => {
    const { nip } = call.body
    const { persons } = call.service.state
    const person = persons.get(nip)
    if (person === undefined) return {}
    takeBack(call, { type: 'Nip', value: nip })
    takeBack(call, { type: 'Pesel', value: person.pesel })
    persons.delete(nip)
    return {}
  },

  'testdata.grant': ({ service, body, now }) => {
    const { contextIdentifier, authorizedIdentifier, permissions } = body
    const grants = permissions.map(({ permissionType, description }) => ({
      id: service.identifiers.uuid(),
      kind: 'testdata' as const,
      context: contextIdentifier,
      grantedIn: contextIdentifier,
      subject: authorizedIdentifier,
      permission: permissionType,
      author: { type: 'System' } as const,
      description,
      startsAt: now,
    }))
    putGrants(service, grants, now)
    return {}
  },

  'testdata.revoke': (call) => {
    const { contextIdentifier, authorizedIdentifier } = call.body
    takeBack(call, authorizedIdentifier, contextIdentifier)
    return {}
  },

  'testdata.allowAttachments': ({ service, body, now }) => {
    const { nip } = body
    service.state.consents.put({ nip, givenAt: now })
    return {}
  },

  'testdata.denyAttachments': ({ service, body, now }) => {
    const { nip, expectedEndDate } = body
    const consent = service.state.consents.get(nip)
    if (consent === undefined) return {}
    service.state.consents.put({ ...consent, revokedAt: instantOr(expectedEndDate, now) })
    return {}
  },

  'testdata.blockContext': ({ service, body }) => {
    const { contextIdentifier } = body
    if (contextIdentifier) service.state.blocks.put(contextIdentifier)
    return {}
  },

  'testdata.unblockContext': ({ service, body }) => {
    const { contextIdentifier } = body
    if (contextIdentifier) service.state.blocks.delete(keyOf(contextIdentifier))
    return {}
  },

  'testdata.updateCertificate': ({ service, caller, path, body, now }) => {
    const certificate = service.state.certificates.get(path.serialNumber)
    if (certificate === undefined || keyOf(certificate.subject) !== keyOf(caller.subject)) {
      throw refuse('certificate-unknown')
    }
    const validTo = instantOr(body.validTo, now)
    if (validTo > certificate.validTo) {
      throw refuse('invalid-input', "'validTo' must not be later than the present end")
    }
    service.state.certificates.put({ ...certificate, validTo })
    return {}
  },

  'testdata.setSessionLimits': ({ service, caller, body }) => {
    const { onlineSession, batchSession } = body
    service.state.contextLimits.put({
      context: caller.context,
      limits: { online: limitsOf(onlineSession), batch: limitsOf(batchSession) },
    })
    return {}
  },

  'testdata.restoreSessionLimits': ({ service, caller }) => {
    service.state.contextLimits.delete(keyOf(caller.context))
    return {}
  },

  'testdata.setSubjectLimits': ({ service, caller, body }) => {
    const { enrollment, certificate } = body
    service.state.subjectLimits.put({
      subject: caller.subject,
      limits: {
        ...(enrollment?.maxEnrollments !== undefined && {
          maxEnrollments: enrollment.maxEnrollments,
        }),
        ...(certificate?.maxCertificates !== undefined && {
          maxCertificates: certificate.maxCertificates,
        }),
      },
    })
    return {}
  },

  'testdata.restoreSubjectLimits': ({ service, caller }) => {
    service.state.subjectLimits.delete(keyOf(caller.subject))
    return {}
  },

  'testdata.setRateLimits': (call) => {
    const { rateLimits } = call.body
    return setRates(call, rateLimits)
  },

  'testdata.restoreRateLimits': (call) => setRates(call, call.service.limits.environmentRates()),

  'testdata.productionRateLimits': (call) => setRates(call, call.service.limits.productionRates()),
} satisfies Handlers<'testdata'>
