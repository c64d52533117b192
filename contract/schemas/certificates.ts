import type { JsonSchema } from '../types.ts'
import {
  base64,
  boolean,
  inline,
  instant,
  integer,
  list,
  maybe,
  object,
  oneOf,
  ref,
  string,
} from './build.ts'

/** Service certificates. Source: Authentication; gap certificate-module. */

const serial = '0321C82DA41B4362'
const name = {
  type: 'string',
  minLength: 5,
  maxLength: 100,
  pattern: '^[a-zA-Z0-9_\\- ąćęłńóśźżĄĆĘŁŃÓŚŹŻ]+$',
} as const
const since = '2026-06-15T08:00:00Z'
const item = {
  certificateSerialNumber: serial,
  name: 'integration 1',
  type: 'Authentication',
  commonName: 'Anna Nowak',
  status: 'Active',
  subjectIdentifier: { type: 'Nip', value: '5265877635' },
  validFrom: since,
  validTo: '2028-06-14T08:00:00Z',
  lastUseDate: null,
  requestDate: since,
}

export const certificates = {
  CertificateType: oneOf(['Authentication', 'Offline']),
  CertificateState: oneOf(['Active', 'Blocked', 'Revoked', 'Expired']),
  RemainingOfLimit: object({ remaining: integer, limit: integer }, {}, { remaining: 2, limit: 6 }),
  CertificateLimits: object(
    {
      canRequest: boolean,
      enrollment: ref('RemainingOfLimit'),
      certificate: ref('RemainingOfLimit'),
    },
    {},
    {
      canRequest: true,
      enrollment: { remaining: 11, limit: 12 },
      certificate: { remaining: 5, limit: 6 },
    },
  ),
  EnrollmentData: object(
    { commonName: string, countryName: string },
    {
      givenName: maybe(string),
      surname: maybe(string),
      serialNumber: maybe(string),
      uniqueIdentifier: maybe(string),
      organizationName: maybe(string),
      organizationIdentifier: maybe(string),
    },
    {
      commonName: 'firm',
      countryName: 'PL',
      organizationName: 'firm',
      organizationIdentifier: 'VATPL-5265877635',
    },
  ),
  EnrollmentRequest: object(
    {
      certificateName: name,
      certificateType: ref('CertificateType'),
      csr: { ...base64, minLength: 1 },
    },
    { validFrom: maybe(instant) },
    {
      certificateName: 'integration 1',
      certificateType: 'Authentication',
      csr: 'Y2VydGlmaWNhdGU=',
    },
  ),
  EnrollmentStarted: object(
    { referenceNumber: ref('ReferenceNumber'), timestamp: instant },
    {},
    { referenceNumber: '20260615-EH-2F6A9B0C1D-0E3F4A5B6C-7D', timestamp: since },
  ),
  EnrollmentStatus: object(
    { requestDate: instant, status: ref('StatusInfo') },
    { certificateSerialNumber: maybe(ref('CertificateSerialNumber')) },
    {
      requestDate: since,
      status: { code: 200, description: 'certificate issued' },
      certificateSerialNumber: serial,
    },
  ),
  RetrieveCertificates: object(
    {
      certificateSerialNumbers: list(ref('CertificateSerialNumber'), { minItems: 1, maxItems: 10 }),
    },
    {},
    { certificateSerialNumbers: [serial] },
  ),
  RetrievedCertificates: object(
    {
      certificates: list(
        inline({
          certificate: base64,
          certificateName: string,
          certificateSerialNumber: ref('CertificateSerialNumber'),
          certificateType: ref('CertificateType'),
        }),
      ),
    },
    {},
    {
      certificates: [
        {
          certificate: 'Y2VydGlmaWNhdGU=',
          certificateName: 'integration 1',
          certificateSerialNumber: serial,
          certificateType: 'Authentication',
        },
      ],
    },
  ),
  RevokeCertificate: object(
    {},
    {
      revocationReason: maybe(oneOf(['Unspecified', 'Superseded', 'KeyCompromise'])),
    },
    { revocationReason: 'Superseded' },
  ),
  CertificatesQuery: object(
    {},
    {
      certificateSerialNumber: maybe(ref('CertificateSerialNumber')),
      name: maybe(string),
      type: maybe(ref('CertificateType')),
      status: maybe(ref('CertificateState')),
      expiresAfter: maybe(instant),
    },
    { status: 'Active' },
  ),
  CertificateItem: object(
    {
      certificateSerialNumber: ref('CertificateSerialNumber'),
      name: { type: 'string', maxLength: 100 },
      type: ref('CertificateType'),
      commonName: string,
      status: ref('CertificateState'),
      subjectIdentifier: ref('SubjectIdentifier'),
      validFrom: instant,
      validTo: instant,
      requestDate: instant,
    },
    { lastUseDate: maybe(instant) },
    item,
  ),
  CertificateList: object(
    { certificates: list(ref('CertificateItem')), hasMore: boolean },
    {},
    { certificates: [item], hasMore: false },
  ),
} as const satisfies Record<string, JsonSchema>
