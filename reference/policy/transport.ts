import type { OperationId } from '../../contract/endpoints.ts'

const megabyte = 1_000_000

/** Decisions about paths, methods and bodies. */
export const transportPolicy = {
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
  // testdata.only-in-test: an operation of some environments does not exist in the others
  operationExists: (environments: readonly string[] | undefined, environment: string): boolean =>
    environments === undefined || environments.includes(environment),
}
