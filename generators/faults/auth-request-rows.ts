import type { RefusalId } from '../../contract/errors.ts'
import type { RuleId } from '../../contract/rules.ts'

/** One way in which a request is malformed. */
export interface AuthRequestRow {
  readonly id: string
  readonly summary: string
  readonly path: string
  readonly write: (xml: string) => string
  readonly rule?: RuleId
  /** The refusal, where the service detects something other than the schema violation first. */
  readonly refusedAs?: RefusalId
}

const between = (name: string) => new RegExp(`(<${name}>)([^<]*)(</${name}>)`)
const text = (name: string, value: string | ((old: string) => string)) => (xml: string) =>
  xml.replace(
    between(name),
    (_, open: string, old: string, close: string) =>
      open + (typeof value === 'string' ? value : value(old)) + close,
  )
const without = (name: string) => (xml: string) =>
  xml.replace(new RegExp(`<${name}>.*?</${name}>`, 's'), '')
const context = (inner: string) => (xml: string) =>
  xml.replace(/(<ContextIdentifier>).*?(<\/ContextIdentifier>)/s, `$1${inner}$2`)
const policy = (inner: string) => (xml: string) =>
  xml
    .replace(/<AuthorizationPolicy>.*?<\/AuthorizationPolicy>/s, '')
    .replace(
      '</AuthTokenRequest>',
      `<AuthorizationPolicy><AllowedIps>${inner}</AllowedIps></AuthorizationPolicy></AuthTokenRequest>`,
    )

const root = 'AuthTokenRequest'
const challenge = `${root}/Challenge`
const identifier = `${root}/ContextIdentifier`
const subject = `${root}/SubjectIdentifierType`
const addresses = `${root}/AuthorizationPolicy/AllowedIps`
const kinds: RuleId = 'auth.xades.context-kinds'
const subjects: RuleId = 'auth.xades.subject-type'

/** Faults that schema validation detects. */
export const schemaRows: readonly AuthRequestRow[] = [
  { id: 'no-challenge', summary: 'no challenge', path: challenge, write: without('Challenge') },
  {
    id: 'challenge-twice',
    summary: 'two challenges',
    path: challenge,
    write: (xml) => xml.replace(/<Challenge>.*?<\/Challenge>/, '$&$&'),
  },
  {
    id: 'challenge-empty',
    summary: 'an empty challenge',
    path: challenge,
    write: text('Challenge', ''),
  },
  {
    id: 'challenge-short',
    summary: 'a challenge without its last character',
    path: challenge,
    write: text('Challenge', (old) => old.slice(0, -1)),
  },
  {
    id: 'challenge-long',
    summary: 'a challenge with one character more',
    path: challenge,
    write: text('Challenge', (old) => `${old}0`),
  },
  {
    id: 'challenge-lower-case',
    summary: 'a challenge in lower case',
    path: challenge,
    write: text('Challenge', (old) => old.toLowerCase()),
  },
  {
    id: 'challenge-uuid',
    summary: 'a UUID as challenge',
    path: challenge,
    write: text('Challenge', '5d1f2c1e-7d5b-4b8e-9c3a-0123456789ab'),
  },
  {
    id: 'no-context',
    summary: 'no context',
    path: identifier,
    rule: kinds,
    write: without('ContextIdentifier'),
  },
  {
    id: 'context-empty',
    summary: 'a context without an identifier',
    path: identifier,
    rule: kinds,
    write: context(''),
  },
  {
    id: 'context-two',
    summary: 'two identifiers',
    path: identifier,
    rule: kinds,
    write: context('<Nip>5265877635</Nip><InternalId>5265877635-00001</InternalId>'),
  },
  {
    id: 'context-unknown',
    summary: 'an identifier of a kind that does not exist',
    path: identifier,
    rule: kinds,
    write: context('<Pesel>44051401359</Pesel>'),
  },
  {
    id: 'context-lower-case',
    summary: 'the kind of identifier in lower case',
    path: identifier,
    rule: kinds,
    write: context('<nip>5265877635</nip>'),
  },
  {
    id: 'context-text',
    summary: 'an identifier without its kind',
    path: identifier,
    rule: kinds,
    write: context('5265877635'),
  },
  {
    id: 'nip-9',
    summary: 'a NIP of nine digits',
    path: `${identifier}/Nip`,
    rule: kinds,
    write: context('<Nip>526587763</Nip>'),
  },
  {
    id: 'nip-dashes',
    summary: 'a NIP with dashes',
    path: `${identifier}/Nip`,
    rule: kinds,
    write: context('<Nip>526-587-76-35</Nip>'),
  },
  {
    id: 'nip-country',
    summary: 'a NIP with its country',
    path: `${identifier}/Nip`,
    rule: kinds,
    write: context('<Nip>PL5265877635</Nip>'),
  },
  {
    id: 'nip-letters',
    summary: 'a NIP of letters',
    path: `${identifier}/Nip`,
    rule: kinds,
    write: context('<Nip>ABCDEFGHIJ</Nip>'),
  },
  {
    id: 'nip-blank',
    summary: 'a NIP with a blank behind',
    path: `${identifier}/Nip`,
    rule: kinds,
    write: context('<Nip>5265877635 </Nip>'),
  },
  {
    id: 'internal-short',
    summary: 'an internal identifier of four digits',
    path: `${identifier}/InternalId`,
    rule: kinds,
    write: context('<InternalId>5265877635-0001</InternalId>'),
  },
  {
    id: 'vat-ue-country',
    summary: 'a VAT number of a country outside the EU',
    path: `${identifier}/NipVatUe`,
    rule: kinds,
    write: context('<NipVatUe>5265877635-US123456789</NipVatUe>'),
  },
  {
    id: 'no-subject-type',
    summary: 'no kind of subject',
    path: subject,
    rule: subjects,
    write: without('SubjectIdentifierType'),
  },
  {
    id: 'subject-type-unknown',
    summary: 'a kind of subject that does not exist',
    path: subject,
    rule: subjects,
    write: text('SubjectIdentifierType', 'certificateSerial'),
  },
  {
    id: 'subject-type-case',
    summary: 'the kind of subject in another case',
    path: subject,
    rule: subjects,
    write: text('SubjectIdentifierType', 'CertificateSubject'),
  },
  {
    id: 'subject-type-empty',
    summary: 'an empty kind of subject',
    path: subject,
    rule: subjects,
    write: text('SubjectIdentifierType', ''),
  },
  {
    id: 'order',
    summary: 'the context before the challenge',
    path: challenge,
    write: (xml) =>
      xml.replace(
        /(<Challenge>.*?<\/Challenge>)(<ContextIdentifier>.*?<\/ContextIdentifier>)/s,
        '$2$1',
      ),
  },
  {
    id: 'element-unknown',
    summary: 'an element that is not declared',
    path: `${root}/Token`,
    write: (xml) => xml.replace('</AuthTokenRequest>', '<Token>x</Token></AuthTokenRequest>'),
  },
  {
    id: 'attribute-unknown',
    summary: 'an attribute that is not declared',
    path: `${root}/@wersja`,
    write: (xml) => xml.replace('<AuthTokenRequest ', '<AuthTokenRequest wersja="2" '),
  },
  {
    id: 'namespace-none',
    summary: 'no namespace',
    path: root,
    write: (xml) => xml.replace(/ xmlns="[^"]*"/, ''),
  },
  {
    id: 'namespace-first-version',
    summary: 'the namespace of the previous major version',
    path: root,
    write: (xml) =>
      xml.replace(
        / xmlns="[^"]*"/,
        ' xmlns="http://ksef.mf.gov.pl/schema/gtw/svc/online/auth/request/2021/10/01/0001"',
      ),
  },
  {
    id: 'root-other',
    summary: 'another root',
    path: 'InitSessionTokenRequest',
    // Under another root, a signature is not the signature of a request.
    refusedAs: 'signature-invalid',
    write: (xml) => xml.replaceAll('AuthTokenRequest', 'InitSessionTokenRequest'),
  },
  {
    id: 'address-256',
    summary: 'an address with a number above 255',
    path: `${addresses}/Ip4Address`,
    write: policy('<Ip4Address>10.0.0.256</Ip4Address>'),
  },
  {
    id: 'address-three',
    summary: 'an address of three numbers',
    path: `${addresses}/Ip4Address`,
    write: policy('<Ip4Address>10.0.0</Ip4Address>'),
  },
  {
    id: 'address-v6',
    summary: 'an address of version 6',
    path: `${addresses}/Ip4Address`,
    write: policy('<Ip4Address>::1</Ip4Address>'),
  },
  {
    id: 'range-one',
    summary: 'a range of one address',
    path: `${addresses}/Ip4Range`,
    write: policy('<Ip4Range>10.0.0.1</Ip4Range>'),
  },
  {
    id: 'mask-33',
    summary: 'a network prefix of 33 bits',
    path: `${addresses}/Ip4Mask`,
    write: policy('<Ip4Mask>10.0.0.0/33</Ip4Mask>'),
  },
  {
    id: 'addresses-eleven',
    summary: 'eleven addresses',
    path: `${addresses}/Ip4Address[11]`,
    write: policy('<Ip4Address>10.0.0.1</Ip4Address>'.repeat(11)),
  },
]
