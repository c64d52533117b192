import type { Mutant } from './mutant.ts'
import { policy } from '../policy/policy.ts'

const day = 24 * 3600 * 1000

export const keysMutants = {
  'keys.list.behind-login': {
    breaks: ['keys.list.public'],
    policy: {
      bearerNeeded: (operation, bearer) =>
        operation === 'keys.list' || policy.bearerNeeded(operation, bearer),
    },
  },
  'keys.list.one-usage': {
    breaks: ['keys.list.usages'],
    policy: { keyUsages: () => ['SymmetricKeyEncryption'] },
  },
  'keys.list.other-dates': {
    breaks: ['keys.list.certificates-parse'],
    policy: {
      keyDates: (validFrom, validTo) => ({ validFrom: validFrom - day, validTo: validTo + day }),
    },
  },
  'keys.list.id-of-nothing': {
    breaks: ['keys.list.certificates-parse'],
    policy: { shownCertificateId: () => '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' },
  },
  'keys.rotation.withdrawn-works': {
    breaks: ['keys.rotation.served'],
    policy: { keyLive: () => true },
  },
  'keys.list.ahead-of-the-calendar': {
    breaks: ['keys.list.production-calendar'],
    policy: {
      keysListedFrom: () => true,
      keyLive: (_, validTo, withdrawnFrom, at) => policy.keyLive(at, validTo, withdrawnFrom, at),
    },
  },
  'keys.list.previous-version-there': {
    breaks: ['keys.list.previous-version-absent'],
    policy: { unknownPathAnswers: (path) => /public-?key/i.test(path) },
  },
} as const satisfies Record<string, Mutant>
