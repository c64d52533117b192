import type { Permission } from '../../contract/types.ts'
import { permissions } from '../../contract/types.ts'
import type { Instant } from '../base/instants.ts'
import type { Status } from '../base/refusals.ts'

/** What the service remembers about callers and their rights. Internal shapes: the wire has others. */

export type ContextKind = 'Nip' | 'InternalId' | 'NipVatUe' | 'PeppolId'
export interface ContextIdentifier {
  readonly type: ContextKind
  readonly value: string
}

type SubjectKind = 'Nip' | 'Pesel' | 'Fingerprint' | 'PeppolId'
export interface SubjectIdentifier {
  readonly type: SubjectKind
  readonly value: string
}

/** One string for an identifier, to key maps with. */
export const keyOf = (identifier: { readonly type: string; readonly value: string }): string =>
  `${identifier.type}:${identifier.value}`

export const isPermission = (name: string): name is Permission =>
  (permissions as readonly string[]).includes(name)

/** The NIP behind a context: its own, or that of the entity it belongs to. */
export const nipOf = (context: { readonly value: string }): string => context.value.slice(0, 10)

export interface Challenge {
  readonly value: string
  readonly issuedAt: Instant
  readonly spent: boolean
}

export interface AddressPolicy {
  readonly addresses: readonly string[]
  readonly ranges: readonly string[]
  readonly masks: readonly string[]
}

export type LoginMethod = 'XadesSignature' | 'Token'
/** Which credential stood behind a login. */
export type Credential =
  | 'SelfSigned'
  | 'QualifiedSignature'
  | 'QualifiedSeal'
  | 'InternalCertificate'
  | 'Token'

/** An authentication, from its request on; after redeem it is the login session. */
export interface Authentication {
  readonly referenceNumber: string
  readonly method: LoginMethod
  readonly credential: Credential
  readonly context: ContextIdentifier
  readonly address: string
  readonly policy?: AddressPolicy
  readonly startedAt: Instant
  readonly validUntil: Instant
  /** Who signed; for a token login the author of the token, once the token is known. */
  readonly subject?: SubjectIdentifier
  /** Attributes of the signing certificate, for certificate applications. */
  readonly attributes?: SubjectAttributes
  /** Fingerprint of the signing certificate, upper-case hex. */
  readonly fingerprint?: string
  /** DER of the signing certificate, Base64. */
  readonly certificate?: string
  /** SHA-256 of the signed document exactly as it came, Base64. */
  readonly documentDigest?: string
  readonly verifyChain?: boolean
  /** Reference of the service token logged in with. */
  readonly token?: string
  /** What the token envelope held, until it has been checked. */
  readonly envelope?: TokenEnvelope
  readonly status: Status
  readonly redeemedAt?: Instant
  readonly refreshValidUntil?: Instant
  readonly refreshedAt?: Instant
  readonly revokedAt?: Instant
}

export type TokenEnvelope =
  | { readonly problem: string; readonly explanation?: string }
  | { readonly token: string; readonly timestamp: string; readonly challengeIssuedAt: Instant }

export interface SubjectAttributes {
  readonly commonName?: string
  readonly countryName?: string
  readonly givenName?: string
  readonly surname?: string
  readonly serialNumber?: string
  readonly uniqueIdentifier?: string
  readonly organizationName?: string
  readonly organizationIdentifier?: string
}

export interface ServiceToken {
  readonly referenceNumber: string
  /** SHA-256 of the token string, hex: the string itself is shown once and not kept. */
  readonly digest: string
  readonly context: ContextIdentifier
  readonly author: SubjectIdentifier
  readonly description: string
  readonly permissions: readonly Permission[]
  readonly createdAt: Instant
  readonly validUntil: Instant
  readonly status: 'Pending' | 'Active' | 'Revoking' | 'Revoked' | 'Failed'
  /** Why it failed. */
  readonly details?: readonly string[]
  readonly lastUseAt?: Instant
}

export type GrantKind =
  | 'person'
  | 'entity'
  | 'authorization'
  | 'indirect'
  | 'subunit'
  | 'euAdministration'
  | 'eu'
  | 'testdata'
export type Authorization = 'SelfInvoicing' | 'RRInvoicing' | 'TaxRepresentative' | 'PefInvoicing'

/** A Peppol provider, registered at its first login. */
export interface Provider {
  readonly id: string
  readonly name: string
  readonly createdAt: Instant
}

/** One permission of one subject in one context. */
export interface Grant {
  readonly id: string
  readonly kind: GrantKind
  /** The context that it opens. */
  readonly context: ContextIdentifier
  /** The context in which it was given, and in which it can be revoked. */
  readonly grantedIn: ContextIdentifier
  readonly subject: SubjectIdentifier
  readonly permission: Permission | Authorization
  readonly canDelegate?: boolean
  /** Of an indirect grant: the client whose context it opens; all of them when absent. */
  readonly target?: { readonly type: string; readonly value?: string }
  readonly author: SubjectIdentifier | { readonly type: 'System' }
  readonly description: string
  /** What the caller stated about the subject, canonical JSON. */
  readonly subjectDetails?: unknown
  readonly entityDetails?: unknown
  readonly unitName?: string
  readonly startsAt: Instant
  readonly revokedAt?: Instant
}

export interface Operation {
  readonly referenceNumber: string
  readonly context: ContextIdentifier
  readonly startedAt: Instant
  readonly task: OperationTask
  readonly status: Status
}

export type OperationTask =
  | { readonly kind: 'grant'; readonly grants: readonly Grant[] }
  | {
      readonly kind: 'revoke'
      readonly permissionId: string
      readonly by: SubjectIdentifier
      readonly authorization: boolean
    }

export type SubjectType = 'EnforcementAuthority' | 'VatGroup' | 'JST'
/** A local-government unit, VAT group or enforcement authority created through test data. */
export interface TestSubject {
  readonly nip: string
  readonly type: SubjectType
  readonly description: string
  readonly subunits: readonly { readonly nip: string; readonly description: string }[]
  readonly createdAt: Instant
}

export interface TestPerson {
  readonly nip: string
  readonly pesel: string
  readonly bailiff: boolean
  readonly deceased: boolean
  readonly description: string
  readonly createdAt: Instant
}

export interface AttachmentConsent {
  readonly nip: string
  readonly givenAt: Instant
  readonly revokedAt?: Instant
}

export interface SessionLimits {
  readonly maxInvoiceBytes: number
  readonly maxInvoiceWithAttachmentBytes: number
  readonly maxInvoices: number
}
/** Limits set for one context through the limit simulation. */
export interface ContextLimits {
  readonly online: SessionLimits
  readonly batch: SessionLimits
}
export interface SubjectLimits {
  readonly maxEnrollments?: number
  readonly maxCertificates?: number
}

export interface Enrollment {
  readonly referenceNumber: string
  readonly subject: SubjectIdentifier
  readonly name: string
  readonly purpose: 'Authentication' | 'Offline'
  /** Of the request, SPKI, DER, Base64. */
  readonly publicKey: string
  readonly validFrom?: Instant
  readonly requestedAt: Instant
  readonly attributes: SubjectAttributes
  readonly status: Status
  readonly serialNumber?: string
}

export interface IssuedCertificate {
  readonly serialNumber: string
  readonly name: string
  readonly purpose: 'Authentication' | 'Offline'
  readonly subject: SubjectIdentifier
  readonly commonName: string
  /** DER, Base64. */
  readonly certificate: string
  readonly fingerprint: string
  /** SPKI, DER, Base64. */
  readonly publicKey: string
  readonly requestedAt: Instant
  readonly validFrom: Instant
  readonly validTo: Instant
  readonly revoking?: Instant
  readonly revokedAt?: Instant
  readonly revocationReason?: string
  readonly lastUseAt?: Instant
}
