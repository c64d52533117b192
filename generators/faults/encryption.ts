import { createCipheriv } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { concatBytes } from '../../lib/codec.ts'
import type { Draw } from '../draw/draw.ts'
import type { SubmissionDraft } from '../requests/payload.ts'
import type { SubmissionMalformation } from './submission.ts'
import { describe, encrypted } from '../requests/payload.ts'
import { drawBytes } from '../draw/draw.ts'
import { seenFirst } from './submission.ts'

const block = 16

/** Fills the last block up. */
function filled(plain: Uint8Array, last: (missing: number) => Uint8Array): Uint8Array {
  const missing = block - (plain.length % block)
  return concatBytes([plain, last(missing)])
}
const zeros = (missing: number) => new Uint8Array(missing)
const bitThenZeros = (missing: number) => Uint8Array.of(0x80, ...zeros(missing - 1))
const zerosThenCount = (missing: number) => Uint8Array.of(...zeros(missing - 1), missing)

const without = (draft: SubmissionDraft, padded: Uint8Array) =>
  encrypted(padded, draft, { padding: false })

function gcm({ xml, key, iv }: SubmissionDraft, nonce: Uint8Array, withTag: boolean): Uint8Array {
  const cipher = createCipheriv('aes-256-gcm', key, nonce.length > 0 ? nonce : iv)
  const content = concatBytes([cipher.update(xml), cipher.final()])
  return withTag ? concatBytes([content, cipher.getAuthTag()]) : content
}

/** The second and third block, swapped. */
function swapped(content: Uint8Array): Uint8Array {
  if (content.length < 3 * block) return content.toReversed()
  const at = (n: number) => content.subarray(n * block, (n + 1) * block)
  return concatBytes([at(0), at(2), at(1), content.subarray(3 * block)])
}

function flipped(content: Uint8Array, index: number): Uint8Array {
  const copy = content.slice()
  copy[index]! ^= 1
  return copy
}

/** Encrypts a document in a wrong way. */
type Wrong = (draft: SubmissionDraft, draw: Draw) => Uint8Array

const ways: readonly (readonly [id: string, summary: string, wrong: Wrong])[] = [
  [
    'other-key',
    'encrypted under another key',
    (draft, draw) => encrypted(draft.xml, { ...draft, key: drawBytes(draw, 32) }),
  ],
  [
    'key-reversed',
    'the bytes of the key in reverse',
    (draft) => encrypted(draft.xml, { ...draft, key: draft.key.toReversed() }),
  ],
  [
    'key-zero',
    'a key of zeros',
    (draft) => encrypted(draft.xml, { ...draft, key: new Uint8Array(32) }),
  ],
  [
    'wrapped-key',
    'the first bytes of the encrypted key as key',
    (draft) => encrypted(draft.xml, { ...draft, key: draft.wrappedKey.slice(0, 32) }),
  ],
  [
    'other-iv',
    'another initialization vector',
    (draft, draw) => encrypted(draft.xml, { ...draft, iv: drawBytes(draw, block) }),
  ],
  [
    'iv-zero',
    'an initialization vector of zeros',
    (draft) => encrypted(draft.xml, { ...draft, iv: new Uint8Array(block) }),
  ],
  [
    'iv-in-front',
    'the initialization vector in front of the content',
    (draft) => concatBytes([draft.iv, encrypted(draft.xml, draft)]),
  ],
  [
    'key-as-iv',
    'the first half of the key as initialization vector',
    (draft) => encrypted(draft.xml, { ...draft, iv: draft.key.slice(0, block) }),
  ],
  [
    'ecb',
    'blocks encrypted one by one (ECB)',
    (draft) => encrypted(draft.xml, draft, { algorithm: 'aes-256-ecb', iv: null }),
  ],
  [
    'ctr',
    'counter mode (CTR)',
    (draft) => encrypted(draft.xml, draft, { algorithm: 'aes-256-ctr' }),
  ],
  [
    'cfb',
    'cipher feedback (CFB)',
    (draft) => encrypted(draft.xml, draft, { algorithm: 'aes-256-cfb' }),
  ],
  [
    'ofb',
    'output feedback (OFB)',
    (draft) => encrypted(draft.xml, draft, { algorithm: 'aes-256-ofb' }),
  ],
  [
    'gcm',
    'Galois counter mode (GCM) without its tag',
    (draft) => gcm(draft, new Uint8Array(0), false),
  ],
  [
    'gcm-tag',
    'Galois counter mode (GCM) with its tag',
    (draft) => gcm(draft, new Uint8Array(0), true),
  ],
  [
    'gcm-nonce-12',
    'Galois counter mode (GCM) with a nonce of 12 bytes',
    (draft) => gcm(draft, draft.iv.slice(0, 12), true),
  ],
  [
    'aes-128',
    'AES-128 with half of the key',
    (draft) =>
      encrypted(draft.xml, { ...draft, key: draft.key.slice(0, 16) }, { algorithm: 'aes-128-cbc' }),
  ],
  [
    'aes-192',
    'AES-192 with three quarters of the key',
    (draft) =>
      encrypted(draft.xml, { ...draft, key: draft.key.slice(0, 24) }, { algorithm: 'aes-192-cbc' }),
  ],
  ['padding-zero', 'filled up with zeros', (draft) => without(draft, filled(draft.xml, zeros))],
  [
    'padding-iso',
    'filled up with one bit and zeros',
    (draft) => without(draft, filled(draft.xml, bitThenZeros)),
  ],
  [
    'padding-ansi',
    'filled up with zeros and a count',
    (draft) =>
      without(
        draft,
        filled(draft.xml.slice(0, -1 - ((draft.xml.length + 14) % block)), zerosThenCount),
      ),
  ],
  [
    'padding-none',
    'whole blocks without padding',
    (draft) => without(draft, draft.xml.slice(0, draft.xml.length - (draft.xml.length % block))),
  ],
  [
    'padding-too-long',
    'a padding count above the block',
    (draft) =>
      without(
        draft,
        filled(draft.xml, (missing) => new Uint8Array(missing).fill(block + 1)),
      ),
  ],
  [
    'cut-block',
    'the last block is missing',
    (draft) => encrypted(draft.xml, draft).slice(0, -block),
  ],
  ['cut-byte', 'the last byte is missing', (draft) => encrypted(draft.xml, draft).slice(0, -1)],
  ['cut-half', 'the second half is missing', (draft) => cutInHalf(encrypted(draft.xml, draft))],
  ['cut-first', 'the first block is missing', (draft) => encrypted(draft.xml, draft).slice(block)],
  [
    'byte-more',
    'a byte too many',
    (draft) => concatBytes([encrypted(draft.xml, draft), Uint8Array.of(0)]),
  ],
  [
    'block-more',
    'a block too many',
    (draft, draw) => concatBytes([encrypted(draft.xml, draft), drawBytes(draw, block)]),
  ],
  [
    'swapped-blocks',
    'two blocks in the wrong order',
    (draft) => swapped(encrypted(draft.xml, draft)),
  ],
  [
    'bit-in-last',
    'a bit of the last block is flipped',
    (draft) => flipped(encrypted(draft.xml, draft), encrypted(draft.xml, draft).length - 1),
  ],
  [
    'bit-in-first',
    'a bit of the first block is flipped',
    (draft) => flipped(encrypted(draft.xml, draft), 0),
  ],
  ['twice', 'encrypted twice', (draft) => encrypted(encrypted(draft.xml, draft), draft)],
  ['not-at-all', 'not encrypted', (draft) => draft.xml],
  [
    'random',
    'random bytes',
    (draft, draw) => drawBytes(draw, Math.ceil(draft.xml.length / block) * block),
  ],
  [
    'compressed',
    'compressed before it was encrypted',
    (draft) => encrypted(gzipSync(draft.xml), draft),
  ],
  [
    'base64-inside',
    'Base64 before it was encrypted',
    (draft) => encrypted(Buffer.from(Buffer.from(draft.xml).toString('base64')), draft),
  ],
  [
    'utf-16-inside',
    'converted to UTF-16 before it was encrypted',
    (draft) => encrypted(Buffer.from(Buffer.from(draft.xml).toString('utf8'), 'utf16le'), draft),
  ],
]

function cutInHalf(content: Uint8Array): Uint8Array {
  return content.slice(0, Math.max(block, Math.floor(content.length / 2 / block) * block))
}

/** Content that is not the correctly encrypted document, but is described correctly. */
export function encryption(): SubmissionMalformation[] {
  return ways.map(([id, summary, wrong]) => ({
    id: `encryption:${id}`,
    layer: 'encryption',
    of: 'submission',
    rule: 'invoices.submit.wrong-encryption',
    refusedAs: 'invoice-undecryptable',
    summary,
    apply: (draft, draw) => {
      const content = wrong(draft, draw)
      return {
        body: { ...describe(draft.xml, content) },
        fault: { path: '/encryptedInvoiceContent', new: summary },
        refusedAs: seenFirst(draft, content),
      }
    },
  }))
}
