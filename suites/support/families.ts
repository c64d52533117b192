import { concurrentFamilies } from './concurrent-families.ts'
import { documentFamilies } from './document-families.ts'
import type { FamilyRow } from './family-row.ts'
import { listFamilies } from './list-families.ts'
import { neighbourFamilies } from './neighbour-families.ts'
import { sessionFamilies } from './session-families.ts'
import { signInFamilies } from './sign-in-families.ts'

/** Assumed by checks that grant permissions and look for them in the lists. */
const listed = ['permission-grants', 'permission-queries'] as const

/** Assumed by checks that read the receipts of an invoice by each way. */
const ofReceipts = ['invoice-status', 'receipt-paths', 'receipt-signature'] as const

/** Families of checks: a loop registers each for many rules, so that they live in one file and not with their rules. */
export const families = {
  ...concurrentFamilies,
  ...documentFamilies,
  ...signInFamilies,
  ...sessionFamilies,
  ...neighbourFamilies,
  ...listFamilies,
  'every operation': { file: 'families/every-operation.spec.ts' },
  'every operation on test data': {
    file: 'families/every-operation.spec.ts',
    needs: ['testdata'],
  },
  'described query parameter': { file: 'families/described-parameters.spec.ts' },
  'optional body left out': { file: 'families/null-fields.spec.ts' },
  'null for a field left out': {
    file: 'families/null-fields.spec.ts',
    assumes: ['null-fields'],
  },
  'null for a field of test data left out': {
    file: 'families/null-fields.spec.ts',
    needs: ['testdata'],
    assumes: ['null-fields'],
  },
  'reference of another kind': {
    file: 'families/other-kinds.spec.ts',
    assumes: ['session-kinds', 'session-status', 'invoice-status', 'receipt-paths', 'export-body'],
  },
  'foreign resource': { file: 'families/foreign-resources.spec.ts', needs: ['second'] },
  'same caller in another context': {
    file: 'families/foreign-resources.spec.ts',
    needs: ['second'],
    assumes: ['permission-grants'],
  },
  'state of failure': { file: 'families/failure-states.spec.ts', needs: ['failures', 'clock'] },
  'stocked search': {
    file: 'families/searches.spec.ts',
    needs: ['second', 'bulk'],
    assumes: ['query-filters', 'metadata-answer'],
  },
  'parties of an invoice': {
    file: 'families/parties.spec.ts',
    needs: ['bulk'],
    assumes: ['metadata-answer', 'query-filters'],
  },
  'equal invoices of two schemas': {
    file: 'families/duplicates.spec.ts',
    needs: ['clock'],
    assumes: ['code-440', 'invoice-status'],
  },
  'amounts of an invoice': {
    file: 'families/amounts.spec.ts',
    needs: ['bulk'],
    assumes: ['metadata-answer', 'query-filters'],
  },
  'role of a taxpayer': {
    file: 'families/roles.spec.ts',
    needs: ['testdata', 'second'],
    assumes: ['testdata-paths', 'permission-queries'],
  },
  'way to hold permissions': {
    file: 'families/held-permissions.spec.ts',
    needs: ['second'],
    assumes: listed,
  },
  'revoked permission': {
    file: 'families/revocations.spec.ts',
    assumes: ['permission-grants', 'permission-queries'],
  },
  'kind of revocation': {
    file: 'families/revocations.spec.ts',
    needs: ['second'],
    assumes: listed,
  },
  'refused grant': { file: 'families/refused-grants.spec.ts', needs: ['testdata'] },
  'passed on': { file: 'families/passed-on.spec.ts', needs: ['second'], assumes: listed },
  'reach of a delegation': {
    file: 'families/delegations.spec.ts',
    needs: ['second'],
    assumes: listed,
  },
  'held in two contexts': {
    file: 'families/two-contexts.spec.ts',
    needs: ['second'],
    assumes: listed,
  },
  'granted by another manager': {
    file: 'families/other-managers.spec.ts',
    needs: ['second'],
    assumes: listed,
  },
  'author of a service token': {
    file: 'families/token-authors.spec.ts',
    needs: ['second', 'testdata'],
    assumes: [...listed, 'service-tokens'],
  },
  appointment: { file: 'families/appointments.spec.ts', assumes: ['permission-grants'] },
  'held twice': { file: 'families/held-twice.spec.ts', needs: ['second'], assumes: listed },
  'held by test data too': {
    file: 'families/held-twice.spec.ts',
    needs: ['second', 'testdata'],
    assumes: listed,
  },
  'power of a bailiff': { file: 'families/bailiffs.spec.ts', assumes: ['service-tokens'] },
  'state of a service token': {
    file: 'families/token-states.spec.ts',
    needs: ['clock'],
    assumes: ['service-tokens'],
  },
  'counted together': {
    file: 'families/aliases.spec.ts',
    needs: ['provoke', 'clock'],
    assumes: ['alias-counting'],
  },
  'tie to a seller': {
    file: 'families/seller-ties.spec.ts',
    needs: ['second'],
    assumes: ['permission-grants'],
  },
  'tie of an entity to a seller': {
    file: 'families/seller-ties.spec.ts',
    needs: ['second', 'testdata'],
    assumes: ['permission-grants'],
  },
  'list of what is held': {
    file: 'families/held-permission-lists.spec.ts',
    assumes: ['permission-grants'],
  },
  'text as it was given': { file: 'families/texts.spec.ts', assumes: ['permission-queries'] },
  'row of permissions': { file: 'families/permission-rows.spec.ts' },
  'row of permissions of entities': {
    file: 'families/entity-permission-rows.spec.ts',
    needs: ['second'],
    assumes: listed,
  },
  'row of own permissions': { file: 'families/own-permission-rows.spec.ts' },
  'awkward document': { file: 'families/awkward-documents.spec.ts' },
  'awkward text': { file: 'families/awkward-texts.spec.ts' },
  'sent invoice': {
    file: 'families/sent-invoices.spec.ts',
    assumes: ['invoice-status', 'session-status'],
  },
  'receipt of an invoice': { file: 'families/receipt-ways.spec.ts', assumes: ofReceipts },
  'receipt after its links': {
    file: 'families/receipt-ways.spec.ts',
    needs: ['clock'],
    assumes: ofReceipts,
  },
  'changed link': {
    file: 'families/signed-links.spec.ts',
    assumes: ['receipt-link', 'batch-package'],
  },
  'exported metadata': {
    file: 'families/exported-metadata.spec.ts',
    needs: ['testdata', 'fresh'],
    assumes: ['export-body', 'metadata-answer', 'technical-correction', 'attachments'],
  },
  'started work': { file: 'families/started-work.spec.ts' },
  'session search': {
    file: 'families/session-searches.spec.ts',
    needs: ['clock', 'bulk'],
    assumes: ['paging', 'session-states'],
  },
  'generated document': { file: 'families/generated-documents.spec.ts', needs: ['testdata'] },
  'generated FA(2) document': { file: 'families/generated-documents.spec.ts', needs: ['clock'] },
  'use of a challenge': { file: 'families/challenge-uses.spec.ts' },
  'use of a challenge with a token': { file: 'families/challenge-uses.spec.ts', needs: ['token'] },
  'record of a login': {
    file: 'families/login-records.spec.ts',
    needs: ['clock'],
    assumes: ['service-tokens'],
  },
  'reader of a session': {
    file: 'families/session-readers.spec.ts',
    needs: ['testdata'],
    assumes: ['session-status'],
  },
  opening: {
    file: 'families/openings.spec.ts',
    assumes: ['session-key-check', 'form-code-form', 'export-body', 'session-status'],
  },
  work: { file: 'families/work-ends.spec.ts', needs: ['clock'] },
  'work by a service token': { file: 'families/work-ends.spec.ts', needs: ['clock', 'token'] },
  'declared of a submission': { file: 'families/submissions.spec.ts' },
  'refused attachment': {
    file: 'families/duplicates.spec.ts',
    needs: ['testdata'],
    assumes: ['invoice-status'],
  },
  'equal invoices': {
    file: 'families/duplicates.spec.ts',
    needs: ['second'],
    assumes: ['code-440', 'invoice-status'],
  },
  'reader of an invoice': {
    file: 'families/invoice-readers.spec.ts',
    needs: ['second'],
    assumes: ['metadata-answer', 'receipt-link'],
  },
  'invoice sent for its seller': {
    file: 'families/self-invoicing.spec.ts',
    needs: ['second'],
    assumes: ['metadata-answer', 'receipt-link', 'export-body'],
  },
  'context of the same taxpayer': {
    file: 'families/kin.spec.ts',
    needs: ['second'],
    assumes: ['permission-grants'],
  },
  'sessions of a context': {
    file: 'families/many-sessions.spec.ts',
    needs: ['clock'],
    assumes: ['paging', 'session-states', 'session-status'],
  },
  'spelled date': {
    file: 'families/date-spellings.spec.ts',
    needs: ['clock', 'bulk'],
    assumes: ['query-range', 'session-states', 'metadata-answer', 'query-filters', 'date-types'],
  },
  midnight: {
    file: 'families/days.spec.ts',
    needs: ['clock'],
    assumes: ['invoice-mode', 'invoice-states', 'metadata-answer'],
  },
  'other spelling beyond a limit': { file: 'families/aliases.spec.ts', needs: ['provoke'] },
  'other spelling of limits': {
    file: 'families/aliases.spec.ts',
    needs: ['testdata'],
    assumes: ['limit-simulation', 'limits-bodies'],
  },
  'other spelling': { file: 'families/aliases.spec.ts', needs: ['second'] },
  'range of a search': {
    file: 'families/search-ranges.spec.ts',
    needs: ['clock', 'bulk'],
    assumes: ['query-range', 'metadata-answer', 'date-types'],
  },
  'kinds of invoices': {
    file: 'families/invoice-kinds.spec.ts',
    needs: ['bulk'],
    assumes: ['metadata-answer', 'query-filters'],
  },
  'invoices with attachments': {
    file: 'families/invoice-kinds.spec.ts',
    needs: ['testdata', 'fresh'],
    assumes: ['attachments', 'query-filters', 'metadata-answer'],
  },
  'any sequence': { file: 'sequences/model.spec.ts', together: true },
  'malformed request': { file: 'families/malformed-requests.spec.ts' },
  'malformed request for test data': {
    file: 'families/malformed-requests.spec.ts',
    needs: ['testdata'],
  },
} as const satisfies Readonly<Record<string, FamilyRow>>

export type Family = keyof typeof families

/** The family of that name. */
export const familyOf = (name: string): FamilyRow | undefined =>
  Object.hasOwn(families, name) ? families[name as Family] : undefined
