import type { JsonSchema } from '../types.ts'
import {
  boolean,
  day,
  description,
  inline,
  instant,
  list,
  maybe,
  object,
  oneOf,
  ref,
} from './build.ts'

/** Test-data operations. Source: What the service does; gap testdata-paths. */

const nip = '5265877635'
const context = { type: 'Nip', value: nip }
const person = { type: 'Pesel', value: '30112206276' }

export const testdata = {
  CreateSubject: object(
    {
      subjectNip: ref('Nip'),
      subjectType: oneOf(['EnforcementAuthority', 'VatGroup', 'JST']),
      description,
    },
    {
      subunits: maybe(list(inline({ subjectNip: ref('Nip'), description }))),
      createdDate: maybe(instant),
    },
    {
      subjectNip: nip,
      subjectType: 'VatGroup',
      description: 'VAT group',
      subunits: [{ subjectNip: '7980332920', description: 'member' }],
    },
  ),
  RemoveSubject: object({ subjectNip: ref('Nip') }, {}, { subjectNip: nip }),
  CreatePerson: object(
    { nip: ref('Nip'), pesel: ref('Pesel'), isBailiff: boolean, description },
    { isDeceased: boolean, createdDate: maybe(instant) },
    { nip, pesel: person.value, isBailiff: true, description: 'bailiff' },
  ),
  RemovePerson: object({ nip: ref('Nip') }, {}, { nip }),
  TestdataPermission: oneOf([
    'InvoiceRead',
    'InvoiceWrite',
    'Introspection',
    'CredentialsRead',
    'CredentialsManage',
    'EnforcementOperations',
    'SubunitManage',
  ]),
  TestdataGrant: object(
    {
      contextIdentifier: ref('EntityIdentifier'),
      authorizedIdentifier: ref('SubjectIdentifier'),
      permissions: list(inline({ permissionType: ref('TestdataPermission'), description })),
    },
    {},
    {
      contextIdentifier: context,
      authorizedIdentifier: person,
      permissions: [{ permissionType: 'InvoiceRead', description: 'reading invoices' }],
    },
  ),
  TestdataRevoke: object(
    {
      contextIdentifier: ref('EntityIdentifier'),
      authorizedIdentifier: ref('SubjectIdentifier'),
    },
    {},
    { contextIdentifier: context, authorizedIdentifier: person },
  ),
  AllowAttachments: object({ nip: ref('Nip') }, {}, { nip }),
  DenyAttachments: object(
    { nip: ref('Nip') },
    { expectedEndDate: maybe(day) },
    { nip, expectedEndDate: '2026-07-01' },
  ),
  BlockContext: object(
    {},
    { contextIdentifier: maybe(ref('ContextIdentifier')) },
    { contextIdentifier: context },
  ),
  UpdateCertificate: object({ validTo: instant }, {}, { validTo: '2026-06-16T00:00:00Z' }),
} as const satisfies Record<string, JsonSchema>
