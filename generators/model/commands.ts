import type fc from 'fast-check'
import { askChallenge } from './commands/ask-challenge.ts'
import { askExport } from './commands/ask-export.ts'
import { authenticate } from './commands/authenticate.ts'
import { authorizeAgent } from './commands/authorize-agent.ts'
import { awaitWork } from './commands/await-work.ts'
import { closeSession } from './commands/close-session.ts'
import { correctInvoice } from './commands/correct-invoice.ts'
import { downloadExport } from './commands/download-export.ts'
import { endLogin } from './commands/end-login.ts'
import { followLink } from './commands/follow-link.ts'
import { grantPermission } from './commands/grant-permission.ts'
import { logIn } from './commands/log-in.ts'
import { logInByToken } from './commands/log-in-by-token.ts'
import { makeToken } from './commands/make-token.ts'
import { openSession } from './commands/open-session.ts'
import { passTime } from './commands/pass-time.ts'
import { redeem } from './commands/redeem.ts'
import { refresh } from './commands/refresh.ts'
import { repeatInvoice } from './commands/repeat-invoice.ts'
import { retrieveInvoice } from './commands/retrieve-invoice.ts'
import { revokePermission } from './commands/revoke-permission.ts'
import { revokeToken } from './commands/revoke-token.ts'
import { sendBatch } from './commands/send-batch.ts'
import { sendInvoice } from './commands/send-invoice.ts'
import type { ModelCommand } from './command.ts'

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)

/** Every command; those that sequences depend on are in the list more than once. */
export const commands = (): fc.Arbitrary<ModelCommand>[] => [
  ...times(4, logIn),
  ...times(4, openSession),
  ...times(5, sendInvoice),
  ...times(4, repeatInvoice),
  ...times(2, correctInvoice),
  ...times(3, closeSession),
  ...times(3, passTime),
  ...times(2, authenticate),
  ...times(2, redeem),
  ...times(2, refresh),
  ...times(2, grantPermission),
  ...times(2, downloadExport),
  ...times(2, revokePermission),
  ...times(2, endLogin),
  askChallenge(),
  authorizeAgent(),
  retrieveInvoice(),
  followLink(),
  ...times(2, askExport),
  makeToken(),
  logInByToken(),
  revokeToken(),
  sendBatch(),
  awaitWork(),
]
