import { createState } from '../../model/state.ts'
import type { State } from '../../model/state.ts'
import type { WorkKind } from '../../model/task.ts'
import type { Mutant, Place, TableEffects } from '../mutant.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** Commands without their effect: nothing is remembered, one table is forgotten, or nothing is taken back. */

type TableName = keyof State

const allTables = Object.keys(createState()) as TableName[]

const withTables = (
  at: Place,
  names: readonly TableName[],
  effects: TableEffects<unknown>,
): Mutant => ({
  at: [at],
  tables: Object.fromEntries(names.map((name) => [name, effects])) as NonNullable<Mutant['tables']>,
})

const grants: Rules = [
  'permissions.grant.effective',
  'permissions.grant.listed',
  'operations.status.reports',
]

/** What breaks when a place writes nothing, and the tables that it writes. */
const writers: Partial<
  Record<Place, { readonly rules: Rules; readonly tables: readonly TableName[] }>
> = {
  'auth.challenge': {
    rules: ['auth.challenge.public', 'auth.xades.accepted'],
    tables: ['challenges'],
  },
  'auth.xades': {
    rules: ['auth.xades.accepted', 'auth.challenge.single-use'],
    tables: ['authentications', 'challenges'],
  },
  'auth.token': {
    rules: ['auth.token.accepted', 'auth.challenge.single-use'],
    tables: ['authentications', 'challenges'],
  },
  authentication: {
    rules: [
      'auth.status.moves-forward',
      'tokens.status.described',
      'certificates.listed',
      'auth.redeem.issues-pair',
    ],
    tables: ['authentications', 'tokens', 'certificates'],
  },
  'auth.redeem': {
    rules: ['auth.redeem.once', 'auth.sessions.listed'],
    tables: ['authentications'],
  },
  'auth.refresh': { rules: ['auth.sessions.described'], tables: ['authentications'] },
  'auth.revoke': { rules: ['auth.sessions.ended'], tables: ['authentications'] },
  'auth.revokeCurrent': { rules: ['auth.sessions.ended'], tables: ['authentications'] },
  'tokens.create': {
    rules: ['tokens.status.described', 'auth.token.accepted'],
    tables: ['tokens'],
  },
  token: { rules: ['tokens.status.moves-forward', 'auth.token.accepted'], tables: ['tokens'] },
  'tokens.revoke': {
    rules: ['tokens.status.moves-forward', 'tokens.revoke.logins'],
    tables: ['tokens'],
  },
  'sessions.openOnline': {
    rules: ['sessions.online.opens', 'invoices.submit.accepted'],
    tables: ['sessions'],
  },
  'sessions.openBatch': {
    rules: ['sessions.batch.opens', 'sessions.batch.close'],
    tables: ['sessions'],
  },
  'sessions.uploadPart': {
    rules: ['sessions.batch.close', 'sessions.batch.part-checked'],
    tables: ['parts'],
  },
  'sessions.closeBatch': { rules: ['sessions.batch.close'], tables: ['sessions'] },
  'sessions.closeOnline': { rules: ['sessions.online.close'], tables: ['sessions'] },
  'invoices.submit': {
    rules: ['invoices.submit.accepted', 'sessions.invoices.complete', 'sessions.status.counts'],
    tables: ['invoices', 'contents', 'sessions'],
  },
  'invoices.send': {
    rules: ['invoices.send.alternative'],
    tables: ['invoices', 'contents', 'sessions'],
  },
  invoice: {
    rules: [
      'invoices.status.outcome',
      'invoices.submit.accepted',
      'invoices.duplicate.rejected',
      'invoices.get.by-service-number',
      'sessions.status.counts',
    ],
    tables: ['invoices', 'contents', 'sessions', 'claims', 'issued'],
  },
  session: {
    rules: [
      'sessions.online.receipt-after-close',
      'sessions.status.moves-forward',
      'receipts.session.verifies',
    ],
    tables: ['sessions', 'receiptPages'],
  },
  expiry: { rules: ['sessions.status.dates', 'exports.expiry'], tables: ['sessions'] },
  batch: {
    rules: ['sessions.batch.close', 'sessions.status.counts', 'sessions.invoices.complete'],
    tables: ['invoices', 'contents', 'sessions'],
  },
  'exports.create': {
    rules: ['exports.create.accepted', 'exports.status.moves-forward'],
    tables: ['exports'],
  },
  export: {
    rules: ['exports.status.moves-forward', 'exports.package.content'],
    tables: ['exports', 'parts'],
  },
  operation: {
    rules: [...grants, 'permissions.revoke.effective'],
    tables: ['grants', 'operations'],
  },
  'permissions.grantPerson': { rules: grants, tables: ['operations'] },
  'permissions.grantEntity': { rules: grants, tables: ['operations'] },
  'permissions.grantAuthorization': { rules: grants, tables: ['operations'] },
  'permissions.grantIndirect': { rules: grants, tables: ['operations'] },
  'permissions.grantSubunit': { rules: grants, tables: ['operations'] },
  'permissions.grantEuAdministration': { rules: grants, tables: ['operations'] },
  'permissions.grantEu': { rules: grants, tables: ['operations'] },
  'permissions.revoke': {
    rules: ['permissions.revoke.effective', 'operations.status.reports'],
    tables: ['operations'],
  },
  'permissions.revokeAuthorization': {
    rules: ['permissions.revoke.effective', 'operations.status.reports'],
    tables: ['operations'],
  },
  'certificates.enroll': {
    rules: ['certificates.enrol', 'certificates.limits'],
    tables: ['enrollments'],
  },
  enrollment: {
    rules: ['certificates.enrol', 'certificates.listed'],
    tables: ['enrollments', 'certificates'],
  },
  'certificates.revoke': { rules: ['certificates.revoke'], tables: ['certificates'] },
  certificate: { rules: ['certificates.revoke'], tables: ['certificates'] },
  'testdata.createSubject': { rules: ['testdata.entities'], tables: ['subjects'] },
  'testdata.createPerson': { rules: ['testdata.entities'], tables: ['persons'] },
  'testdata.grant': { rules: ['testdata.permissions'], tables: ['grants'] },
  'testdata.revoke': { rules: ['testdata.permissions'], tables: ['grants'] },
  'testdata.allowAttachments': { rules: ['testdata.attachments'], tables: ['consents'] },
  'testdata.denyAttachments': { rules: ['testdata.attachments'], tables: ['consents'] },
  'testdata.blockContext': { rules: ['testdata.blocks'], tables: ['blocks'] },
  'testdata.setSessionLimits': {
    rules: ['testdata.limit-simulation', 'limits.context'],
    tables: ['contextLimits'],
  },
  'testdata.setSubjectLimits': {
    rules: ['testdata.limit-simulation', 'certificates.limits', 'limits.subject'],
    tables: ['subjectLimits'],
  },
  'testdata.setRateLimits': { rules: ['testdata.limit-simulation'], tables: ['rates'] },
  'testdata.restoreRateLimits': { rules: ['testdata.limit-simulation'], tables: ['rates'] },
  'testdata.productionRateLimits': { rules: ['testdata.limit-simulation'], tables: ['rates'] },
}

/** Places that take something away. */
const removers: readonly (readonly [Place, Rules])[] = [
  ['testdata.unblockContext', ['testdata.blocks']],
  ['testdata.removeSubject', ['testdata.entities']],
  ['testdata.removePerson', ['testdata.entities']],
  ['testdata.restoreSessionLimits', ['testdata.limit-simulation', 'limits.context']],
  ['testdata.restoreSubjectLimits', ['certificates.limits', 'limits.subject']],
]

/** What breaks when work is never done, is done late or ahead of its time. */
const works: Readonly<Record<WorkKind, Rules>> = {
  authentication: ['auth.status.moves-forward', 'auth.redeem.issues-pair', 'auth.xades.accepted'],
  token: ['tokens.status.moves-forward', 'auth.token.accepted'],
  operation: ['operations.status.reports', 'permissions.grant.effective'],
  enrollment: ['certificates.enrol'],
  certificate: ['certificates.revoke'],
  invoice: ['invoices.submit.accepted', 'invoices.status.outcome'],
  storage: ['invoices.get.by-service-number', 'queries.metadata.filters'],
  session: ['sessions.online.receipt-after-close', 'sessions.status.moves-forward'],
  expiry: ['sessions.status.dates', 'exports.expiry'],
  batch: ['sessions.batch.close'],
  export: ['exports.status.moves-forward', 'exports.package.content'],
}

/** Every write of every command and piece of work, every removal, and all work itself. */
export const lostEffects = (): Generated[] => [
  ...(Object.entries(writers) as [Place, NonNullable<(typeof writers)[Place]>][]).flatMap(
    ([place, { rules, tables }]) => [
      generated(
        'effect',
        `${place}.nothing-stored`,
        rules,
        withTables(place, allTables, { write: () => undefined, remove: () => false }),
      ),
      ...(tables.length < 2
        ? []
        : tables.map((table) =>
            generated(
              'effect',
              `${place}.no-${table}`,
              rules,
              withTables(place, [table], { write: () => undefined }),
            ),
          )),
      ...tables
        .map((table) =>
          generated(
            'effect',
            `${place}.first-${table}-only`,
            rules,
            withTables(place, [table], {
              write: (next, before) => (before === undefined ? next : undefined),
            }),
          ),
        )
        .filter((_mutant, at) => changing[place]?.includes(tables[at]!)),
    ],
  ),
  ...removers.map(([place, rules]) =>
    generated(
      'effect',
      `${place}.nothing-removed`,
      rules,
      withTables(place, allTables, { remove: () => false }),
    ),
  ),
  ...(Object.entries(works) as [WorkKind, Rules][]).map(([kind, rules]) =>
    generated('work', `${kind}.never`, rules, {
      later: (given, ms) => (given === kind ? undefined : ms),
    }),
  ),
]

/** Places that change what they find, where a second write differs from the first, with the tables where that is so. */
const changing: Partial<Record<Place, readonly TableName[]>> = {
  'sessions.uploadPart': ['parts'],
  'invoices.submit': ['sessions'],
  'testdata.setSessionLimits': ['contextLimits'],
  'testdata.setRateLimits': ['rates'],
}
