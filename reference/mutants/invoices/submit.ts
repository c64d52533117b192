import { createDecipheriv } from 'node:crypto'
import { decryptAes, fromBase64, sha256Base64 } from '../../base/crypto.ts'
import { dayOf } from '../../base/identifiers.ts'
import { keyOf } from '../../model/entities.ts'
import { policy } from '../../policy/policy.ts'
import type { Mutant } from '../mutant.ts'
import { garbledAsWrongHash } from '../rejections.ts'
import { issuedThoughMisfit, rightOnce } from '../once-more.ts'
import type { Fields } from '../rewrite.ts'
import { accepts, bodies, calls, refuses } from '../rewrite.ts'
import { ownSession } from '../session-views.ts'
import { minute } from '../spans.ts'
import { anyKey } from '../keys-of-others.ts'

/** Removes as many bytes as the last one says, whatever they are. */
export const unpaddedByLength = (
  key: Uint8Array,
  iv: Uint8Array,
  bytes: Uint8Array,
): Buffer | undefined => {
  if (bytes.length === 0 || bytes.length % 16 !== 0) return undefined
  const decipher = createDecipheriv('aes-256-cbc', key, iv).setAutoPadding(false)
  const plain = Buffer.concat([decipher.update(bytes), decipher.final()])
  const padding = plain.at(-1) ?? 0
  return padding >= 1 && padding <= 16 ? plain.subarray(0, plain.length - padding) : undefined
}

/** Decrypts like an implementation that does not check the padding. */
const decryptUnpadded = (key: Uint8Array, iv: Uint8Array, bytes: Uint8Array) => {
  const plain = decryptAes(key, iv, bytes)
  if (plain !== undefined || bytes.length === 0 || bytes.length % 16 !== 0) return plain
  const raw = createDecipheriv('aes-256-cbc', key, iv).setAutoPadding(false).update(bytes)
  let end = raw.length
  while (end > 0 && raw[end - 1] === 0) end--
  return raw.subarray(0, end)
}

/** A document that fills its blocks, without padding. */
const whole = (key: Uint8Array, iv: Uint8Array, bytes: Uint8Array): Buffer | undefined => {
  if (bytes.length === 0 || bytes.length % 16 !== 0) return undefined
  const raw = createDecipheriv('aes-256-cbc', key, iv).setAutoPadding(false).update(bytes)
  return /<\/[\w:]+> *$/.test(raw.toString('latin1')) ? raw : undefined
}

/** A document that was encrypted by the same cipher in counter mode. */
const streamed = (key: Uint8Array, iv: Uint8Array, bytes: Uint8Array): Buffer | undefined => {
  const plain = createDecipheriv('aes-256-ctr', key, iv).update(bytes)
  return plain.toString('latin1', 0, 1) === '<' ? plain : undefined
}

/** A field of what is declared of a technical correction is not compared. */
const uncheckedInCorrections = (honest: (content: Uint8Array) => Fields): Mutant =>
  calls(['invoices.submit'], (call) => {
    const body = call.body as Readonly<Record<string, string | null | undefined>>
    const { hashOfCorrectedInvoice, encryptedInvoiceContent } = body
    const content = fromBase64(encryptedInvoiceContent ?? '')
    return (hashOfCorrectedInvoice ?? undefined) === undefined || content === undefined
      ? call
      : { ...call, body: { ...body, ...honest(content) } }
  })

/** Characters that are no Base64 are skipped. */
const skipped = (characters: RegExp): Mutant => ({
  at: ['invoices.submit'],
  policy: { violationsRefuse: () => false },
  call(call, next) {
    const body = call.body as { readonly encryptedInvoiceContent: string }
    const encryptedInvoiceContent = body.encryptedInvoiceContent.replaceAll(characters, '')
    return next({ ...call, body: { ...body, encryptedInvoiceContent } })
  },
})

/** Defects of what is accepted for processing. */
export const invoicesSubmitMutants = {
  'invoices.submit.accepted/in-a-package': accepts(
    ['invoices.submit'],
    ['session-unknown'],
    (call) =>
      ownSession(call)?.kind === 'batch'
        ? { body: { referenceNumber: call.service.identifiers.reference('EE') } }
        : undefined,
  ),
  'invoices.submit.accepted/no-block-of-padding-alone': {
    policy: {
      decryptContent: (key, iv, bytes) => {
        const plain = decryptAes(key, iv, bytes)
        return plain === undefined || plain.length % 16 === 0 ? undefined : plain
      },
    },
  },
  'invoices.submit.accepted/idle-for-an-hour': refuses(
    ['invoices.submit'],
    'session-state-forbids',
    (call) => call.now - (ownSession(call)?.updatedAt ?? call.now) > 60 * minute,
  ),
  'invoices.submit.accepted/in-a-session-of-today': refuses(
    ['invoices.submit'],
    'session-unknown',
    (call) => dayOf(ownSession(call)?.openedAt ?? call.now) !== dayOf(call.now),
  ),
  'invoices.submit.accepted/reference-malformed': bodies(['invoices.submit'], {
    referenceNumber: 'accepted',
  }),
  'invoices.submit.hash-mismatch/unchecked-offline': {
    also: ['invoices.submit.size-mismatch'],
    at: ['invoices.submit'],
    tables: {
      invoices: {
        write(next, _before, { contents }) {
          const content = contents.get(next.referenceNumber)
          if (next.offline && content !== undefined) contents.put({ ...content, declared: false })
          return next
        },
      },
    },
  },
  'invoices.submit.hash-mismatch/hash-not-checked': { policy: { plainHashMatches: () => true } },
  'invoices.submit.size-mismatch/size-not-checked': { policy: { plainSizeMatches: () => true } },
  'invoices.submit.hash-mismatch/issued-all-the-same': issuedThoughMisfit('plainHashMatches'),
  'invoices.submit.size-mismatch/issued-all-the-same': issuedThoughMisfit('plainSizeMatches'),
  'invoices.submit.encrypted-metadata-mismatch/encrypted-hash-not-checked': {
    policy: { encryptedHashMatches: () => true },
  },
  'invoices.submit.encrypted-metadata-mismatch/encrypted-size-not-checked': {
    policy: { encryptedSizeMatches: () => true },
  },
  'invoices.submit.encrypted-metadata-mismatch/hash-unchecked-in-corrections':
    uncheckedInCorrections((content) => ({ encryptedInvoiceHash: sha256Base64(content) })),
  'invoices.submit.encrypted-metadata-mismatch/size-unchecked-in-corrections':
    uncheckedInCorrections(({ length }) => ({ encryptedInvoiceSize: length })),
  'invoices.submit.wrong-encryption/length-of-the-padding-only': {
    policy: { decryptContent: unpaddedByLength },
  },
  'invoices.submit.wrong-encryption/plain-content-accepted': {
    policy: {
      decryptContent: (key, iv, bytes) => decryptAes(key, iv, bytes) ?? Buffer.from(bytes),
    },
  },
  'invoices.submit.wrong-encryption/padding-not-checked': {
    policy: { decryptContent: decryptUnpadded },
  },
  'invoices.submit.wrong-encryption/whole-blocks-unpadded': {
    policy: {
      decryptContent: (key, iv, bytes) => decryptAes(key, iv, bytes) ?? whole(key, iv, bytes),
    },
  },
  'invoices.submit.wrong-encryption/prepended-vector-skipped': {
    policy: {
      decryptContent: (key, iv, bytes) =>
        decryptAes(key, iv, Buffer.from(iv).equals(bytes.slice(0, 16)) ? bytes.slice(16) : bytes),
    },
  },
  'invoices.submit.wrong-encryption/garbled-as-a-wrong-hash': garbledAsWrongHash(),
  'invoices.submit.wrong-encryption/as-a-stream': {
    policy: {
      decryptContent: (key, iv, bytes) => decryptAes(key, iv, bytes) ?? streamed(key, iv, bytes),
    },
  },
  'invoices.submit.bad-base64/loose-base64': {
    policy: {
      readContent: (text) => Buffer.from(text, 'base64'),
      violationsRefuse: () => false,
    },
  },
  'invoices.submit.bad-base64/anything-in-long-ones': {
    at: ['invoices.submit'],
    policy: {
      readContent: (text) =>
        text.length > 100_000 ? Buffer.from(text, 'base64') : policy.readContent(text),
      violationsRefuse: () => false,
    },
  },
  'invoices.submit.bad-base64/other-characters-skipped': skipped(/[^\w+/=]/g),
  'invoices.submit.bad-base64/leading-breaks-skipped': skipped(/^[\r\n]+/g),
  'invoices.submit.wrong-encryption/key-of-another-session': anyKey(),
  'invoices.submit.encrypted-metadata-mismatch/verified-once': rightOnce('encryptedHashMatches'),
  'invoices.submit.hash-mismatch/verified-once': rightOnce('plainHashMatches'),
  'invoices.submit.accepted/counted-in-its-session': bodies<{ readonly referenceNumber: string }>(
    ['invoices.submit'],
    ({ referenceNumber }, { service: { state }, caller }) => {
      const sent = state.invoices.get(referenceNumber)
      const first = state.sessions
        .by('context', caller === undefined ? '' : keyOf(caller.context))
        .flatMap((session) => state.invoices.by('session', session.referenceNumber))
        .find(({ ordinal }) => ordinal === sent?.ordinal)
      return { referenceNumber: first?.referenceNumber ?? referenceNumber }
    },
  ),
} as const satisfies Readonly<Record<string, Mutant>>
