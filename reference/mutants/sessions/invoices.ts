import { utc } from '../../base/wording.ts'
import { oneRowForANumber } from '../by-number.ts'
import type { Mutant } from '../mutant.ts'
import { losesLast } from '../pages.ts'
import type { Fields } from '../rewrite.ts'
import { lists, records } from '../rewrite.ts'
import { toldToOthers } from '../session-views.ts'

/** Names of files in packages are reported differently. */
const fileNames = (rewrite: (name: string) => string): Mutant => ({
  tables: {
    invoices: {
      write: (next) =>
        next.fileName === undefined ? next : { ...next, fileName: rewrite(next.fileName) },
    },
  },
})

/** The longest name of a file that is reported. */
const longestName = 128

/** A list lacks the invoices that were rejected for one reason. */
const without = (code: number): Mutant =>
  lists<{ readonly status: { readonly code: number } }>(['sessions.invoices'], 'invoices', (all) =>
    all.filter(({ status }) => status.code !== code),
  )

/** Defects of the lists of the invoices of a session. */
export const sessionsInvoicesMutants = {
  'sessions.invoices.complete/without-undecrypted': without(435),
  'sessions.invoices.complete/accepted-by-number': oneRowForANumber(
    'sessions.invoices',
    ({ svcNumber }) => svcNumber !== null,
  ),
  'sessions.invoices.complete/without-duplicates': without(440),
  'sessions.invoices.complete/without-those-of-others': without(410),
  'sessions.invoices.complete/rejected-for-the-opener-alone': toldToOthers(
    'sessions.invoices',
    ({ invoices }) => ({
      invoices: (invoices as readonly Fields[]).filter(({ svcNumber }) => svcNumber !== null),
    }),
  ),
  'sessions.invoices.complete/rejected-dated-as-unpacked': records<{
    readonly referenceNumber: string
    readonly svcNumber: string | null
  }>(['sessions.invoices'], 'invoices', ({ referenceNumber, svcNumber }, { service }) =>
    svcNumber === null
      ? { invoicingDate: utc(service.state.invoices.get(referenceNumber)?.receivedAt ?? 0) }
      : {},
  ),
  'sessions.invoices.complete/number-instead-of-submission': records<{
    readonly acquisitionDate: string | null
    readonly invoicingDate: string
  }>(['sessions.invoices'], 'invoices', ({ acquisitionDate, invoicingDate }) => ({
    invoicingDate: acquisitionDate ?? invoicingDate,
  })),
  'sessions.invoices.complete/unnumbered-after-a-hundred': records<{
    readonly ordinalNumber: number
  }>(['sessions.invoices'], 'invoices', ({ ordinalNumber }) =>
    ordinalNumber > 100 ? { svcNumber: null } : {},
  ),
  'sessions.invoices.complete/long-names-whole': fileNames((name) =>
    Array.from(name).length === longestName ? `${name}.xml` : name,
  ),
  'sessions.invoices.complete/long-names-cut-by-code-units': fileNames((name) =>
    name.slice(0, longestName),
  ),
  'sessions.invoices.complete/invoices-lose-last-of-page': losesLast(
    'sessions.invoices',
    'invoices',
  ),
  'sessions.invoices.complete/numbered-on-each-page': lists<Fields>(
    ['sessions.invoices'],
    'invoices',
    (rows) => rows.map((row, at) => ({ ...row, ordinalNumber: at + 1 })),
  ),
} as const satisfies Readonly<Record<string, Mutant>>
