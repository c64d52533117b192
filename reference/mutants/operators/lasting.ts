import type { OperationId } from '../../../contract/endpoints.ts'
import type { RefusalId } from '../../../contract/errors.ts'
import type { AnyCall } from '../../call/call.ts'
import { keyOf } from '../../model/entities.ts'
import { policy } from '../../policy/policy.ts'
import type { Mutant } from '../mutant.ts'
import type { Fields } from '../rewrite.ts'
import { answers, refuses } from '../rewrite.ts'
import { day } from '../spans.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** What has no end in the contract ends after a month. */

const month = 30 * day

/** Entries of a table that are not found any more. */
const forgotten = (table: 'subjects' | 'consents' | 'blocks'): Mutant => {
  const since = new WeakMap<object, number>()
  let now = 0
  return {
    call(call, next) {
      now = call.now
      return next(call)
    },
    tables: {
      [table]: {
        write(next: object) {
          since.set(next, now)
          return next
        },
        read: (found: object | undefined) =>
          found !== undefined && now - (since.get(found) ?? now) > month ? undefined : found,
      },
    },
  }
}

/** Rows of a list that are left out, by the instant of each. */
const unlisted = (
  operation: OperationId,
  list: string,
  since: (row: Fields, call: AnyCall) => number,
): Mutant =>
  answers([operation], (answer, call) => {
    const body = answer.body as Fields
    const rows = body[list] as readonly Fields[]
    const young = rows.filter((row) => call.now - since(row, call) < month)
    return { ...answer, body: { ...body, [list]: young } }
  })

/** Limits that were set hold no more. */
const settingsForAMonth = (): Mutant => {
  let setAt = Infinity
  return {
    at: ['testdata.setSessionLimits', 'limits.context'],
    call(call, next) {
      const { operation, now, caller, service } = call
      if (operation === 'testdata.setSessionLimits') setAt = now
      else if (now - setAt > month && caller !== undefined)
        service.state.contextLimits.delete(keyOf(caller.context))
      return next(call)
    },
  }
}

/** An accepted invoice can be corrected after a month. */
const correctable = (): Mutant => {
  let now = 0
  return {
    call(call, next) {
      now = call.now
      return next(call)
    },
    policy: {
      correctionRefusal: (issued, hash) =>
        now - issued.acquiredAt > month ? undefined : policy.correctionRefusal(issued, hash),
    },
  }
}

const acceptedAt = (row: Fields, { service }: AnyCall): number =>
  service.state.issued.get(String(row['svcNumber']))?.acquiredAt ?? 0

const sessionIsOld = ({ service, path, now }: AnyCall): boolean =>
  now - (service.state.sessions.get(path['referenceNumber'] ?? '')?.openedAt ?? now) > month

const invoiceIsOld = ({ service, path, now }: AnyCall): boolean => {
  const [reference = ''] = (path['receiptId'] ?? '').split('.')
  return now - (service.state.invoices.get(reference)?.receivedAt ?? now) > month
}

const gone = (
  operation: OperationId,
  refusal: RefusalId,
  isOld: (call: AnyCall) => boolean,
): Mutant => refuses([operation], refusal, isOld)

const rows: Readonly<Record<string, readonly [Rules, Mutant]>> = {
  grants: [
    ['permissions.grant.effective', 'testdata.permissions'],
    {
      policy: {
        grantHolds: (from, until, now) => policy.grantHolds(from, until, now) && now - from < month,
      },
    },
  ],
  authorizations: [
    ['permissions.grant.effective'],
    {
      policy: {
        authorizationHolds: (from, until, now) =>
          policy.authorizationHolds(from, until, now) && now - from < month,
      },
    },
  ],
  'listed-tokens': [
    ['tokens.list.scope'],
    unlisted('tokens.list', 'tokens', (row) => Date.parse(String(row['dateCreated']))),
  ],
  certificates: [
    ['certificates.listed'],
    unlisted('certificates.query', 'certificates', (row) => Date.parse(String(row['requestDate']))),
  ],
  subjects: [['testdata.entities'], forgotten('subjects')],
  consents: [['testdata.attachments'], forgotten('consents')],
  blocks: [['testdata.blocks'], forgotten('blocks')],
  'session-limits': [['testdata.limit-simulation'], settingsForAMonth()],
  search: [['queries.metadata.filters'], unlisted('queries.metadata', 'invoices', acceptedAt)],
  'general-search': [
    ['queries.general.date-range'],
    unlisted('queries.general', 'invoices', acceptedAt),
  ],
  corrections: [['invoices.correction'], correctable()],
  'session-receipts': [
    ['receipts.session.verifies'],
    gone('receipts.session', 'receipt-unknown', sessionIsOld),
  ],
  'receipts-by-number': [
    ['receipts.ways'],
    gone('receipts.invoiceBySvcNumber', 'receipt-unknown', sessionIsOld),
  ],
  'receipts-by-link': [['receipts.ways'], gone('receipts.link', 'receipt-unknown', invoiceIsOld)],
}

/** Lists of permissions, with the field of their rows. */
const grantLists = {
  'permissions.queryPersons': 'permissions',
  'permissions.queryPersonal': 'permissions',
  'permissions.querySubunits': 'permissions',
  'permissions.queryEntities': 'permissions',
  'permissions.queryAuthorizations': 'authorizationGrants',
  'permissions.queryEu': 'permissions',
} as const satisfies Partial<Record<OperationId, string>>

export const endsAfterAMonth = (): Generated[] => [
  ...Object.entries(rows).map(([what, [rules, mutant]]) =>
    generated('lasting', `${what}.for-a-month`, rules, mutant),
  ),
  ...(Object.entries(grantLists) as [OperationId, string][]).map(([operation, list]) =>
    generated(
      'lasting',
      `${operation}.for-a-month`,
      ['permissions.query.scope'],
      unlisted(operation, list, (row) => Date.parse(String(row['startDate']))),
    ),
  ),
]
