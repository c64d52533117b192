import { invoiceSchemas } from '../../../contract/environments.ts'

/** The form codes of the invoice schemas, in parts. */
export const formCodes = {
  fa2: invoiceSchemas.fa2.formCode,
  fa3: invoiceSchemas.fa3.formCode,
} as const

/** The same as labels, for example `FA (3)`. */
export const formLabels = {
  fa2: invoiceSchemas.fa2.formCode.systemCode,
  fa3: invoiceSchemas.fa3.formCode.systemCode,
} as const
