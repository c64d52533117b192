import { authPolicy } from './auth.ts'
import { certificatesPolicy } from './certificates.ts'
import { exportsPolicy } from './exports.ts'
import { invoicesPolicy } from './invoices.ts'
import { keysPolicy } from './keys.ts'
import { limitsPolicy } from './limits.ts'
import { permissionsPolicy } from './permissions.ts'
import { queriesPolicy } from './queries.ts'
import { receiptsPolicy } from './receipts.ts'
import { sessionsPolicy } from './sessions.ts'
import { signaturePolicy } from './signature.ts'
import { testdataPolicy } from './testdata.ts'
import { tokensPolicy } from './tokens.ts'
import { transportPolicy } from './transport.ts'

/**
 * Every decision of the service, as one record of small named functions. Each area has its file in `policy/`, with
 * the rule named above each decision. A mutant is a partial override; no handler knows about mutants.
 */
export const policy = {
  ...transportPolicy,
  ...authPolicy,
  ...signaturePolicy,
  ...tokensPolicy,
  ...keysPolicy,
  ...limitsPolicy,
  ...permissionsPolicy,
  ...certificatesPolicy,
  ...testdataPolicy,
  ...sessionsPolicy,
  ...invoicesPolicy,
  ...receiptsPolicy,
  ...queriesPolicy,
  ...exportsPolicy,
}

export type Policy = Readonly<typeof policy>
