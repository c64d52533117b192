import type { Mutant } from './mutant.ts'
import { policy } from '../policy/policy.ts'

const noBytes = new Uint8Array()

export const transportMutants = {
  'transport.prefix-only': {
    breaks: ['transport.path-prefix'],
    policy: { pathAnswers: (path) => !path.startsWith('/limits/') },
  },
  'transport.media-ignored': {
    breaks: ['transport.media-type'],
    policy: { mediaTypeFits: () => true },
  },
  'transport.answers-as-text': {
    breaks: ['transport.media-type'],
    policy: { answerMedia: () => 'text/plain' },
  },
  'transport.answers.schema.empty-health': {
    breaks: ['transport.answers.schema'],
    policy: { healthStatus: () => '' },
  },
  'transport.answers.no-server-error.health-fails': {
    breaks: ['transport.answers.no-server-error'],
    policy: {
      healthStatus: () => {
        throw new Error('the health check fails')
      },
    },
  },
  'transport.everything-found': {
    breaks: ['transport.unknown-is-404'],
    policy: { unknownPathAnswers: () => true },
  },
  'transport.any-method': {
    breaks: ['transport.wrong-method'],
    policy: { wrongMethodRefused: () => false },
  },
  'transport.health-behind-login': {
    breaks: ['transport.health'],
    policy: {
      bearerNeeded: (operation, bearer) =>
        operation === 'transport.health' || policy.bearerNeeded(operation, bearer),
    },
  },
  'transport.version-ignored': {
    breaks: ['transport.unknown-version'],
    policy: { unknownPathAnswers: (path) => /^(\/api)?\/v\d+\//.test(path) },
  },
  'transport.schema-unchecked': {
    breaks: ['transport.malformed-body'],
    policy: { violationsRefuse: () => false },
  },
  'transport.unreadable-as-empty': {
    breaks: ['transport.malformed-body'],
    policy: { unreadableJson: () => ({}), violationsRefuse: () => false },
  },
  'transport.slash-matters': {
    breaks: ['transport.trailing-slash'],
    policy: { pathAnswers: (path) => !path.endsWith('/') },
  },
  'transport.one-export-spelling': {
    breaks: ['transport.export-alias'],
    policy: { pathAnswers: (path) => !/\/invoices\/export(\/|$)/.test(path) },
  },
  'transport.description-lacks-sessions': {
    breaks: ['transport.openapi-agrees'],
    policy: { describes: (operation) => !operation.startsWith('sessions.') },
  },
  'transport.stack-in-details': {
    breaks: ['transport.error-shape'],
    policy: { errorDetails: (_, stack) => stack.split('\n') },
  },

  'transport.document-hash.of-nothing': {
    breaks: ['transport.document-hash'],
    policy: {
      documentHash: (bytes, what) =>
        policy.documentHash(what === 'invoice' ? noBytes : bytes, what),
    },
  },
  'transport.document-hash.in-hex': {
    breaks: ['transport.document-hash'],
    policy: {
      documentHash: (bytes, what) => {
        const hash = policy.documentHash(bytes, what)
        return what === 'receipt' ? Buffer.from(hash, 'base64').toString('hex') : hash
      },
    },
  },
  'transport.document-hash.before-encryption': {
    breaks: ['transport.document-hash'],
    policy: {
      documentHash: (bytes, what) =>
        policy.documentHash(what === 'export' ? bytes.subarray(16) : bytes, what),
    },
  },
} as const satisfies Record<string, Mutant>
