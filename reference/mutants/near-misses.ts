import { keyOf, nipOf } from '../model/entities.ts'
import { reached } from '../base/wording.ts'
import { addressAllowed } from '../http/addresses.ts'
import type { Mutant } from './mutant.ts'
import { accepts, bodies, calls, ignores, records, refuses } from './rewrite.ts'
import type { Fields } from './rewrite.ts'

/** Defects that show in one near case only: beside them the service does what it should. */

const openings = { online: 'sessions.openOnline', batch: 'sessions.openBatch' } as const

/** Another caller than the one that called. */
const asCaller = (
  at: Parameters<typeof calls>[0],
  rewrite: (caller: NonNullable<Parameters<Parameters<typeof calls>[1]>[0]['caller']>) => object,
): Mutant =>
  calls(at, (call) =>
    call.caller === undefined
      ? call
      : { ...call, caller: { ...call.caller, ...rewrite(call.caller) } },
  )

export const nearMissesMutants = {
  'permissions.grant.effective/any-authorization': {
    at: ['invoice'],
    tables: {
      grants: {
        find: (found) =>
          found.flatMap((grant) =>
            grant.kind === 'authorization'
              ? (['SelfInvoicing', 'TaxRepresentative'] as const).map((permission) => ({
                  ...grant,
                  permission,
                }))
              : [grant],
          ),
      },
    },
  },
  'testdata.entities/every-person-enforces': {
    at: ['invoice'],
    tables: { persons: { read: (found) => found && { ...found, bailiff: true } } },
  },
  'sessions.online.bad-key-refused/name-unread': ignores([openings.online], 'publicKeyId'),
  'sessions.batch.bad-key-refused/name-unread': ignores([openings.batch], 'publicKeyId'),
  'exports.create.accepted/name-of-the-key-unread': ignores(['exports.create'], 'publicKeyId'),
  'auth.sessions.ended/of-the-subject-anywhere': {
    policy: {
      loginMayBeEnded: ({ subject }, viewer) =>
        subject !== undefined && keyOf(subject) === keyOf(viewer.subject),
    },
  },
  'auth.address-policy/lost-by-a-refresh': {
    tables: {
      authentications: {
        write: ({ policy, ...next }) => ({
          ...next,
          ...(next.refreshedAt === undefined && policy !== undefined && { policy }),
        }),
      },
    },
  },
  'auth.address-policy/ranges-as-text': {
    policy: {
      addressAllowed: (address, policy) =>
        addressAllowed(address, {
          ...policy,
          ranges: policy.ranges.map((range) => {
            const [from = '', to = ''] = range.split('-')
            return from <= address && address <= to ? `${address}-${address}` : '0.0.0.0-0.0.0.0'
          }),
        }),
    },
  },
  'tokens.list.scope/linked-identifiers-apart': {
    at: ['tokens.list'],
    tables: { persons: { read: () => undefined, find: () => [] } },
  },
  'tokens.create.within-rights/managers-exempt': asCaller(['tokens.create'], (caller) => ({
    permissions: () => {
      const held = caller.permissions()
      return held.has('CredentialsManage') ? new Set([...held, 'InvoiceWrite' as const]) : held
    },
  })),
  'exports.running-limit/shared-in-a-context': asCaller(['exports.create'], ({ context }) => ({
    subject: { type: 'Nip', value: nipOf(context) },
  })),
  'sessions.list.complete/reference-by-its-beginning': calls(['sessions.list'], (call) => {
    const { referenceNumber } = call.query as { readonly referenceNumber?: string }
    const begun = referenceNumber?.slice(0, 20)
    const found =
      begun === undefined
        ? undefined
        : [...call.service.state.sessions.values()].find((one) =>
            one.referenceNumber.startsWith(begun),
          )
    return found
      ? { ...call, query: { ...call.query, referenceNumber: found.referenceNumber } }
      : call
  }),
  'testdata.blocks/unblocks-the-taxpayer': {
    at: ['testdata.unblockContext'],
    call(call, next) {
      const { contextIdentifier } = call.body as { contextIdentifier?: { value: string } }
      const { blocks } = call.service.state
      for (const block of blocks.values())
        if (block.value.slice(0, 10) === contextIdentifier?.value.slice(0, 10))
          blocks.delete(keyOf(block))
      return next(call)
    },
  },
  'invoices.duplicate.triple/corrections-as-their-originals': {
    policy: {
      tripleOf: ({ seller, kind, number }) =>
        JSON.stringify([seller.nip, kind.replace('KOR_', ''), number]),
    },
  },
  'invoices.content.utf8-without-bom/in-capitals-only': {
    policy: {
      declaredEncodingAccepted: (encoding) => encoding === undefined || encoding === 'UTF-8',
    },
  },
  'certificates.listed/expires-after-a-day': calls(['certificates.query'], (call) => {
    const { expiresAfter, ...rest } = call.body as { expiresAfter?: string }
    return expiresAfter === undefined
      ? call
      : { ...call, body: { ...rest, expiresAfter: `${expiresAfter.slice(0, 10)}T00:00:00Z` } }
  }),
  'certificates.enrol/longer-keys': {
    policy: {
      csrKeyFits: (kind, { modulusLength = 0, namedCurve }) =>
        (kind === 'rsa' && modulusLength >= 2048) ||
        (kind === 'ec' && (namedCurve === 'prime256v1' || namedCurve === 'secp384r1')),
    },
  },
  'certificates.two-years/prolonged-by-test-data': accepts(
    ['testdata.updateCertificate'],
    ['invalid-input'],
    () => ({}),
  ),
  'exports.package.content/newest-first': {
    policy: { exportedInvoices: (found, limit) => found.toReversed().slice(0, limit) },
  },
  'queries.metadata.filters/zero-is-no-bound': calls(['queries.metadata'], (call) => {
    const { amount } = call.body as { readonly amount?: { from?: number; to?: number } }
    return amount === undefined
      ? call
      : {
          ...call,
          body: {
            ...(call.body as Fields),
            amount: {
              ...amount,
              from: amount.from === 0 ? undefined : amount.from,
              to: amount.to === 0 ? undefined : amount.to,
            },
          },
        }
  }),
  'auth.challenge.public/two-instants': bodies<{ readonly timestampMs: number }>(
    ['auth.challenge'],
    ({ timestampMs }) => ({ timestampMs: timestampMs - 1000 }),
  ),
  'receipts.link.parties-only/sender-instead-of-seller': refuses(
    ['receipts.link'],
    'receipt-unknown',
    ({ caller, path, service: { state } }) => {
      const invoice = state.invoices.get(path['receiptId']?.split('.', 1)[0] ?? '')
      const issued = state.issued.get(invoice?.svcNumber ?? '')
      return (
        caller !== undefined &&
        issued?.facts.seller.nip === nipOf(caller.context) &&
        keyOf(issued.context) !== keyOf(caller.context)
      )
    },
  ),
  'sessions.online.close/cancelled-at-its-end': {
    tables: {
      sessions: {
        write: (next) =>
          next.kind === 'online' && next.status.code === 170 && next.updatedAt >= next.validUntil
            ? { ...next, status: reached('onlineSession', 440) }
            : next,
      },
    },
  },
  'sessions.invoices.complete/number-instead-of-submission': records<{
    readonly acquisitionDate: string | null
    readonly invoicingDate: string
  }>(['sessions.invoices'], 'invoices', ({ acquisitionDate, invoicingDate }) => ({
    invoicingDate: acquisitionDate ?? invoicingDate,
  })),
  'exports.package.content/key-of-the-first': {
    at: ['exports.create'],
    tables: {
      exports: {
        write(next, _before, { exports }) {
          const [first] = exports.by('context', keyOf(next.context))
          return first === undefined ? next : { ...next, key: first.key, iv: first.iv }
        },
      },
    },
  },
  'limits.subject/what-is-left': bodies(
    ['limits.subject'],
    ({ enrollment }: { enrollment: { maxEnrollments: number } }, { service, caller }) => {
      const subject = caller === undefined ? '' : keyOf(caller.subject)
      const used = service.state.enrollments.by('subject', subject).length
      return { enrollment: { maxEnrollments: enrollment.maxEnrollments - used } }
    },
  ),
  'invoices.get.rejected-absent/receipt-without-bytes': accepts(
    ['receipts.invoice'],
    ['receipt-unknown'],
    () => ({ status: 204 }),
  ),
  'receipts.link.in-status/not-for-the-buyer': bodies(
    ['invoices.statusBySvcNumber'],
    (_body: Fields, { service, caller, path }) => {
      const issued = service.state.issued.get(path['svcNumber'] ?? '')
      return issued?.facts.buyer.identifier.value === caller?.context.value
        ? { upoDownloadUrl: null, upoDownloadUrlExpirationDate: null }
        : {}
    },
  ),
  'invoices.status.session-reference/of-the-last-session': bodies(
    ['invoices.status'],
    (_body: Fields, { service, caller }) => {
      const context = caller === undefined ? '' : keyOf(caller.context)
      const last = service.state.sessions.by('context', context).at(-1)
      return last === undefined ? {} : { sessionReferenceNumber: last.referenceNumber }
    },
  ),
  'transport.unknown-is-404/invoice-of-another-session': calls(['invoices.inSession'], (call) => {
    const invoice = call.service.state.invoices.get(call.path['invoiceReferenceNumber'] ?? '')
    const session = invoice && call.service.state.sessions.get(invoice.session)
    return session !== undefined &&
      call.caller &&
      keyOf(session.context) === keyOf(call.caller.context)
      ? { ...call, path: { ...call.path, referenceNumber: session.referenceNumber } }
      : call
  }),
  'tokens.status.described/three-permissions-at-most': {
    at: ['tokens.create'],
    tables: {
      tokens: { write: (next) => ({ ...next, permissions: next.permissions.slice(0, 3) }) },
    },
  },
  'auth.challenge.address-limit/of-every-address': {
    policy: { publicRateKey: (_address, operation) => operation },
  },
  'auth.refresh.repeatable/once-in-a-second': refuses(
    ['auth.refresh'],
    'refresh-refused',
    ({ caller, now }) => now - (caller?.authentication.refreshedAt ?? 0) < 1_000,
  ),
} as const satisfies Readonly<Record<string, Mutant>>
