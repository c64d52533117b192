import { sha256Base64 } from '../../base/crypto.ts'
import { reached } from '../../base/wording.ts'
import { partId } from '../../invoices/package.ts'
import { closeOnline } from '../../invoices/processing.ts'
import { policy } from '../../policy/policy.ts'
import { comparedAsOpened } from '../as-opened.ts'
import { countedByNumber, oneRowForANumber } from '../by-number.ts'
import { anyKey } from '../keys-of-others.ts'
import { uploadsBlockedToo, uploadsByTheHour, uploadsOfOnePart } from '../limiters.ts'
import { endUnsigned } from '../links.ts'
import type { Mutant } from '../mutant.ts'
import { describedAs } from '../reasons.ts'
import { failedOnly, onLaterPages } from '../pages.ts'
import {
  countedWithTheClose,
  firstPartAlone,
  ofTar,
  placesAsText,
  repeatedPartsSpoilt,
  uploadsCounted,
  waitsForParts,
} from '../parts.ts'
import { judgedByTheFirst, numberKept, stopsAfter } from '../rejections.ts'
import type { Fields } from '../rewrite.ts'
import { accepts, bodies, calls, changesWhereRefused, ignores, lists, refuses } from '../rewrite.ts'
import { ownSession, toldToOthers } from '../session-views.ts'
import { day } from '../spans.ts'

const sameButForCase = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase()

const whereAnyPartIsTaken: Mutant['absentIn'] = ({ deferred }) =>
  deferred?.includes('part-refused') ? 'any part is taken' : undefined

/** Defects of batch sessions. */
export const sessionsBatchMutants = {
  'sessions.batch.close/tar-not-compared': ofTar(['batch'], (isTar) => ({
    packageMatches: (announced, found) => isTar() || policy.packageMatches(announced, found),
  })),
  'sessions.batch.close/tar-joined-as-it-came': ofTar(['batch'], (isTar) => ({
    joined: (uploaded) => (isTar() ? uploaded : policy.joined(uploaded)),
  })),
  'sessions.batch.part-checked/parts-of-a-tar-unchecked': {
    ...ofTar(['sessions.uploadPart'], (isTar) => ({
      partFits: (part, bytes) => isTar() || policy.partFits(part, bytes),
      partHashFits: (part, hash) => isTar() || policy.partHashFits(part, hash),
    })),
    absentIn: whereAnyPartIsTaken,
  },
  'sessions.batch.opens/places-as-text': placesAsText,
  'sessions.batch.opens/batch-without-addresses': lists(
    ['sessions.openBatch'],
    'partUploadRequests',
    (requests) => requests.slice(1),
  ),
  'sessions.batch.bad-key-refused/name-unread': ignores(['sessions.openBatch'], 'publicKeyId'),
  'sessions.batch.bad-key-refused/batch-key-not-checked': {
    policy: { initVectorFits: () => true, sessionKeyFits: () => true },
  },
  'sessions.batch.bad-form-code-refused/batch-form-code-not-checked': {
    policy: { formCodeFits: () => true, formCodeLabelFits: () => true, schemaInForce: () => true },
  },
  'sessions.batch.bad-form-code-refused/system-code-only': {
    also: ['sessions.online.bad-form-code-refused'],
    at: ['sessions.openBatch'],
    policy: { formCodeFits: ({ formCode }, asked) => formCode.systemCode === asked.systemCode },
  },
  'sessions.batch.part-checked/end-of-the-link-unsigned': endUnsigned('upload'),
  'sessions.batch.part-checked/part-hash-not-checked': {
    also: ['sessions.batch.upload-unchecked'],
    policy: { partHashFits: () => true, packageMatches: () => true },
  },
  'sessions.batch.part-checked/part-not-checked': {
    also: ['sessions.batch.upload-unchecked'],
    policy: { partFits: () => true, partHashFits: () => true, packageMatches: () => true },
  },
  'sessions.batch.part-checked/part-headers-not-checked': {
    policy: { partHeadersFit: () => true },
  },
  'sessions.batch.part-checked/first-hash-only': {
    also: ['sessions.batch.close', 'sessions.batch.upload-unchecked'],
    policy: {
      partHashFits: (part, hash) => part.ordinalNumber > 1 || policy.partHashFits(part, hash),
    },
  },
  'sessions.batch.part-checked/refused-upload-removes-the-part': {
    ...changesWhereRefused(['sessions.uploadPart'], ({ service, path }) => {
      const { referenceNumber = '', ordinalNumber = '' } = path
      service.state.parts.delete(partId(referenceNumber, Number(ordinalNumber)))
    }),
    absentIn: whereAnyPartIsTaken,
  },
  'sessions.batch.part-checked/first-size-only': {
    policy: { partFits: (part, bytes) => part.ordinalNumber > 1 || policy.partFits(part, bytes) },
  },
  'sessions.batch.part-checked/hash-without-case': {
    policy: { partHashFits: (part, hash) => sameButForCase(part.fileHash, hash) },
  },
  'sessions.batch.part-checked/values-of-headers-unread': {
    policy: {
      partHeadersFit: (headers, agreed) => Object.keys(agreed).every((name) => name in headers),
    },
  },
  'sessions.batch.upload-unchecked/checked-at-upload': refuses(
    ['sessions.uploadPart'],
    'part-refused',
    ({ service, path, bytes }) => {
      const announced = service.state.sessions.get(path['referenceNumber']!)?.package
      const part = announced?.parts[Number(path['ordinalNumber']) - 1]
      return part !== undefined && part.fileHash !== sha256Base64(bytes)
    },
  ),
  'sessions.batch.upload-unchecked/first-upload-kept': {
    tables: { parts: { write: (next, before) => before ?? next } },
  },
  'sessions.batch.upload-unchecked/unpacked-or-decrypted-all-one': bodies(
    ['sessions.status'],
    ({ status }: { readonly status: { readonly code: number } }) => ({
      status: { ...status, code: status.code === 430 ? 435 : status.code },
    }),
  ),
  'sessions.batch.upload-unchecked/key-refused-while-open': {
    tables: {
      sessions: {
        write: (next, before) =>
          before === undefined && next.refused ? { ...next, status: next.refused } : next,
      },
    },
  },
  'sessions.batch.close/closes-interactive-ones': accepts(
    ['sessions.closeBatch'],
    ['session-unknown'],
    (call) => {
      const session = ownSession(call)
      if (session?.kind !== 'online') return undefined
      closeOnline(call.service, session)
      return {}
    },
  ),
  'sessions.batch.close/kind-of-archive-unread': calls(['sessions.openBatch'], (call) => {
    const { batchFile, ...rest } = call.body as { readonly batchFile: Fields }
    return { ...call, body: { ...rest, batchFile: { ...batchFile, compressionType: undefined } } }
  }),
  'sessions.batch.close/closed-at-the-end-of-its-time': {
    ...calls(['sessions.status'], (call) => {
      const { service, now } = call
      const session = service.state.sessions.get(call.path['referenceNumber'] ?? '')
      if (
        session?.kind === 'batch' &&
        session.status.code === 100 &&
        now > session.openedAt + day
      ) {
        service.state.sessions.put({ ...session, status: { ...session.status, code: 150 } })
        service.schedule.later('batch', session.referenceNumber, 0)
      }
      return call
    }),
    at: ['sessions.status', 'sessions.openBatch'],
    later: (kind, ms) => (kind === 'expiry' ? undefined : ms),
  },
  'sessions.batch.hostile-archive/no-reason': describedAs(['sessions.status'], 'batchSession', 100),
  'sessions.batch.failed-list/no-reason': describedAs(
    ['sessions.failed'],
    'invoice',
    200,
    'invoices',
  ),
  'sessions.batch.close/closes-twice': {
    policy: { sessionMayClose: (state) => state === 100 || state === 200 },
  },
  'sessions.batch.close/missing-part-not-noticed': {
    policy: { everyPartNeeded: () => true, packageMatches: () => true },
  },
  'sessions.batch.close/waits-for-parts': waitsForParts(),
  'sessions.batch.close/parts-joined-as-uploaded': { policy: { joined: (uploaded) => uploaded } },
  'sessions.batch.close/parts-in-the-order-of-text': {
    policy: {
      joined: (uploaded) =>
        uploaded.toSorted((a, b) => (String(a.ordinalNumber) < String(b.ordinalNumber) ? -1 : 1)),
    },
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
  'sessions.batch.close/refused-close-ends': changesWhereRefused(
    ['sessions.closeBatch'],
    (call) => {
      const session = ownSession(call)
      if (session?.status.code === 100)
        call.service.state.sessions.put({ ...session, status: reached('batchSession', 440) })
    },
  ),
  'sessions.batch.close/refused-close-drops-parts': changesWhereRefused(
    ['sessions.closeBatch'],
    ({ service: { state }, path }) => {
      for (const { id } of state.parts.by('session', path['referenceNumber'] ?? ''))
        state.parts.delete(id)
    },
  ),
  'sessions.batch.close/first-part-time-only': {
    at: ['sessions.uploadPart', 'sessions.closeBatch'],
    policy: { uploadInTime: (now, until) => now <= until - 1_200_000 },
  },
  'sessions.batch.close/uploads-counted': uploadsCounted(),
  'sessions.batch.close/folders-refused': {
    policy: { archiveNameAllowed: (name) => !name.includes('/') },
  },
  'sessions.batch.errors-isolated/batch-stops-at-first-error': stopsAfter(1, 'batch'),
  'sessions.batch.errors-isolated/batch-stops-at-third-error': stopsAfter(3, 'batch'),
  'sessions.batch.errors-isolated/batch-stops-where-none-is-right': stopsAfter(3, 'batch', 0),
  'sessions.batch.errors-isolated/number-kept': numberKept,
  'sessions.batch.errors-isolated/judged-by-the-first': judgedByTheFirst(),
  'sessions.batch.errors-isolated/one-too-large-spoils-all': {
    policy: { archiveEntryAllowed: ({ length }) => length <= 3_000_000 },
  },
  'sessions.batch.failed-list/rejections-only': {
    policy: { listedAsFailed: (code) => code >= 300 && code < 500 },
  },
  'sessions.batch.failed-list/all-on-later-pages': onLaterPages(['sessions.failed'], (later) => ({
    listedAsFailed: (code) => later() || policy.listedAsFailed(code),
  })),
  'sessions.batch.failed-list/for-the-opener-alone': toldToOthers('sessions.failed', () => ({
    invoices: [],
  })),
  'sessions.batch.failed-list/one-row-for-a-number': oneRowForANumber('sessions.failed'),
  'sessions.batch.failed-list/counted-by-number': countedByNumber(
    'failedInvoiceCount',
    ({ status }) => status.code >= 300,
  ),
  'sessions.batch.failed-list/ends-at-a-thousand': failedOnly(1_000),
  'sessions.batch.failed-list/failed-list-empty': { policy: { listedAsFailed: () => false } },
  'sessions.batch.failed-list/failed-list-holds-all': { policy: { listedAsFailed: () => true } },
  'sessions.batch.ten-thousand/package-one-invoice-more': {
    policy: { sessionHasRoom: (invoices, most) => invoices <= most },
  },
  'sessions.batch.parts-unlimited/uploads-limited': refuses(
    ['sessions.uploadPart'],
    'rate-limited',
    ({ service, path }) => service.state.parts.by('session', path['referenceNumber']!).length >= 8,
  ),
  'sessions.batch.parts-unlimited/uploads-limited-by-the-hour': uploadsByTheHour,
  'sessions.batch.parts-unlimited/each-part-ten-times': uploadsOfOnePart('all'),
  'sessions.batch.parts-unlimited/bad-parts-ten-times': {
    ...uploadsOfOnePart('refused'),
    absentIn: whereAnyPartIsTaken,
  },
  'sessions.batch.parts-unlimited/counted-with-the-close': countedWithTheClose,
  'sessions.batch.parts-unlimited/blocked-with-the-openings': uploadsBlockedToo(),
  'sessions.batch.hostile-archive/names-in-tar': ofTar(['batch'], (isTar) => ({
    archiveNameAllowed: (name) => isTar() || policy.archiveNameAllowed(name),
  })),
  'sessions.batch.hostile-archive/check-value-of-large-entries-unread': {
    policy: { archiveCheckValueFits: (one) => one.bytes > 1e6 || one.stated === one.found },
  },
  'sessions.batch.hostile-archive/backslashes': {
    policy: { archiveNameAllowed: (name) => policy.archiveNameAllowed(name.replaceAll('\\', '_')) },
  },
  'sessions.batch.hostile-archive/traversal-accepted': {
    policy: { archiveNameAllowed: () => true },
  },
  'sessions.batch.too-large-refused/first-part-alone': firstPartAlone,
  'sessions.batch.too-large-refused/part-size-unlimited': { policy: { partSizeFits: () => true } },
  'sessions.batch.duplicates/batch-duplicates-accepted': {
    policy: { claimHolds: ({ session }) => session.kind !== 'batch' },
  },
  'sessions.batch.duplicates/package-duplicates-accepted': {
    policy: { claimHolds: ({ held, session }) => held.session !== session.referenceNumber },
  },
  'sessions.batch.duplicates/compared-as-opened': comparedAsOpened('online'),
  'sessions.batch.duplicates/packages-compared-as-opened': comparedAsOpened('batch'),
  'sessions.batch.duplicates/of-other-packages-accepted': {
    policy: {
      claimHolds: (repeat) =>
        (policy.claimHolds(repeat) &&
          !(repeat.session.kind === 'batch' && repeat.held.session.includes('-SB-'))) ||
        repeat.held.session === repeat.session.referenceNumber,
    },
  },
  'sessions.batch.close/key-of-an-earlier-package': { at: ['batch'], ...anyKey() },
  'sessions.batch.close/repeated-parts-spoilt': repeatedPartsSpoilt,
} as const satisfies Readonly<Record<string, Mutant>>
