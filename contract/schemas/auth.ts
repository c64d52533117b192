import type { JsonSchema } from '../types.ts'
import {
  base64,
  boolean,
  description,
  instant,
  integer,
  list,
  maybe,
  nonEmpty,
  object,
  oneOf,
  ref,
  string,
} from './build.ts'

/** Challenge, authentication, tokens, public keys. Source: Resources and their fields; Authentication. */

const octet = '(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9][0-9]|[0-9])'
const address = String.raw`(${octet}\.){3}${octet}`
const addresses = (pattern: string) =>
  maybe(list({ type: 'string', pattern: `^${pattern}$` }, { maxItems: 10 }))
const reference = '20260615-AU-2F6A9B0C1D-0E3F4A5B6C-7D'
const tokenReference = '20260615-EC-2F6A9B0C1D-0E3F4A5B6C-7D'
const info = { token: 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln', validUntil: '2026-06-15T08:45:00Z' }
const method = { category: 'XadesSignature', code: 'xades.certificate', displayName: 'certificate' }

const progress = {
  isTokenRedeemed: maybe(boolean),
  lastTokenRefreshDate: maybe(instant),
  refreshTokenValidUntil: maybe(instant),
  authenticationMethod: maybe(ref('AuthenticationMethod')),
}
const identity = { type: oneOf(['Nip', 'Pesel', 'Fingerprint']), value: string }
const tokenRecord = {
  referenceNumber: ref('ReferenceNumber'),
  authorIdentifier: ref('TokenAuthor'),
  contextIdentifier: ref('ContextIdentifier'),
  description,
  requestedPermissions: list(ref('TokenPermission')),
  dateCreated: instant,
  status: ref('TokenState'),
}
const tokenRecordMore = { lastUseDate: maybe(instant), statusDetails: maybe(list(string)) }
const tokenExample = {
  referenceNumber: tokenReference,
  authorIdentifier: { type: 'Nip', value: '5265877635' },
  contextIdentifier: { type: 'Nip', value: '5265877635' },
  description: 'accounting system',
  requestedPermissions: ['InvoiceRead', 'InvoiceWrite'],
  dateCreated: '2026-06-15T08:00:00Z',
  lastUseDate: null,
  status: 'Active',
  statusDetails: null,
}

export const auth = {
  ChallengeAnswer: object(
    { challenge: ref('Challenge') },
    { timestamp: instant, timestampMs: integer, clientIp: string },
    {
      challenge: '20260615-CR-20F5EE4000-DA48AE4124-46',
      timestamp: '2026-06-15T08:00:00Z',
      timestampMs: 1781510400000,
      clientIp: '127.0.0.1',
    },
  ),
  AllowedIps: object(
    {},
    {
      ip4Addresses: addresses(address),
      ip4Ranges: addresses(`${address}-${address}`),
      ip4Masks: addresses(`${address}/(0|[1-9]|[12][0-9]|3[0-2])`),
    },
    { ip4Addresses: ['127.0.0.1'], ip4Ranges: ['10.0.0.1-10.0.0.9'], ip4Masks: ['10.1.0.0/16'] },
  ),
  AuthorizationPolicy: object(
    {},
    { allowedIps: maybe(ref('AllowedIps')) },
    { allowedIps: { ip4Addresses: ['127.0.0.1'] } },
  ),
  TokenLogin: object(
    {
      challenge: ref('Challenge'),
      contextIdentifier: ref('ContextIdentifier'),
      encryptedToken: { ...base64, minLength: 1 },
    },
    {
      publicKeyId: maybe(ref('PublicKeyId')),
      authorizationPolicy: maybe(ref('AuthorizationPolicy')),
    },
    {
      challenge: '20260615-CR-20F5EE4000-DA48AE4124-46',
      contextIdentifier: { type: 'Nip', value: '5265877635' },
      encryptedToken: 'c2VydmljZSB0b2tlbg==',
    },
  ),
  TokenInfo: object({ token: nonEmpty, validUntil: instant }, {}, info),
  AuthenticationStarted: object(
    { referenceNumber: ref('ReferenceNumber'), authenticationToken: ref('TokenInfo') },
    {},
    { referenceNumber: reference, authenticationToken: info },
  ),
  // Replaced by the method info, and removed from November 2026 on.
  AuthenticationMethod: oneOf([
    'Token',
    'TrustedProfile',
    'InternalCertificate',
    'QualifiedSignature',
    'QualifiedSeal',
    'PersonalSignature',
    'PeppolSignature',
  ]),
  AuthenticationMethodInfo: object(
    {
      category: oneOf(['XadesSignature', 'NationalNode', 'Token', 'Other']),
      code: string,
      displayName: string,
    },
    {},
    method,
  ),
  AuthenticationStatus: object(
    {
      startDate: instant,
      authenticationMethodInfo: ref('AuthenticationMethodInfo'),
      status: ref('StatusInfo'),
    },
    progress,
    {
      startDate: '2026-06-15T08:00:00Z',
      authenticationMethodInfo: method,
      status: { code: 200, description: 'succeeded' },
      isTokenRedeemed: false,
    },
  ),
  LoginSession: object(
    {
      referenceNumber: ref('ReferenceNumber'),
      startDate: instant,
      authenticationMethodInfo: ref('AuthenticationMethodInfo'),
      status: ref('StatusInfo'),
    },
    { ...progress, isCurrent: boolean },
    {
      referenceNumber: reference,
      startDate: '2026-06-15T08:00:00Z',
      authenticationMethodInfo: method,
      status: { code: 200, description: 'succeeded' },
      isTokenRedeemed: true,
      isCurrent: true,
    },
  ),
  LoginSessions: object(
    { items: list(ref('LoginSession')) },
    { continuationToken: maybe(string) },
    { items: [], continuationToken: null },
  ),
  // The specification writes the refresh token as a string, the public contract as an object: both are read.
  RefreshTokenForm: {
    anyOf: [{ $ref: 'TokenInfo' }, { type: 'string', minLength: 1 }],
    examples: [info, 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln'],
  },
  TokenPair: object(
    { accessToken: ref('TokenInfo'), refreshToken: ref('RefreshTokenForm') },
    {},
    { accessToken: info, refreshToken: info },
  ),
  RefreshedToken: object({ accessToken: ref('TokenInfo') }, {}, { accessToken: info }),

  TokenState: oneOf(['Pending', 'Active', 'Revoking', 'Revoked', 'Failed'], 'Active'),
  TokenPermission: oneOf([
    'InvoiceRead',
    'InvoiceWrite',
    'CredentialsRead',
    'CredentialsManage',
    'SubunitManage',
    'EnforcementOperations',
    'Introspection',
  ]),
  TokenAuthor: object(identity, {}, { type: 'Nip', value: '5265877635' }),
  TokenRequest: object(
    { permissions: list(ref('TokenPermission'), { minItems: 1 }), description },
    {},
    { permissions: ['InvoiceRead', 'InvoiceWrite'], description: 'accounting system' },
  ),
  TokenCreated: object(
    { referenceNumber: ref('ReferenceNumber'), token: { type: 'string', maxLength: 160 } },
    {},
    {
      referenceNumber: tokenReference,
      token: `${tokenReference}|nip-5265877635|${'9a0b'.repeat(16)}`,
    },
  ),
  TokenStatus: object(tokenRecord, tokenRecordMore, tokenExample),
  TokenList: object(
    { tokens: list(ref('TokenStatus')) },
    { continuationToken: maybe(string) },
    { tokens: [tokenExample], continuationToken: null },
  ),

  PublicKeyUsage: oneOf(['SvcTokenEncryption', 'SymmetricKeyEncryption']),
  PublicKeyCertificate: object(
    {
      usage: list(ref('PublicKeyUsage'), { minItems: 1 }),
      certificate: nonEmpty,
      validFrom: instant,
    },
    {
      validTo: maybe(instant),
      certificateId: base64,
      publicKeyId: base64,
    },
    {
      usage: ['SymmetricKeyEncryption'],
      certificate: 'MIIBszCCAVmgAwIBAgIUJf0=',
      validFrom: '2026-02-01T00:00:00+01:00',
      validTo: '2028-02-01T00:00:00+01:00',
      certificateId: '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
      publicKeyId: '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
    },
  ),
  PublicKeyCertificates: {
    type: 'array',
    items: { $ref: 'PublicKeyCertificate' },
    examples: [[]],
  },
} as const satisfies Record<string, JsonSchema>
