import type { Window } from '../../contract/types.ts'
import type { RateRuleId } from '../../contract/limits.ts'
import type { Task } from '../time/schedule.ts'
import type {
  AttachmentConsent,
  Authentication,
  Challenge,
  ContextIdentifier,
  ContextLimits,
  Enrollment,
  Grant,
  IssuedCertificate,
  Operation,
  Provider,
  ServiceToken,
  SubjectIdentifier,
  SubjectLimits,
  TestPerson,
  TestSubject,
} from './entities.ts'
import { keyOf } from './entities.ts'
import { createInvoiceTables } from './document-tables.ts'
import type { Durable } from './table.ts'
import { createTable } from './table.ts'
import type { WorkKind } from './work.ts'

/** Everything that the service remembers. It survives a restart where a durable store is given. */
export const createState = (durable?: Durable) => ({
  // Plain values: signing secret, counters.
  values: createTable<{ readonly id: string; readonly value: string }>(
    'values',
    (entry) => entry.id,
    {},
    durable,
  ),
  /** Asynchronous work that waits for its instant. */
  tasks: createTable<Task<WorkKind>>('tasks', (task) => task.id, {}, durable),

  challenges: createTable<Challenge>('challenges', (challenge) => challenge.value, {}, durable),
  authentications: createTable<Authentication, 'context'>(
    'authentications',
    (entry) => entry.referenceNumber,
    { context: (entry) => keyOf(entry.context) },
    durable,
  ),
  tokens: createTable<ServiceToken, 'context' | 'digest'>(
    'tokens',
    (token) => token.referenceNumber,
    { context: (token) => keyOf(token.context), digest: (token) => token.digest },
    durable,
  ),
  grants: createTable<Grant, 'context' | 'subject'>(
    'grants',
    (grant) => grant.id,
    { context: (grant) => keyOf(grant.context), subject: (grant) => keyOf(grant.subject) },
    durable,
  ),
  providers: createTable<Provider>('providers', (provider) => provider.id, {}, durable),
  operations: createTable<Operation>('operations', (entry) => entry.referenceNumber, {}, durable),
  subjects: createTable<TestSubject>('subjects', (subject) => subject.nip, {}, durable),
  persons: createTable<TestPerson, 'pesel'>(
    'persons',
    (person) => person.nip,
    { pesel: (person) => person.pesel },
    durable,
  ),
  /** Contexts in which authentication is blocked. */
  blocks: createTable<ContextIdentifier>('blocks', keyOf, {}, durable),
  consents: createTable<AttachmentConsent>('consents', (consent) => consent.nip, {}, durable),
  contextLimits: createTable<{
    readonly context: ContextIdentifier
    readonly limits: ContextLimits
  }>('contextLimits', (entry) => keyOf(entry.context), {}, durable),
  subjectLimits: createTable<{
    readonly subject: SubjectIdentifier
    readonly limits: SubjectLimits
  }>('subjectLimits', (entry) => keyOf(entry.subject), {}, durable),
  rates: createTable<{
    readonly context: ContextIdentifier
    readonly rates: Readonly<Record<RateRuleId, Window>>
  }>('rates', (entry) => keyOf(entry.context), {}, durable),
  enrollments: createTable<Enrollment, 'subject'>(
    'enrollments',
    (entry) => entry.referenceNumber,
    { subject: (entry) => keyOf(entry.subject) },
    durable,
  ),
  certificates: createTable<IssuedCertificate, 'subject' | 'fingerprint'>(
    'certificates',
    (entry) => entry.serialNumber,
    { subject: (entry) => keyOf(entry.subject), fingerprint: (entry) => entry.fingerprint },
    durable,
  ),

  ...createInvoiceTables(durable),
})

export type State = ReturnType<typeof createState>

/** Empties every table, including the durable store beneath. */
export const clearState = (state: State, durable?: Durable): void => {
  for (const table of Object.values(state)) table.clear()
  durable?.clear()
}
