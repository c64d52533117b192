import type { Permission } from '../../contract/types.ts'
import type {
  Authentication,
  ContextIdentifier,
  Grant,
  SubjectIdentifier,
  TestPerson,
  TestSubject,
} from '../model/entities.ts'
import { isPermission, keyOf, nipOf } from '../model/entities.ts'
import type { Service } from '../call/service.ts'

/** Who may do what in which context, by the grants in force. Source: gap permission-grants. */

const ownerPermissions = [
  'InvoiceWrite',
  'InvoiceRead',
  'CredentialsManage',
  'CredentialsRead',
  'SubunitManage',
  'Introspection',
  'CollectiveIdentifierManage',
] as const satisfies readonly Permission[]

/** The subject and everyone that counts as the same: a NIP and the PESEL linked to it. */
export const aliasesOf = (
  service: Service,
  subject: SubjectIdentifier,
): readonly SubjectIdentifier[] => {
  const { persons } = service.state
  if (subject.type === 'Pesel') {
    return [
      subject,
      ...persons
        .by('pesel', subject.value)
        .map(({ nip }) => ({ type: 'Nip', value: nip }) as const),
    ]
  }
  const person = subject.type === 'Nip' ? persons.get(subject.value) : undefined
  return person ? [subject, { type: 'Pesel', value: person.pesel }] : [subject]
}

/** A role that a context has through test data, and the record that it comes from. */
export interface Role {
  readonly role: string
  readonly from: TestSubject | TestPerson
  /** Below which entity. */
  readonly head?: TestSubject
}

/** Whether a context is that of an enforcement authority or a court bailiff. */
const enforces = ({ state }: Service, nip: string): boolean =>
  state.subjects.get(nip)?.type === 'EnforcementAuthority' ||
  state.persons.get(nip)?.bailiff === true

/** Roles that a context has through test data, each below a head of its own. */
export const roleRecordsOf = (service: Service, nip: string): readonly Role[] => {
  const roles: Role[] = []
  const subject = service.state.subjects.get(nip)
  if (subject?.type === 'EnforcementAuthority')
    roles.push({ role: 'EnforcementAuthority', from: subject })
  if (subject?.type === 'VatGroup') roles.push({ role: 'VatGroupUnit', from: subject })
  if (subject?.type === 'JST') roles.push({ role: 'LocalGovernmentUnit', from: subject })
  const person = service.state.persons.get(nip)
  if (person?.bailiff === true) roles.push({ role: 'CourtBailiff', from: person })
  for (const head of service.state.subjects.values()) {
    if (!head.subunits.some((unit) => unit.nip === nip)) continue
    if (head.type === 'VatGroup') roles.push({ role: 'VatGroupSubUnit', from: head, head })
    if (head.type === 'JST') roles.push({ role: 'LocalGovernmentSubUnit', from: head, head })
  }
  return roles
}

/** The names of those roles. */
export const rolesOf = (service: Service, nip: string): readonly string[] =>
  roleRecordsOf(service, nip).map(({ role }) => role)

/** Whether a subject owns a context: its own NIP, or a PESEL linked to it; also the contexts below that NIP. */
export const owns = (
  service: Service,
  subject: SubjectIdentifier,
  context: ContextIdentifier,
): boolean =>
  aliasesOf(service, subject).some(
    (alias) => alias.type === 'Nip' && service.policy.ownsContext(alias.value, nipOf(context)),
  )

const active = (service: Service, grant: Grant): boolean =>
  service.policy.grantHolds(grant.startsAt, grant.revokedAt, service.clock.now())

export type GrantState = 'Active' | 'Inactive'

/**
 * Whether a grant has an effect: what an intermediary passes on has none while no client lets it pass that on. Such a
 * grant is kept and listed as inactive, because the client may let it be passed on later.
 */
export const stateOf = (service: Service, grant: Grant): GrantState => {
  if (grant.kind !== 'indirect') return 'Active'
  const { policy, state } = service
  const based = state.grants
    .by('subject', keyOf(grant.grantedIn))
    .some(
      (base) =>
        base.kind === 'entity' &&
        base.permission === grant.permission &&
        policy.mayPassOn(base) &&
        policy.passedOnTo(grant.target?.value, base.context.value) &&
        active(service, base),
    )
  return based ? 'Active' : 'Inactive'
}

/** Grants that are in force in a context for a subject, those passed on by an intermediary too. */
const grantsFor = (
  service: Service,
  subject: SubjectIdentifier,
  context: ContextIdentifier,
): readonly Grant[] => {
  const here = service.state.grants
    .by('context', keyOf(context))
    .filter((grant) => active(service, grant))
  if (here.length === 0) return here
  const names = new Set(aliasesOf(service, subject).map(keyOf))
  const direct = here.filter(
    (grant) =>
      grant.kind !== 'indirect' &&
      grant.kind !== 'authorization' &&
      names.has(keyOf(grant.subject)),
  )
  // What the context lets an intermediary pass on, and what the intermediary passed on to the subject.
  const passedOn = here
    .filter((grant) => grant.kind === 'entity' && service.policy.mayPassOn(grant))
    .flatMap((delegable) =>
      service.state.grants
        .by('context', keyOf({ type: 'Nip', value: delegable.subject.value }))
        .filter(
          (grant) =>
            grant.kind === 'indirect' &&
            active(service, grant) &&
            names.has(keyOf(grant.subject)) &&
            grant.permission === delegable.permission &&
            service.policy.passedOnTo(grant.target?.value, context.value),
        ),
    )
  return [...direct, ...passedOn]
}

/** Permissions of owners without further grants: most callers are such owners, and share this set. */
const ofOwners: ReadonlySet<Permission> = new Set(ownerPermissions)

/** Permissions of Peppol providers in their own contexts: for whom they may send is decided invoice by invoice. */
const ofProviders: ReadonlySet<Permission> = new Set<Permission>(['PefInvoiceWrite'])
const nothing: ReadonlySet<Permission> = new Set()

/** Permissions of owners who logged in by a token, by what the token carries. */
const ofTokens = new WeakMap<readonly Permission[], ReadonlySet<Permission>>()

/** Every permission that a subject has in a context now. */
const permissionsOf = (
  service: Service,
  subject: SubjectIdentifier,
  context: ContextIdentifier,
): ReadonlySet<Permission> => {
  if (context.type === 'PeppolId') return keyOf(subject) === keyOf(context) ? ofProviders : nothing
  const owner = owns(service, subject, context)
  const grants = grantsFor(service, subject, context)
  const enforcer = owner && enforces(service, nipOf(context))
  if (owner && !enforcer && grants.length === 0) return ofOwners
  const held = new Set<Permission>(owner ? ownerPermissions : [])
  if (enforcer) held.add('EnforcementOperations')
  for (const { permission } of grants) {
    if (isPermission(permission)) held.add(permission)
  }
  return held
}

/** What the caller of an authentication may do now: the subject's rights, for a token login within the token's. */
export const permissionsOfLogin = (
  service: Service,
  login: Authentication,
): ReadonlySet<Permission> => {
  if (login.subject === undefined) return new Set()
  const held = permissionsOf(service, login.subject, login.context)
  if (login.token === undefined) return held
  const carried = service.state.tokens.get(login.token)?.permissions ?? []
  const known = held === ofOwners ? ofTokens.get(carried) : undefined
  if (known !== undefined) return known
  const within = new Set([...held].filter((permission) => carried.includes(permission)))
  if (held === ofOwners) ofTokens.set(carried, within)
  return within
}
