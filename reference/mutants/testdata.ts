import { rateRules } from '../../contract/limits.ts'
import { nipOf } from '../model/entities.ts'
import type { Mutant } from './mutant.ts'
import { bodies, calls, writesNothing } from './rewrite.ts'

/** Defects of test data and limit simulation. */

export const testdataMutants = {
  'testdata.entities/forgotten': writesNothing('subjects'),
  'testdata.entities/first-unit-only': {
    tables: { subjects: { write: (next) => ({ ...next, subunits: next.subunits.slice(0, 1) }) } },
  },
  'testdata.entities/never-removed': {
    tables: { subjects: { remove: () => false }, persons: { remove: () => false } },
  },
  'testdata.entities/created-twice': {
    policy: { subjectCreatable: () => true },
  },
  'testdata.blocks/without-effect': {
    tables: { blocks: { read: () => undefined } },
  },
  'testdata.blocks/for-ever': {
    tables: { blocks: { remove: () => false } },
  },
  'testdata.blocks/everybody': {
    tables: { blocks: { read: (_found, _key, { blocks }) => [...blocks.values()][0] } },
  },
  'testdata.entities/the-dead-log-in': {
    tables: { persons: { write: (next) => ({ ...next, deceased: false }) } },
  },
  'testdata.entities/dead-bailiffs-log-in': {
    tables: { persons: { write: (next) => (next.bailiff ? { ...next, deceased: false } : next) } },
  },
  'testdata.attachments/denied-at-once': {
    tables: {
      consents: {
        write: (next) =>
          next.revokedAt === undefined ? next : { ...next, revokedAt: next.givenAt },
      },
    },
  },
  'testdata.attachments/reported-as-denied': bodies(['permissions.attachmentStatus'], {
    isAttachmentAllowed: false,
  }),
  'testdata.attachments/end-missing': bodies(['permissions.attachmentStatus'], {
    revokedDate: null,
  }),
  'testdata.limit-simulation/one-kind-for-both': {
    policy: { sessionBounds: ({ online }) => online },
  },
  'testdata.permissions/not-granted': writesNothing('grants', ['testdata.grant']),
  'testdata.permissions/never-revoked': writesNothing('grants', ['testdata.revoke']),
  'testdata.attachments/never-allowed': writesNothing('consents'),
  'testdata.attachments/never-denied': writesNothing('consents', ['testdata.denyAttachments']),
  'testdata.only-in-test/in-no-environment': {
    policy: { operationExists: (environments) => environments === undefined },
  },
  'testdata.only-in-test/in-every-environment': {
    policy: { operationExists: () => true },
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
} as const satisfies Readonly<Record<string, Mutant>>
