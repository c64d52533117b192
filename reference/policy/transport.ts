import type { OperationId } from '../../contract/endpoints.ts'
import type { Bearer } from '../../contract/types.ts'
import { sha256Base64 } from '../base/crypto.ts'

const megabyte = 1_000_000

/** Decisions about paths, methods and bodies. */
export const transportPolicy = {
  // transport.document-hash: of the very bytes that are handed out
  documentHash: (bytes: Uint8Array, _what: 'invoice' | 'receipt' | 'export'): string =>
    sha256Base64(bytes),
  // transport.malformed-body: a body longer than the operation can take is refused before it is read to its end
  bodyLimit: (operation: OperationId): number =>
    operation === 'sessions.uploadPart'
      ? 101 * megabyte
      : operation === 'invoices.submit' || operation === 'invoices.send'
        ? 16 * megabyte
        : megabyte,
  bodyFits: (bytes: number, limit: number): boolean => bytes <= limit,
  // transport.malformed-body: a body that breaks its schema is refused
  violationsRefuse: (violations: number): boolean => violations > 0,
  // transport.media-type: the media type of the body is the one that the operation takes
  mediaTypeFits: (given: string, wanted: string): boolean => given === wanted,
  // transport.wrong-method: refused, and Allow says which would do
  wrongMethodRefused: (): boolean => true,
  allowHeader: (methods: readonly string[]): string => methods.join(', '),
  // transport.unknown-version, transport.unknown-is-404
  unknownPathAnswers: (_path: string): boolean => false,
  // transport.path-prefix, transport.trailing-slash, transport.export-alias: every spelling of a path answers
  pathAnswers: (_path: string): boolean => true,
  // testdata.only-in-test: an operation of some environments does not exist in the others
  operationExists: (environments: readonly string[] | undefined, environment: string): boolean =>
    environments === undefined || environments.includes(environment),
  // transport.health, auth.challenge.public, keys.list.public: no credentials where none are needed
  bearerNeeded: (_operation: OperationId, bearer: Bearer): boolean =>
    bearer !== 'none' && bearer !== 'link',
  // transport.malformed-body
  unreadableJson: (): unknown => undefined,
  // transport.media-type: what is answered is labelled as what it is
  answerMedia: (media: string): string => media,
  // transport.health
  healthStatus: (): string => 'ok',
  // transport.error-shape: one shape, nothing from within
  errorDetails: (details: readonly string[], _stack: string): readonly string[] => details,
  // transport.openapi-agrees
  describes: (_operation: OperationId): boolean => true,
}
