import type { RefusalId } from '../../contract/errors.ts'
import type { RuleId } from '../../contract/rules.ts'
import { limits } from '../../contract/limits.ts'
import { concatBytes } from '../../lib/codec.ts'
import type { Draw } from '../draw/draw.ts'
import type { Fault, Malformation } from './malformation.ts'
import { decrypted, hash64 } from '../requests/payload.ts'
import { drawBytes } from '../draw/draw.ts'
import type { BatchDraft, BatchFile, BatchPart, Package } from '../requests/package.ts'
import { describePackage, goodPackage } from '../requests/package.ts'

interface BrokenPackage extends Package {
  readonly fault: Fault
}

export interface BatchMalformation extends Malformation {
  readonly of: 'batch'
  /** When the refusal comes: to the opening, to the upload of a part, or in the processing after the close. */
  readonly at: 'opening' | 'upload' | 'processing'
  readonly apply: (draft: BatchDraft, draw: Draw) => BrokenPackage
}

const withFile = (made: Package, change: Partial<BatchFile>): Package => ({
  ...made,
  batchFile: { ...made.batchFile, ...change },
})
const withParts = (made: Package, change: (part: BatchPart, i: number) => BatchPart): Package =>
  withFile(made, { fileParts: made.batchFile.fileParts.map(change) })

interface Row {
  readonly id: string
  readonly summary: string
  readonly path: string
  readonly at: BatchMalformation['at']
  readonly rule: RuleId
  readonly refusedAs: RefusalId
  readonly make: (draft: BatchDraft, draw: Draw) => Package
}

const atOpening = { at: 'opening', rule: 'sessions.batch.too-large-refused' } as const
const malformed = {
  at: 'opening',
  rule: 'transport.malformed-body',
  refusedAs: 'invalid-input',
} as const
const atUpload = {
  at: 'upload',
  rule: 'sessions.batch.part-checked',
  refusedAs: 'part-refused',
} as const
const processing = { at: 'processing', rule: 'sessions.batch.close' } as const

const rows: readonly Row[] = [
  {
    ...atOpening,
    id: 'too-many-parts',
    summary: 'one part more than there may be',
    path: '/batchFile/fileParts',
    refusedAs: 'too-many-parts',
    make: (draft) => {
      const made = goodPackage(draft)
      const [part] = made.batchFile.fileParts
      const count = limits['batch.parts'].value + 1
      return withFile(made, {
        fileParts: Array.from({ length: count }, (_, i) => ({ ...part!, ordinalNumber: i + 1 })),
      })
    },
  },
  {
    ...atOpening,
    id: 'part-too-large',
    summary: 'a part that is larger than it may be',
    path: '/batchFile/fileParts/0/fileSize',
    refusedAs: 'part-size-wrong',
    make: (draft) =>
      withParts(goodPackage(draft), (part, i) =>
        i === 0 ? { ...part, fileSize: limits['batch.partBytes'].value + 17 } : part,
      ),
  },
  {
    ...atOpening,
    id: 'package-too-large',
    summary: 'a package that is larger than it may be',
    path: '/batchFile/fileSize',
    refusedAs: 'package-too-large',
    make: (draft) =>
      withFile(goodPackage(draft), { fileSize: limits['batch.packageBytes'].value + 1 }),
  },
  {
    ...malformed,
    id: 'no-parts',
    summary: 'no part',
    path: '/batchFile/fileParts',
    make: (draft) => withFile(goodPackage(draft), { fileParts: [] }),
  },
  {
    ...malformed,
    id: 'size-zero',
    summary: 'a package of no bytes',
    path: '/batchFile/fileSize',
    make: (draft) => withFile(goodPackage(draft), { fileSize: 0 }),
  },
  {
    ...malformed,
    id: 'ordinal-zero',
    summary: 'parts that are numbered from zero',
    path: '/batchFile/fileParts/0/ordinalNumber',
    make: (draft) =>
      withParts(goodPackage(draft), (part) => ({ ...part, ordinalNumber: part.ordinalNumber - 1 })),
  },
  {
    ...processing,
    id: 'part-missing',
    summary: 'a part that is never uploaded',
    path: '(part 1)',
    refusedAs: 'part-missing',
    make: (draft) => {
      const made = goodPackage(draft)
      return { ...made, parts: made.parts.map((part, i) => (i === 0 ? undefined : part)) }
    },
  },
  {
    ...atUpload,
    id: 'part-other-bytes',
    summary: 'a part whose bytes are not those that were announced',
    path: '(part 1)',
    make: (draft, draw) => {
      const made = goodPackage(draft)
      return {
        ...made,
        parts: made.parts.map((part, i) => (i === 0 ? drawBytes(draw, part!.length) : part)),
      }
    },
  },
  {
    ...atUpload,
    id: 'part-longer',
    summary: 'a part that is longer than was announced',
    path: '(part 1)',
    make: (draft) => {
      const made = goodPackage(draft)
      return {
        ...made,
        parts: made.parts.map((part, i) =>
          i === 0 ? concatBytes([part!, new Uint8Array(16)]) : part,
        ),
      }
    },
  },
  {
    ...processing,
    id: 'hash-of-encrypted',
    summary: 'the hash of the encrypted package instead of the plain one',
    path: '/batchFile/fileHash',
    refusedAs: 'package-hash-mismatch',
    make: (draft) => {
      const made = goodPackage(draft)
      return withFile(made, { fileHash: hash64(concatBytes(made.parts.map((part) => part!))) })
    },
  },
  {
    ...processing,
    id: 'hash-other',
    summary: 'the hash of something else',
    path: '/batchFile/fileHash',
    refusedAs: 'package-hash-mismatch',
    make: (draft) => withFile(goodPackage(draft), { fileHash: hash64(new Uint8Array(0)) }),
  },
  {
    ...processing,
    id: 'other-key',
    summary: 'parts under another key',
    path: '(parts)',
    refusedAs: 'package-undecryptable',
    make: (draft, draw) => {
      // With one key in 256 a part ends like valid padding; then another fault would show, of the archive or a hash.
      const key = drawBytes(draw, 32)
      const under = () => goodPackage({ ...draft, key })
      let made = under()
      while (made.parts.some((part) => decrypted(part!, draft) !== undefined)) {
        key[0] = (key[0]! + 1) % 256
        made = under()
      }
      return made
    },
  },
  {
    ...processing,
    id: 'not-encrypted',
    summary: 'parts that are not encrypted',
    path: '(parts)',
    refusedAs: 'package-undecryptable',
    make: (draft) => {
      // One byte more than whole blocks: no encrypted content has such a length.
      const archive = draft.archive.length % 16 === 0 ? draft.archive.slice(0, -1) : draft.archive
      return { batchFile: describePackage(archive, [archive]), parts: [archive] }
    },
  },
  {
    ...processing,
    id: 'cut-part',
    summary: 'a part that is cut within a block before it was described',
    path: '(parts)',
    refusedAs: 'package-undecryptable',
    make: (draft) => {
      const parts = goodPackage(draft).parts.map((part) => part!.slice(0, -1))
      return { batchFile: describePackage(draft.archive, parts), parts }
    },
  },
]

/** Packages that are described, cut or encrypted wrongly; the archive in them is good. */
export function batches(): BatchMalformation[] {
  return rows.map(({ id, summary, path, at, rule, refusedAs, make }) => ({
    id: `batch:${id}`,
    layer: 'batch',
    of: 'batch',
    at,
    rule,
    refusedAs,
    summary,
    apply: (draft, draw) => ({ ...make(draft, draw), fault: { path, new: summary } }),
  }))
}
