import { authPolicy } from './policy/auth.ts'
import { certificatesPolicy } from './policy/certificates.ts'
import { exportsPolicy } from './policy/exports.ts'
import { invoicesPolicy } from './policy/invoices.ts'
import { keysPolicy } from './policy/keys.ts'
import { limitsPolicy } from './policy/limits.ts'
import { permissionsPolicy } from './policy/permissions.ts'
import { queriesPolicy } from './policy/queries.ts'
import { receiptsPolicy } from './policy/receipts.ts'
import { sessionsPolicy } from './policy/sessions.ts'
import { signaturePolicy } from './policy/signature.ts'
import { testdataPolicy } from './policy/testdata.ts'
import { tokensPolicy } from './policy/tokens.ts'
import { transportPolicy } from './policy/transport.ts'

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
