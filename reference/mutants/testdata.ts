import { ratesOfTheirSetter } from './work-of-a-login.ts'
import { endpoint } from '../../contract/endpoints.ts'
import { rateRules } from '../../contract/limits.ts'
import { refuse } from '../base/refusals.ts'
import type { TestPerson, TestSubject } from '../model/entities.ts'
import { keyOf, nipOf } from '../model/entities.ts'
import { thereForCallers } from './callers.ts'
import { deniedAtOnce, endKept, withdrawnOnce } from './consents.ts'
import type { Mutant } from './mutant.ts'
import type { Fields } from './rewrite.ts'
import { answers, bodies, calls, ignores, lists, refuses, writesNothing } from './rewrite.ts'
import { doneWhereHeld, notToTheRemoved, replacesTheHeld } from './test-grants.ts'

/** Remembers the bailiffs that were ever created. */
const onceABailiff = (): Mutant => {
  const known = new Set<unknown>()
  return calls(['testdata.createPerson'], (call) => {
    const body = call.body as Fields
    if (body['isBailiff'] === true) known.add(body['nip'])
    return known.has(body['nip']) ? { ...call, body: { ...body, isBailiff: true } } : call
  })
}

/** A subject that is created again gets the units of the earlier one with its number. */
const remembersUnits = (): Mutant => {
  const known = new Map<string, TestSubject['subunits']>()
  return {
    tables: {
      subjects: {
        write(next) {
          const subunits = [...(known.get(next.nip) ?? []), ...next.subunits]
          known.set(next.nip, next.subunits)
          return { ...next, subunits }
        },
      },
    },
  }
}

const remembersPersons = (): Mutant => {
  const known: TestPerson[] = []
  return {
    tables: {
      persons: {
        write(next) {
          known.push(next)
          return next
        },
        find: (found, _index, value, persons) => [
          ...found,
          ...known.filter(({ nip, pesel }) => pesel === value && persons.get(nip) !== undefined),
        ],
      },
    },
  }
}

/** Defects of test data and limit simulation. */
export const testdataMutants = {
  'testdata.entities/every-person-enforces': {
    at: ['invoice'],
    tables: { persons: { read: (found) => found && { ...found, bailiff: true } } },
  },
  'testdata.entities/tokens-of-the-deceased-work': {
    tables: {
      authentications: {
        write: (next) =>
          next.status.code === 470 && next.method === 'Token'
            ? { ...next, status: { code: 200, description: 'succeeded' } }
            : next,
      },
    },
  },
  'testdata.entities/one-role-at-most': lists(['permissions.queryRoles'], 'roles', (roles) =>
    roles.slice(0, 1),
  ),
  'testdata.entities/other-number-unknown': {
    at: ['authentication'],
    tables: { persons: { read: () => undefined, find: () => [] } },
  },
  'testdata.entities/bailiffs-by-pesel-only': refuses(
    ['tokens.create'],
    'token-permissions-lacking',
    ({ caller, body }) =>
      caller?.subject.type === 'Nip' &&
      (body as { readonly permissions: readonly string[] }).permissions.includes(
        'EnforcementOperations',
      ),
  ),
  'testdata.entities/created-today': ignores(['testdata.createSubject'], 'createdDate'),
  'testdata.entities/once-a-bailiff': onceABailiff(),
  'testdata.entities/once-a-member': remembersUnits(),
  'testdata.entities/once-an-owner': remembersPersons(),
  'testdata.entities/forgotten': writesNothing('subjects'),
  'testdata.entities/first-unit-only': {
    tables: { subjects: { write: (next) => ({ ...next, subunits: next.subunits.slice(0, 1) }) } },
  },
  'testdata.entities/units-removed-from-all': {
    tables: {
      subjects: {
        remove(key, { subjects }) {
          const gone = new Set(subjects.get(key)?.subunits.map(({ nip }) => nip))
          for (const one of subjects.values()) {
            const subunits = one.subunits.filter(({ nip }) => !gone.has(nip))
            if (one.nip !== key && subunits.length < one.subunits.length)
              subjects.put({ ...one, subunits })
          }
          return true
        },
      },
    },
  },
  'testdata.entities/never-removed': {
    tables: { subjects: { remove: () => false }, persons: { remove: () => false } },
  },
  'testdata.entities/created-twice': { policy: { subjectCreatable: () => true } },
  'testdata.entities/the-dead-log-in': {
    tables: { persons: { write: (next) => ({ ...next, deceased: false }) } },
  },
  'testdata.entities/dead-bailiffs-log-in': {
    tables: { persons: { write: (next) => (next.bailiff ? { ...next, deceased: false } : next) } },
  },
  'testdata.blocks/unblocks-the-taxpayer': {
    at: ['testdata.unblockContext'],
    call(call, next) {
      const { contextIdentifier } = call.body as { contextIdentifier?: { value: string } }
      const { blocks } = call.service.state
      for (const block of blocks.values())
        if (block.value.slice(0, 10) === contextIdentifier?.value.slice(0, 10))
          blocks.delete(keyOf(block))
      return next(call)
    },
  },
  'testdata.blocks/without-effect': { tables: { blocks: { read: () => undefined } } },
  'testdata.blocks/for-ever': { tables: { blocks: { remove: () => false } } },
  'testdata.blocks/everybody': {
    tables: { blocks: { read: (_found, _key, { blocks }) => [...blocks.values()][0] } },
  },
  'testdata.permissions/replaces-what-was-granted': replacesTheHeld,
  'testdata.permissions/done-where-one-is-held': doneWhereHeld,
  'testdata.permissions/not-to-removed-persons': notToTheRemoved('persons'),
  'testdata.permissions/not-to-removed-subjects': notToTheRemoved('subjects'),
  'testdata.permissions/not-granted': writesNothing('grants', ['testdata.grant']),
  'testdata.permissions/never-revoked': writesNothing('grants', ['testdata.revoke']),
  'testdata.attachments/withdrawn-once': withdrawnOnce,
  'testdata.attachments/end-kept-when-allowed-again': endKept,
  'testdata.attachments/denied-at-once': deniedAtOnce,
  'testdata.attachments/reported-as-denied': bodies(['permissions.attachmentStatus'], {
    isAttachmentAllowed: false,
  }),
  'testdata.attachments/end-missing': bodies(['permissions.attachmentStatus'], {
    revokedDate: null,
  }),
  'testdata.attachments/never-allowed': writesNothing('consents'),
  'testdata.attachments/never-denied': writesNothing('consents', ['testdata.denyAttachments']),
  'testdata.only-in-test/in-no-environment': {
    policy: { operationExists: (environments) => environments === undefined },
  },
  'testdata.only-in-test/in-every-environment': { policy: { operationExists: () => true } },
  'testdata.only-in-test/there-for-callers': thereForCallers(),
  'testdata.only-in-test/unknown-only-to-a-valid-body': {
    policy: { operationExists: () => true },
    call(call, next) {
      const { environments = [call.service.environment.id] } = endpoint(call.operation)
      if (!environments.includes(call.service.environment.id)) throw refuse('unknown-path')
      return next(call)
    },
  },
  'testdata.limit-simulation/sessions-restored-with-the-rates': calls(
    ['testdata.restoreRateLimits'],
    (call) => {
      if (call.caller) call.service.state.contextLimits.delete(keyOf(call.caller.context))
      return call
    },
  ),
  'testdata.limit-simulation/rates-restored-with-the-sessions': calls(
    ['testdata.restoreSessionLimits'],
    (call) => {
      if (call.caller) call.service.state.rates.delete(keyOf(call.caller.context))
      return call
    },
  ),
  'testdata.limit-simulation/none-as-default': {
    tables: {
      contextLimits: {
        write({ context, limits: { online, batch } }) {
          const some = (of: typeof online) => ({ ...of, maxInvoices: of.maxInvoices || 10_000 })
          return { context, limits: { online: some(online), batch: some(batch) } }
        },
      },
    },
  },
  'testdata.limit-simulation/one-subject-limit-clears-the-other': {
    tables: {
      subjectLimits: {
        write: (next) => ({
          ...next,
          limits: { maxEnrollments: 0, maxCertificates: 0, ...next.limits },
        }),
      },
    },
  },
  'testdata.limit-simulation/session-limits-not-of-eu-entities': {
    tables: {
      contextLimits: {
        write: (next) => (next.context.type === 'NipVatUe' ? undefined : next),
      },
    },
  },
  'testdata.limit-simulation/no-size-as-the-default': {
    tables: {
      contextLimits: {
        write: ({ limits: { online, batch }, ...next }) => ({
          ...next,
          limits: {
            online: { ...online, maxInvoiceBytes: online.maxInvoiceBytes || 1_000_000 },
            batch,
          },
        }),
      },
    },
  },
  'testdata.limit-simulation/one-kind-for-both': {
    policy: { sessionBounds: ({ online }) => online },
  },
  'testdata.limit-simulation/production-ignored': writesNothing('rates', [
    'testdata.productionRateLimits',
  ]),
  'testdata.limit-simulation/custom-ignored': writesNothing('rates', ['testdata.setRateLimits']),
  'testdata.limit-simulation/never-restored': writesNothing('rates', [
    'testdata.restoreRateLimits',
  ]),
  'testdata.limit-simulation/rates-for-everyone': {
    at: ['testdata.setRateLimits'],
    tables: {
      rates: {
        write(next, _before, { authentications, rates }) {
          for (const { context } of authentications.values()) rates.put({ ...next, context })
          return next
        },
      },
    },
  },
  'testdata.limit-simulation/rates-of-the-taxpayer-below-it': {
    at: ['testdata.setRateLimits'],
    tables: {
      rates: {
        write(next, _before, { authentications, rates }) {
          const { type, value } = next.context
          for (const { context } of type === 'Nip' ? authentications.values() : [])
            if (nipOf(context) === value && rates.get(keyOf(context)) === undefined)
              rates.put({ ...next, context })
          return next
        },
      },
    },
  },
  'testdata.limit-simulation/calls-forgotten': answers(
    ['testdata.setRateLimits'],
    (answer, { service }) => {
      service.limiter.clear()
      return answer
    },
  ),
  'testdata.limit-simulation/default-row-ignored': {
    tables: {
      rates: {
        write: ({ rates, ...next }) => ({
          ...next,
          rates: { ...rates, default: rateRules.default.window },
        }),
      },
    },
  },
  'testdata.limit-simulation/session-limits-of-the-taxpayer': calls(
    ['testdata.setSessionLimits'],
    (call) =>
      call.caller === undefined
        ? call
        : {
            ...call,
            caller: { ...call.caller, context: { type: 'Nip', value: nipOf(call.caller.context) } },
          },
  ),
  'testdata.limit-simulation/rates-of-their-setter': ratesOfTheirSetter(),
} as const satisfies Readonly<Record<string, Mutant>>
