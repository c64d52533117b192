import { invoicesPolicy } from '../../policy/invoices.ts'
import { policy } from '../../policy/policy.ts'
import type { Mutant } from '../mutant.ts'
import { records } from '../rewrite.ts'
import { day } from '../spans.ts'
import { isBySeller } from '../ways-of-sending.ts'

/** Defects of the mode in which an invoice was issued. */
export const invoicesModeMutants = {
  'invoices.mode/first-of-a-package': {
    at: ['batch'],
    tables: {
      invoices: {
        write: (next) => (next.ordinal > 1 ? { ...next, offline: false } : next),
      },
    },
  },
  'invoices.mode/online-in-searches-for-packages': records<{ readonly svcNumber: string }>(
    ['queries.metadata'],
    'invoices',
    ({ svcNumber }, { service: { state } }) =>
      state.sessions.get(state.issued.get(svcNumber)?.session ?? '')?.kind === 'batch'
        ? { invoicingMode: 'Online' }
        : {},
  ),
  'invoices.mode/first-of-a-receipt': {
    policy: {
      receiptText: (session, documents, page) => {
        const [first] = documents
        const alike = documents.map((one) => ({ ...one, mode: first?.mode ?? one.mode }))
        return policy.receiptText(session, alike, page)
      },
    },
  },
  'invoices.mode/corrections-online': {
    tables: {
      issued: {
        write: (next) => (next.corrects === undefined ? next : { ...next, mode: 'Online' }),
      },
    },
  },
  'invoices.mode/offline-from-then-on': {
    tables: {
      invoices: {
        write: (next, _before, { invoices }) => ({
          ...next,
          offline:
            next.offline || invoices.by('session', next.session).some(({ offline }) => offline),
        }),
      },
    },
  },
  'invoices.mode/always-online': { policy: { invoiceMode: () => 'Online' } },
  'invoices.mode/offline-by-declaration-only': {
    policy: { invoiceMode: ({ declared }) => (declared ? 'Offline' : 'Online') },
  },
  'invoices.mode/offline-by-date-only': {
    policy: { invoiceMode: ({ issuedBefore }) => (issuedBefore ? 'Offline' : 'Online') },
  },
  'invoices.mode/offline-package-forgotten': {
    policy: {
      invoiceMode: ({ declared, ...sending }) =>
        invoicesPolicy.invoiceMode({ ...sending, declared: declared && sending.kind === 'online' }),
    },
  },
  'invoices.mode/online-after-a-year': {
    tables: {
      issued: {
        write: (next) =>
          next.acquiredAt - Date.parse(next.facts.issueDate) > 365 * day
            ? { ...next, mode: 'Online' }
            : next,
      },
    },
  },
  'invoices.mode/one-for-a-package': {
    tables: {
      issued: {
        write: (next, _before, { issued, sessions }) =>
          sessions.get(next.session)?.kind === 'batch' &&
          issued.by('session', next.session).some(({ mode }) => mode === 'Offline')
            ? { ...next, mode: 'Offline' }
            : next,
      },
    },
  },
  'invoices.mode/of-agents-online': {
    tables: {
      issued: {
        write: (next) => (isBySeller(next) ? next : { ...next, mode: 'Online' }),
      },
    },
  },
  'invoices.mode/offline-after-a-rejection': {
    tables: {
      issued: {
        write: (next, _before, { sessions }) =>
          (sessions.get(next.session)?.rejected ?? 0) > 0 ? { ...next, mode: 'Offline' } : next,
      },
    },
  },
} as const satisfies Readonly<Record<string, Mutant>>
