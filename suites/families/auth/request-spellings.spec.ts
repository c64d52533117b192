import type { RuleId } from '../../../contract/rules.ts'
import { fetchChallenge } from '../../../lib/flows/login.ts'
import { authNamespaces, prefixed } from '../../../lib/node/auth-request.ts'
import { sealSubject } from '../../../lib/node/pki.ts'
import type { Subject } from '../../../lib/node/distinguished-name.ts'
import type { SignOptions } from '../../../lib/node/xades.ts'
import { lineBreaks, propertiesFirst } from '../../../lib/node/xades-parts.ts'
import { inclusive } from '../../../lib/node/xmldsig.ts'
import type { Fixtures } from '../../support/harness/fixtures.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { ownCertificate } from '../../support/steps/seals.ts'
import { outcomeOfAuthentication } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Signed requests that differ in their spelling alone: what XML and its signatures take as equal is accepted. */

interface Row {
  readonly rule: RuleId
  /** The request in another spelling, before it is signed. */
  readonly request?: (root: string) => string
  readonly options?: Partial<SignOptions>
  /** The document in another spelling, where no reference covers it. */
  readonly signed?: (document: string) => string
  /** How lines end where the document has any. */
  readonly lineEnds?: readonly string[]
  readonly media?: string
  /** Names in the certificate of the signer. */
  readonly seal?: Subject
}

const accepted = 'auth.xades.accepted'

const indented = (root: string): string => root.replaceAll('><', '>\n  <')

/** The text of the challenge in another spelling. */
const challengeAs =
  (spelled: (text: string) => string) =>
  (document: string): string =>
    document.replace(/(?<=<Challenge>)[^<]+/, spelled)

const schemaLocation = (root: string): string =>
  root.replace(
    '<AuthTokenRequest ',
    `$&xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${authNamespaces['2.1']} request.xsd" `,
  )

/** An enveloped signature in front of the other elements of the request. */
const signatureFirst = (document: string): string =>
  document.replace(/(<AuthTokenRequest[^>]*>)([^]*?)(<ds:Signature [^]*<\/ds:Signature>)/, '$1$3$2')

/** White space before the end of the request, of which an enveloped signature is put in front. */
const endSpaced = (root: string): string => root.replace('</AuthTokenRequest>', '\n  \n$&')
const beforeEnd = (document: string): string =>
  document.replace(/(\s+)(<ds:Signature [^]*<\/ds:Signature>)(?=<\/AuthTokenRequest>)/, '$2$1')

/** White space behind the signature is part of the request, however the signature is left out. */
const beforeSpace = Object.fromEntries(
  (['enveloped-signature', 'xpath', 'filter2'] as const).map((exclusion): [string, Row] => [
    `enveloped signature in front of white space, left out by ${exclusion}`,
    {
      rule: 'auth.xades.enveloped',
      request: endSpaced,
      options: { exclusion },
      signed: beforeEnd,
    },
  ]),
)

/** Either form of signature, with what is the same in both. */
const inBothForms = Object.fromEntries(
  (['enveloped', 'enveloping'] as const).flatMap((form): [string, Row][] => {
    const rule = `auth.xades.${form}` as const
    return [
      [
        `${form} signature of an indented request`,
        { rule, request: indented, options: { form }, lineEnds: ['\n', '\r\n'] },
      ],
      [
        `${form} signature that names no canonicalization of what it covers`,
        { rule, options: { form, canonicalization: { uri: inclusive, unnamed: true } } },
      ],
      [
        `${form} signature of a request with a prefix`,
        { rule, request: prefixed, options: { form, id: 'id-7f3c.e1_2' } },
      ],
    ]
  }),
)

const rows: Readonly<Record<string, Row>> = {
  'certificate over lines': {
    rule: 'auth.xades.enveloped',
    signed: lineBreaks('X509Certificate', '\n'),
  },
  'certificate over lines, indented': {
    rule: 'auth.xades.enveloped',
    signed: lineBreaks('X509Certificate', '\r\n      '),
  },
  'signature value over lines': {
    rule: 'auth.xades.enveloped',
    signed: lineBreaks('SignatureValue', '\n'),
  },
  'signature without a prefix': {
    rule: 'auth.xades.enveloped',
    options: { prefix: '' },
  },
  'signature with another prefix': {
    rule: 'auth.xades.enveloped',
    options: { prefix: 'dsig' },
  },
  'enveloping signature without a prefix': {
    rule: 'auth.xades.enveloping',
    options: { prefix: '', form: 'enveloping' },
  },
  'enveloping signature, its properties before the request': {
    rule: 'auth.xades.enveloping',
    options: { form: 'enveloping' },
    signed: propertiesFirst,
  },
  'enveloping signature, with blanks and a comment around the request': {
    rule: 'auth.xades.enveloping',
    request: (root) => `\n  <!-- a comment -->\n  ${root}\n`,
    options: { form: 'enveloping' },
  },
  'enveloping signature, with the media type of the request': {
    rule: 'auth.xades.enveloping',
    options: { form: 'enveloping', objectAttributes: ' MimeType="text/xml"' },
  },
  ...inBothForms,
  ...beforeSpace,
  'enveloped signature in front of the challenge': {
    rule: 'auth.xades.enveloped',
    signed: signatureFirst,
  },
  'schema location': { rule: accepted, request: schemaLocation },
  'challenge with a character reference': {
    rule: accepted,
    signed: challengeAs((text) => text.replace('-', '&#45;').replace('-', '&#x2D;')),
  },
  'challenge in parts': {
    rule: accepted,
    signed: challengeAs(
      (text) => `${text.slice(0, 9)}<!-- a comment --><![CDATA[${text.slice(9)}]]>`,
    ),
  },
  'comment in the request': {
    rule: accepted,
    request: (root) => root.replace('<ContextIdentifier>', '<!-- a comment -->$&'),
  },
  'comment before the request': {
    rule: accepted,
    signed: (document) => `<!-- a comment -->\n${document}`,
  },
  'comment behind the request': {
    rule: accepted,
    signed: (document) => `${document}\n<!-- a comment -->\n`,
  },
  'encoding in capitals': {
    rule: accepted,
    signed: (document) => `<?xml version="1.0" encoding="UTF-8"?>\n${document}`,
  },
  'encoding in lower case': {
    rule: accepted,
    signed: (document) => `<?xml version="1.0" encoding="utf-8"?>${document}`,
  },
  'declaration in apostrophes': {
    rule: accepted,
    signed: (document) => `<?xml version='1.0' encoding='UTF-8' standalone='yes'?>${document}`,
  },
  'request with a prefix': { rule: accepted, request: prefixed },
  'request indented': {
    rule: accepted,
    request: indented,
  },
  'namespace in apostrophes': {
    rule: accepted,
    signed: (document) => document.replace(/(?<=<AuthTokenRequest xmlns=)"([^"]*)"/, "'$1'"),
  },
  'signing time ahead of UTC': { rule: accepted, options: { offset: 2 } },
  'signing time behind UTC': { rule: accepted, options: { offset: -5 } },
  'signing time to the ten-millionth of a second': {
    rule: accepted,
    options: { fraction: '1234567' },
  },
  'media type with a character set': { rule: accepted, media: 'application/xml; charset=utf-8' },
  'seal with Polish letters and reserved characters': {
    rule: accepted,
    seal: { organizationName: 'Żółć, Łąka i "Gęś" + S-ka; <&>', commonName: 'Pieczęć ąćęłńóśźż' },
  },
  'signing time far ahead of UTC': { rule: accepted, options: { offset: 14 } },
  'earlier namespace': {
    rule: accepted,
    request: (root) => root.replace(authNamespaces['2.1'], authNamespaces['2.0']),
  },
}

/** Signs a fresh request in a spelling, and returns the outcome of the authentication. */
const outcomeOf = async (
  { api, own, sign, target }: Pick<Fixtures, 'api' | 'own' | 'sign' | 'target'>,
  { request, options, signed, media, seal }: Omit<Row, 'rule' | 'lineEnds'>,
  lineEnd = '\n',
) => {
  const { challenge } = await fetchChallenge(api)
  const root = own.request(challenge)
  const spelled = request?.(root) ?? root
  const subject = { ...sealSubject(own.nip), ...seal }
  const signer = seal && { credentials: ownCertificate(target, { subject }) }
  const document = sign(spelled, { ...options, ...signer })
  const sent = (signed?.(document) ?? document).replaceAll(/(?<!\r)\n/g, lineEnd)
  if (media === undefined) expect(sent, 'another spelling').not.toBe(sign(root))
  const call = { body: sent, ...(media === undefined ? {} : { media }) }
  return outcomeOfAuthentication(api, await api.call('auth.xades', call))
}

for (const [name, { rule, lineEnds, ...row }] of Object.entries(rows))
  test(
    ...familyRule(rule, 'spelling of a signed request', name),
    async ({ api, own, sign, target }) => {
      for (const lineEnd of lineEnds ?? ['\n']) {
        const outcome = await outcomeOf({ api, own, sign, target }, row, lineEnd)
        expect(outcome, JSON.stringify(lineEnd)).toHaveSucceeded('authentication')
      }
    },
  )

/** Spellings that either form of signature can have, besides those that make a request acceptable at all. */
const ofEitherForm: Readonly<Record<string, Omit<Row, 'rule' | 'lineEnds'>>> = {
  ...Object.fromEntries(
    Object.entries(rows).filter(([, row]) => row.rule === accepted && row.media === undefined),
  ),
  'signing time without decimals': { options: { fraction: '' } },
  'signing time with one decimal': { options: { fraction: '5' } },
  'signing time in UTC, as an offset': { options: { offset: 0 } },
  'signing time ahead by half an hour more': { options: { offset: 5.5 } },
  'signature without a prefix': { options: { prefix: '' } },
  'signature with another prefix': { options: { prefix: 'dsig' } },
  'certificate over lines': { signed: lineBreaks('X509Certificate', '\n') },
  'signature value over lines': { signed: lineBreaks('SignatureValue', '\r\n') },
}

for (const form of ['enveloped', 'enveloping'] as const)
  test(
    ...familyRule(`auth.xades.${form}`, 'spelling of a signed request', `${form}, each spelling`),
    async ({ api, own, sign, target }) => {
      for (const [name, row] of Object.entries(ofEitherForm)) {
        const spelled = { ...row, options: { ...row.options, form } }
        const outcome = await outcomeOf({ api, own, sign, target }, spelled)
        expect.soft(outcome, name).toHaveSucceeded('authentication')
      }
    },
  )
