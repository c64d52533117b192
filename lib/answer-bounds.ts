import { endpoint } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'

/** How much of an answer is read: no answer needs more than this, so a longer one is not read to its end. */

const mebibyte = 2 ** 20

/** The longest answer that is not a package is a receipt of 10,000 invoices. */
export const maxAnswerBytes = 16 * mebibyte

/** The longest packages that the contract knows are parts of exports. */
const maxPackageBytes = 128 * mebibyte

/** Maximum number of bytes in an answer of an operation. */
export const maxBytesOf = (operation: OperationId | undefined): number =>
  operation !== undefined && endpoint(operation).answer.media === 'application/octet-stream'
    ? maxPackageBytes
    : maxAnswerBytes
