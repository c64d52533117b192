import { reached } from '../base/wording.ts'
import { partId } from '../invoices/package.ts'
import type { Mutant } from './mutant.ts'
import { policy } from '../policy/policy.ts'

/** Defects of packages: what is compared of parts and of the whole, and what a refused close leaves. */

const sameButForCase = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase()

export const packagesMutants = {
  'sessions.batch.part-checked/first-hash-only': {
    also: ['sessions.batch.close'],
    policy: {
      partHashFits: (part, hash) => part.ordinalNumber > 1 || policy.partHashFits(part, hash),
    },
  },
  'sessions.batch.part-checked/refused-upload-removes-the-part': {
    at: ['sessions.uploadPart'],
    call(call, next) {
      try {
        return next(call)
      } catch (error) {
        const { referenceNumber = '', ordinalNumber = '' } = call.path
        call.service.state.parts.delete(partId(referenceNumber, Number(ordinalNumber)))
        throw error
      }
    },
  },
  'sessions.batch.close/parts-in-the-order-of-text': {
    policy: {
      joined: (uploaded) =>
        uploaded.toSorted((a, b) => (String(a.ordinalNumber) < String(b.ordinalNumber) ? -1 : 1)),
    },
  },
  'sessions.batch.part-checked/first-size-only': {
    policy: { partFits: (part, bytes) => part.ordinalNumber > 1 || policy.partFits(part, bytes) },
  },
  'sessions.batch.part-checked/hash-without-case': {
    policy: { partHashFits: (part, hash) => sameButForCase(part.fileHash, hash) },
  },
  'sessions.batch.close/package-by-size': {
    policy: { packageMatches: (announced, found) => announced.size === found.size },
  },
  'sessions.batch.close/package-by-hash': {
    policy: { packageMatches: (announced, found) => announced.hash === found.hash },
  },
  'sessions.batch.close/package-without-case': {
    policy: {
      packageMatches: (announced, found) =>
        announced.size === found.size && sameButForCase(announced.hash, found.hash),
    },
  },
  'sessions.batch.close/refused-close-ends': {
    at: ['sessions.closeBatch'],
    call(call, next) {
      try {
        return next(call)
      } catch (error) {
        const { sessions } = call.service.state
        const session = sessions.get(call.path['referenceNumber'] ?? '')
        if (session?.status.code === 100)
          sessions.put({ ...session, status: reached('batchSession', 440) })
        throw error
      }
    },
  },
  'sessions.batch.close/refused-close-drops-parts': {
    at: ['sessions.closeBatch'],
    call(call, next) {
      try {
        return next(call)
      } catch (error) {
        const { parts } = call.service.state
        for (const { id } of parts.by('session', call.path['referenceNumber'] ?? ''))
          parts.delete(id)
        throw error
      }
    },
  },
  'sessions.batch.close/first-part-time-only': {
    at: ['sessions.uploadPart', 'sessions.closeBatch'],
    policy: { uploadInTime: (now, until) => now <= until - 1_200_000 },
  },
  'sessions.batch.close/folders-refused': {
    policy: { archiveNameAllowed: (name) => !name.includes('/') },
  },
  'sessions.batch.bad-form-code-refused/system-code-only': {
    also: ['sessions.online.bad-form-code-refused'],
    at: ['sessions.openBatch'],
    policy: { formCodeFits: ({ formCode }, asked) => formCode.systemCode === asked.systemCode },
  },
  'sessions.online.form-code-forms/no-label-for-packages': {
    at: ['sessions.openBatch'],
    policy: { formCodeLabelFits: () => false },
  },
} as const satisfies Readonly<Record<string, Mutant>>
