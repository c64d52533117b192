import type { JsonSchema } from '../types.ts'
import {
  base64,
  eitherOf,
  instant,
  integer,
  list,
  maybe,
  nonEmpty,
  object,
  oneOf,
  ref,
  string,
  text,
} from './build.ts'

/** What several areas share: numbers, identifiers, statuses, errors. Source: Resources and their fields; Errors. */

const nip = String.raw`[1-9]((\d[1-9])|([1-9]\d))\d{7}`
/** VAT numbers by country, as the second half of a NipVatUe. */
const vat = [
  String.raw`ATU\d{8}`,
  String.raw`BE[01]\d{9}`,
  String.raw`BG\d{9,10}`,
  String.raw`CY\d{8}[A-Z]`,
  String.raw`CZ\d{8,10}`,
  String.raw`DE\d{9}`,
  String.raw`DK\d{8}`,
  String.raw`EE\d{9}`,
  String.raw`EL\d{9}`,
  String.raw`ES([A-Z]\d{8}|\d{8}[A-Z]|[A-Z]\d{7}[A-Z])`,
  String.raw`FI\d{8}`,
  String.raw`FR[A-Z0-9]{2}\d{9}`,
  String.raw`HR\d{11}`,
  String.raw`HU\d{8}`,
  String.raw`IE(\d{7}[A-Z]{2}|\d[A-Z0-9+*]\d{5}[A-Z])`,
  String.raw`IT\d{11}`,
  String.raw`LT(\d{9}|\d{12})`,
  String.raw`LU\d{8}`,
  String.raw`LV\d{11}`,
  String.raw`MT\d{8}`,
  String.raw`NL[A-Z0-9+*]{12}`,
  String.raw`PT\d{9}`,
  String.raw`RO\d{2,10}`,
  String.raw`SE\d{12}`,
  String.raw`SI\d{8}`,
  String.raw`SK\d{10}`,
  String.raw`XI((\d{9}|\d{12})|(GD|HA)\d{3})`,
].join('|')

export const shared = {
  ReferenceNumber: {
    ...text(36, 36),
    description: 'Names one piece of asynchronous work or one document.',
    examples: ['20260615-SO-2F6A9B0C1D-0E3F4A5B6C-7D'],
  },
  Challenge: {
    ...text(36, 36),
    examples: ['20260615-CR-20F5EE4000-DA48AE4124-46'],
  },
  Sha256: {
    ...base64,
    minLength: 44,
    maxLength: 44,
    description: 'SHA-256 in Base64.',
    examples: ['47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='],
  },
  Nip: { ...text(10, 10), pattern: `^${nip}$`, examples: ['5265877635'] },
  Pesel: {
    ...text(11, 11),
    pattern: String.raw`^\d{2}(?:0[1-9]|1[0-2]|2[1-9]|3[0-2]|4[1-9]|5[0-2]|6[1-9]|7[0-2]|8[1-9]|9[0-2])\d{7}$`,
    examples: ['30112206276'],
  },
  InternalId: {
    ...text(16, 16),
    pattern: String.raw`^${nip}-\d{5}$`,
    examples: ['6824515772-12343'],
  },
  NipVatUe: { type: 'string', pattern: `^${nip}-(${vat})$`, examples: ['5265877635-DE123456789'] },
  SvcNumber: {
    ...text(35, 36),
    pattern: String.raw`^([1-9](\d[1-9]|[1-9]\d)\d{7})-(20[2-9][0-9]|2[1-9]\d{2}|[3-9]\d{3})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])-([0-9A-F]{6})-?([0-9A-F]{6})-([0-9A-F]{2})$`,
    description: 'Service number of an invoice: seller, day, technical part, CRC-8.',
    examples: ['5265877635-20250826-0100001AF629-AF'],
  },
  PermissionId: { ...text(36, 36), examples: ['9b2f7c64-0c2a-4f7f-8a39-6c1a7d7b1a55'] },
  CertificateSerialNumber: {
    ...text(16, 16),
    pattern: '^[0-9A-F]{16}$',
    examples: ['0321C82DA41B4362'],
  },
  Fingerprint: {
    ...text(64, 64),
    description: 'SHA-256 of a certificate in DER, hexadecimal, upper case.',
    examples: ['CEB3643BAC2C111ADDE971BDA5A80163441867D65389FC0BC0DFF8B4C1CD4E59'],
  },
  PublicKeyId: {
    ...base64,
    minLength: 44,
    maxLength: 44,
    description: 'SHA-256 of the public key (SubjectPublicKeyInfo, DER) in Base64.',
    examples: ['47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='],
  },
  StatusInfo: object(
    { code: integer, description: nonEmpty },
    { details: maybe(list(string)) },
    { code: 200, description: 'succeeded', details: [] },
  ),
  InvoiceStatusInfo: object(
    { code: integer, description: nonEmpty },
    { details: maybe(list(string)), extensions: maybe({ type: 'object' }) },
    {
      code: 440,
      description: 'The invoice is a duplicate',
      details: ['first accepted as 5265877635-20250826-0100001AF629-AF'],
      extensions: {
        originalSessionReferenceNumber: '20260615-SO-2F6A9B0C1D-0E3F4A5B6C-7D',
        originalSvcNumber: '5265877635-20250826-0100001AF629-AF',
      },
    },
  ),
  FormCode: object(
    { systemCode: nonEmpty, schemaVersion: nonEmpty, value: nonEmpty },
    {},
    { systemCode: 'FA (3)', schemaVersion: '1-0E', value: 'FA' },
  ),
  FormCodeChoice: {
    ...eitherOf(ref('FormCode'), text(1, 20)),
    description: 'The parts, or the label alone.',
    examples: [{ systemCode: 'FA (3)', schemaVersion: '1-0E', value: 'FA' }, 'FA (3)'],
  },
  ContextIdentifier: object(
    { type: oneOf(['Nip', 'InternalId', 'NipVatUe']), value: text(10, 25) },
    {},
    { type: 'Nip', value: '5265877635' },
  ),
  InvoicingMode: oneOf(['Online', 'Offline']),
  CompressionType: oneOf(['Zip', 'TarGz']),
  OpenApiDocument: object(
    { openapi: nonEmpty, info: { type: 'object' }, paths: { type: 'object' } },
    {},
    { openapi: '3.1.0', info: { title: 'service', version: '2' }, paths: {} },
  ),
  Health: object({ status: nonEmpty }, {}, { status: 'ok' }),
  ErrorBody: object(
    { code: integer, description: nonEmpty },
    { details: maybe(list(string)), timestamp: instant },
    {
      code: 21405,
      description: 'The input is not valid',
      details: ["'pageSize' must be between 10 and 250"],
      timestamp: '2026-06-15T08:00:00Z',
    },
  ),
  Problem: object(
    { title: nonEmpty, status: integer, detail: string, timestamp: instant },
    {
      instance: maybe(string),
      errors: list({
        type: 'object',
        required: ['code', 'description'],
        properties: { code: integer, description: string, details: maybe(list(string)) },
      }),
      traceId: maybe(string),
    },
    {
      title: 'Bad Request',
      status: 400,
      instance: '/api/v2/sessions/online',
      detail: 'The input is not valid',
      errors: [{ code: 21405, description: 'The input is not valid', details: [] }],
      timestamp: '2026-06-15T08:00:00Z',
      traceId: '0af7651916cd43dd8448eb211c80319c',
    },
  ),
  RateWindow: object(
    { perSecond: integer, perMinute: integer, perHour: integer },
    {},
    { perSecond: 10, perMinute: 30, perHour: 120 },
  ),
} as const satisfies Record<string, JsonSchema>
