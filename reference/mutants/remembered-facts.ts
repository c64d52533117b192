import type { InvoiceFacts } from '../model/invoice-facts.ts'
import type { Mutant } from './mutant.ts'

/** Accepted invoices that are remembered with other facts than they have. */

export const remembers = (change: (facts: InvoiceFacts) => InvoiceFacts): Mutant => ({
  tables: { issued: { write: (next) => ({ ...next, facts: change(next.facts) }) } },
})

/** By how many hundredths the net amounts of a document are too much when `1.5` is read as 1.05. */
const misread = (bytes: Uint8Array): bigint =>
  [
    ...Buffer.from(bytes)
      .toString()
      .matchAll(/<P_13_\d+>(-?)\d+\.(\d)</g),
  ].reduce((sum, [, sign, digit = '']) => sum + (sign === '-' ? -9n : 9n) * BigInt(digit), 0n)

/** Net amounts are read from the document so. */
export const oneDecimalDigit: Mutant = {
  tables: {
    contents: {
      write(next, _before, { issued }) {
        const found = [...issued.values()].find(({ invoice }) => invoice === next.invoice)
        if (next.form === 'plain' && found !== undefined) {
          const { facts } = found
          issued.put({ ...found, facts: { ...facts, net: facts.net - misread(next.bytes) } })
        }
        return next
      },
    },
  },
}

/** The date of issue is read from another element, where the document has it. */
export const readAsIssueDate = (element: string): Mutant => ({
  tables: {
    contents: {
      write(next, _before, { issued }) {
        const found = [...issued.values()].find(({ invoice }) => invoice === next.invoice)
        const text = Buffer.from(next.bytes).toString()
        const [, issueDate] = new RegExp(`<${element}>(.{10})`).exec(text) ?? []
        if (next.form === 'plain' && found !== undefined && issueDate !== undefined)
          issued.put({ ...found, facts: { ...found.facts, issueDate } })
        return next
      },
    },
  },
})
