import { endpoint } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'

/** Up to where an answer is read: a service that sends more than any answer may need is not listened to for longer. */

const mebibyte = 2 ** 20

/** The longest answer that is no package is a receipt of 10 000 invoices. */
export const maxAnswerBytes = 16 * mebibyte

/** The longest packages that the contract knows are parts of exports. */
const maxPackageBytes = 128 * mebibyte

/** The most bytes of an answer of an operation. */
export const maxBytesOf = (operation: OperationId | undefined): number =>
  operation !== undefined && endpoint(operation).answer.media === 'application/octet-stream'
    ? maxPackageBytes
    : maxAnswerBytes
