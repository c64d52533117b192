import type { BatchPackage, BatchPart } from '../../../lib/flows/batch.ts'
import { otherAt, swapCase } from '../../../lib/node/digests.ts'

/** What may be wrong with the declaration of a package. */

export type Spoil<T> = (good: T, other: T) => T

/** What may be wrong with the declaration of one part; `other` is its neighbour. */
export const spoiltParts: Readonly<Record<string, Spoil<BatchPart>>> = {
  'the hash of another part': (part, other) => ({ ...part, fileHash: other.fileHash }),
  'its hash in other letter case': (part) => ({ ...part, fileHash: swapCase(part.fileHash) }),
  'its hash but for the beginning': (part) => ({ ...part, fileHash: otherAt(part.fileHash, 0) }),
  'its hash but for the end': (part) => ({ ...part, fileHash: otherAt(part.fileHash, 41) }),
  'one byte too many': (part) => ({ ...part, fileSize: part.fileSize + 1 }),
  'one byte too few': (part) => ({ ...part, fileSize: part.fileSize - 1 }),
  'the bytes of another part': (part, other) => ({ ...part, bytes: other.bytes }),
  'one byte changed': (part) => ({
    ...part,
    bytes: part.bytes.map((byte, at) => (at === part.bytes.length - 1 ? byte ^ 1 : byte)),
  }),
}

/** What may be wrong with the declaration of the whole. */
export const spoiltWholes: Readonly<Record<string, Spoil<BatchPackage>>> = {
  'the hash of another archive': (batch, other) => ({ ...batch, fileHash: other.fileHash }),
  'its hash in other letter case': (batch) => ({ ...batch, fileHash: swapCase(batch.fileHash) }),
  'its hash but for the beginning': (batch) => ({ ...batch, fileHash: otherAt(batch.fileHash, 0) }),
  'its hash but for the end': (batch) => ({ ...batch, fileHash: otherAt(batch.fileHash, 41) }),
  'one byte too many': (batch) => ({ ...batch, fileSize: batch.fileSize + 1 }),
  'one byte too few': (batch) => ({ ...batch, fileSize: batch.fileSize - 1 }),
  'another kind of archive': (batch) => ({
    ...batch,
    compressionType: batch.compressionType === 'TarGz' ? 'Zip' : 'TarGz',
  }),
  'parts numbered from 0': (batch) => numbered(batch, (ordinal) => ordinal - 1),
  'parts numbered from 2': (batch) => numbered(batch, (ordinal) => ordinal + 1),
  'a number left out': (batch) => numbered(batch, (ordinal) => (ordinal > 1 ? ordinal + 1 : 1)),
  'a number given twice': (batch) => numbered(batch, (ordinal) => Math.max(1, ordinal - 1)),
}

const numbered = (batch: BatchPackage, ordinal: (given: number) => number): BatchPackage => ({
  ...batch,
  parts: batch.parts.map((part) => ({ ...part, ordinalNumber: ordinal(part.ordinalNumber) })),
})
