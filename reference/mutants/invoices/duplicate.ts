import { dayOf } from '../../base/identifiers.ts'
import { reached } from '../../base/wording.ts'
import { keyOf } from '../../model/entities.ts'
import { invoicesPolicy } from '../../policy/invoices.ts'
import { policy } from '../../policy/policy.ts'
import type { Mutant } from '../mutant.ts'
import { sentAloneApart } from '../once-more.ts'
import type { Fields } from '../rewrite.ts'
import { bodies } from '../rewrite.ts'
import { inPackages, statuses } from '../statuses.ts'
import { isAlone, isPackage } from '../ways-of-sending.ts'

const firstOfFa3 = Date.parse('2026-02-01T00:00:00+01:00')

/** An invoice is rejected where an equal one is in a state: neither of two is accepted. */
const rejectedBeside = (code: number): Mutant => ({
  tables: {
    invoices: {
      write(next, _before, { invoices }) {
        const others = next.status.code === 200 ? [...invoices.values()] : []
        const isBeside = others.some(
          ({ hash, referenceNumber, status }) =>
            hash === next.hash && referenceNumber !== next.referenceNumber && status.code === code,
        )
        return isBeside ? { ...next, status: reached('invoice', 440) } : next
      },
    },
  },
})

/** Numbers of some kinds are held to the end of the fifth year. */
const forFiveYears = (kinds: RegExp): Mutant => ({
  tables: {
    claims: {
      write(next) {
        const [, kind = ''] = JSON.parse(next.triple) as readonly string[]
        const until = `${Number(next.until.slice(0, 4)) - 5}${next.until.slice(4)}`
        return kinds.test(kind) ? { ...next, until } : next
      },
    },
  },
})

/** Defects of what is a duplicate. */
export const invoicesDuplicateMutants = {
  'invoices.duplicate.rejected/original-of-any-kind': {
    at: ['invoice'],
    tables: {
      claims: {
        read(found, key, { claims }) {
          if (found === undefined) return found
          const [seller, , number] = JSON.parse(key) as readonly string[]
          return [...claims.values()].find(({ triple }) => {
            const [other, , same] = JSON.parse(triple) as readonly string[]
            return other === seller && same === number
          })
        },
      },
    },
  },
  'invoices.duplicate.rejected/duplicates-accepted': { policy: { claimHolds: () => false } },
  'invoices.duplicate.triple/corrections-as-their-originals': {
    policy: {
      tripleOf: ({ seller, kind, number }) =>
        JSON.stringify([seller.nip, kind.replace('KOR_', ''), number]),
    },
  },
  'invoices.duplicate.triple/joined': {
    policy: { tripleOf: ({ seller, kind, number }) => [seller.nip, kind, number].join('_') },
  },
  'invoices.duplicate.triple/same-look': {
    policy: {
      tripleOf: ({ number, ...facts }) =>
        policy.tripleOf({ ...facts, number: number.normalize('NFKC') }),
    },
  },
  'invoices.duplicate.triple/duplicate-without-seller': {
    policy: { tripleOf: ({ kind, number }) => JSON.stringify([kind, number]) },
  },
  'invoices.duplicate.triple/by-sender': {
    policy: {
      tripleOf: ({ kind, number }) => JSON.stringify([kind, number]),
      claimHolds: (repeat) =>
        policy.claimHolds(repeat) && repeat.held.context === keyOf(repeat.session.context),
    },
  },
  'invoices.duplicate.triple/duplicate-without-kind': {
    policy: { tripleOf: ({ seller, number }) => JSON.stringify([seller.nip, number]) },
  },
  'invoices.duplicate.triple/duplicate-by-letters-and-digits': {
    policy: {
      tripleOf: ({ seller, kind, number }) =>
        JSON.stringify([seller.nip, kind, number.replaceAll(/[^A-Za-z0-9]/g, '')]),
    },
  },
  'invoices.duplicate.triple/digits-alone': {
    policy: {
      tripleOf: (facts) =>
        invoicesPolicy.tripleOf({ ...facts, number: facts.number.replaceAll(/\D/g, '') }),
    },
  },
  'invoices.duplicate.everywhere/by-schema': {
    policy: {
      claimHolds: (repeat) =>
        policy.claimHolds(repeat) &&
        repeat.held.at < firstOfFa3 === (repeat.session.schema === 'fa2'),
    },
  },
  'invoices.duplicate.everywhere/duplicate-within-session-only': {
    policy: { claimHolds: ({ held, session }) => held.session === session.referenceNumber },
  },
  'invoices.duplicate.everywhere/duplicate-within-context-only': {
    policy: { claimHolds: ({ held, session }) => held.context === keyOf(session.context) },
  },
  'invoices.duplicate.everywhere/sent-by-the-seller-only': {
    tables: {
      claims: {
        write: (next) => {
          const [seller] = JSON.parse(next.triple) as readonly string[]
          return next.context === keyOf({ type: 'Nip', value: seller ?? '' }) ? next : undefined
        },
      },
    },
  },
  'invoices.duplicate.ten-years/from-the-sending': {
    tables: {
      claims: { write: (next) => ({ ...next, until: policy.uniqueUntil(dayOf(next.at)) }) },
    },
  },
  'invoices.duplicate.ten-years/until-the-first-ends': {
    tables: {
      claims: { write: (next, before) => (before ? { ...next, until: before.until } : next) },
    },
  },
  'invoices.duplicate.ten-years/corrections-for-five-years': forFiveYears(/^KOR/),
  'invoices.duplicate.ten-years/advances-for-five-years': forFiveYears(/^(ZAL|ROZ)$/),
  'invoices.duplicate.ten-years/simplified-for-five-years': forFiveYears(/^UPR$/),
  'invoices.duplicate.ten-years/duplicate-ten-days': {
    policy: {
      uniqueUntil: (day) => new Date(Date.parse(day) + 10 * 86_400_000).toISOString().slice(0, 10),
    },
  },
  'invoices.duplicate.ten-years/duplicate-to-the-day': {
    policy: { uniqueUntil: (day) => `${Number(day.slice(0, 4)) + 10}${day.slice(4)}` },
  },
  'invoices.duplicate.ten-years/duplicate-for-ever': { policy: { claimHolds: () => true } },
  'invoices.duplicate.race/same-instant-accepted': {
    policy: { claimHolds: ({ held, now }) => now - held.at > 250 },
  },
  'invoices.duplicate.race/same-instant-accepted-in-packages': {
    policy: {
      claimHolds: (repeat) =>
        policy.claimHolds(repeat) &&
        !(isPackage(repeat.session) && repeat.now - repeat.held.at < 250),
    },
  },
  'invoices.duplicate.race/apart-in-sessions-and-packages': {
    policy: {
      claimHolds: (repeat) =>
        policy.claimHolds(repeat) &&
        !(
          repeat.now - repeat.held.at < 250 &&
          /-SB-/.test(repeat.held.session) !== isPackage(repeat.session)
        ),
    },
  },
  'invoices.duplicate.race/rejected-while-another-is-received': rejectedBeside(100),
  'invoices.duplicate.race/rejected-while-another-is-processed': rejectedBeside(150),
  'invoices.duplicate.ten-years/packages-look-back-a-year': {
    policy: {
      claimHolds: (repeat) =>
        policy.claimHolds(repeat) &&
        !(isPackage(repeat.session) && repeat.now - repeat.held.at > 365 * 86_400_000),
    },
  },
  'invoices.duplicate.points-to-original/no-number-in-packages': inPackages({
    originalSvcNumber: null,
  }),
  'invoices.duplicate.points-to-original/duplicate-without-original': statuses(
    ({ status: { extensions: _, ...status } }) => ({
      status,
      originalSessionReferenceNumber: undefined,
      originalSvcNumber: undefined,
    }),
  ),
  'invoices.duplicate.points-to-original/none-sent-alone': {
    at: ['invoice'],
    needs: 'invoices.send',
    tables: {
      claims: {
        read: (found, _key, state) =>
          found && isAlone(state.sessions.get(found.session))
            ? { ...found, session: '', svcNumber: '' }
            : found,
      },
    },
  },
  'invoices.duplicate.points-to-original/for-its-sender-alone': bodies(
    ['invoices.inSession'],
    ({ originalSessionReferenceNumber: original }: Fields, { service, caller }) => {
      const session = service.state.sessions.get(String(original))
      return !session || !caller || keyOf(session.subject) === keyOf(caller.subject)
        ? {}
        : { originalSessionReferenceNumber: undefined, originalSvcNumber: undefined }
    },
  ),
  'invoices.duplicate.points-to-original/latest-of-the-number': {
    also: ['invoices.duplicate.rejected'],
    ...bodies(['invoices.inSession'], ({ originalSvcNumber }: Fields, { service: { state } }) => {
      const { facts } = state.issued.get(String(originalSvcNumber)) ?? {}
      const latest = facts && state.issued.by('number', facts.number).at(-1)
      return latest === undefined
        ? {}
        : { originalSvcNumber: latest.svcNumber, originalSessionReferenceNumber: latest.session }
    }),
  },
  'invoices.duplicate.everywhere/sent-alone-apart': sentAloneApart,
  'invoices.duplicate.rejected/other-amounts-accepted': {
    also: ['sessions.batch.duplicates'],
    policy: { tripleOf: (facts) => `${policy.tripleOf(facts)} ${facts.gross}` },
  },
} as const satisfies Readonly<Record<string, Mutant>>
