import { formCodeOf } from '../../../../contract/environments.ts'
import type { Mutant } from '../../mutant.ts'
import type { Fields } from '../../rewrite.ts'
import { records } from '../../rewrite.ts'
import { isAlone, isPackage } from '../../ways-of-sending.ts'
import { oneDecimalDigit } from '../../remembered-facts.ts'
import { described } from '../../metadata-searches.ts'

/** What a search says of the invoices that were sent in one way. */
const describedOf = (isSuch: typeof isAlone, change: () => Fields): Mutant =>
  records<{ readonly svcNumber: string }>(
    ['queries.metadata', 'queries.general'],
    'invoices',
    ({ svcNumber }, { service: { state } }) =>
      isSuch(state.sessions.get(state.issued.get(svcNumber)?.session ?? '')) ? change() : {},
  )

/** Defects of what a metadata query says of an invoice. */
export const queriesMetadataDescribedMutants = {
  'queries.metadata.described/one-decimal-digit': oneDecimalDigit,
  'queries.metadata.described/rates-of-one-number-only': records<{ readonly svcNumber: string }>(
    ['queries.metadata'],
    'invoices',
    ({ svcNumber }, { service: { state } }) => {
      const bytes = state.contents.get(state.issued.get(svcNumber)?.invoice ?? '')?.bytes
      const fields = Buffer.from(bytes ?? [])
        .toString()
        .matchAll(/<P_13_\d+>([^<]*)</g)
      const net = Array.from(fields, ([, amount]) => Math.round(Number(amount) * 100))
      return net.length === 0 ? {} : { netAmount: net.reduce((sum, one) => sum + one, 0) / 100 }
    },
  ),
  'queries.metadata.described/own-roles-as-the-first': records<{
    readonly thirdSubjects?: readonly { readonly role: number }[]
  }>(['queries.metadata'], 'invoices', ({ thirdSubjects }) =>
    thirdSubjects === undefined
      ? {}
      : { thirdSubjects: thirdSubjects.map((one) => ({ ...one, role: Math.max(1, one.role) })) },
  ),
  'queries.metadata.described/sent-by-package-on-the-day-of-issue': {
    ...records<{ readonly svcNumber: string; readonly invoicingDate: string }>(
      ['queries.metadata'],
      'invoices',
      ({ svcNumber, invoicingDate }, { service: { state } }) =>
        state.sessions.get(state.issued.get(svcNumber)?.session ?? '')?.kind === 'batch'
          ? { issueDate: invoicingDate.slice(0, 10) }
          : {},
    ),
    also: ['invoices.content.issue-date'],
  },
  'queries.metadata.described/dated-otherwise-for-the-buyer': records<{
    readonly invoicingDate: string
  }>(['queries.metadata'], 'invoices', ({ invoicingDate }, { body }) =>
    (body as Fields)['subjectType'] === 'subject2' ? { issueDate: invoicingDate.slice(0, 10) } : {},
  ),
  'queries.metadata.described/names-lost': described({ seller: { nip: '5265877635' } }),
  'queries.metadata.described/buyer-lost': described({ buyer: { identifier: { type: 'None' } } }),
  'queries.metadata.described/third-parties-lost': described({ thirdSubjects: [] }),
  'queries.metadata.described/authorized-party-lost': described({ authorizedSubject: null }),
  'queries.metadata.described/offline-as-fa3': described(({ invoicingMode }) =>
    invoicingMode === 'Offline' ? { formCode: formCodeOf('fa3') } : {},
  ),
  'queries.metadata.described/every-kind-vat': described({ invoiceType: 'Vat' }),
  'queries.metadata.described/self-invoicing-unseen': described({ isSelfInvoicing: false }),
  'queries.metadata.described/stored-long-ago': described({
    permanentStorageDate: '2000-01-01T00:00:00.000Z',
  }),
  'queries.metadata.described/first-third-party-only': described(({ thirdSubjects }) => ({
    thirdSubjects: thirdSubjects?.slice(0, 1),
  })),
  'queries.metadata.described/packages-without-names': describedOf(isPackage, () => ({
    seller: { nip: '' },
  })),
  'queries.metadata.described/sent-alone-offline': {
    ...describedOf(isAlone, () => ({ invoicingMode: 'Offline' })),
    needs: 'invoices.send',
  },
  'queries.metadata.described/sent-alone-without-amounts': {
    ...describedOf(isAlone, () => ({ netAmount: 0, vatAmount: 0 })),
    needs: 'invoices.send',
  },
  'queries.metadata.described/long-names-cut': records<{
    readonly seller: { readonly nip: string; readonly name?: string }
  }>(['queries.metadata', 'queries.general'], 'invoices', ({ seller }) => ({
    seller: { ...seller, name: seller.name?.slice(0, 255) },
  })),
  'queries.metadata.described/long-numbers-cut': records<{ readonly invoiceNumber: string }>(
    ['queries.metadata', 'queries.general'],
    'invoices',
    ({ invoiceNumber }) => ({ invoiceNumber: invoiceNumber.slice(0, 200) }),
  ),
} as const satisfies Readonly<Record<string, Mutant>>
