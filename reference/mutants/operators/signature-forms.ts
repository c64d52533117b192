import type { AnyCall } from '../../call/call.ts'
import type { SubjectAttributes } from '../../model/entities.ts'
import { subjectOf } from '../../login/authentication.ts'
import type { RuleId } from '../../../contract/rules.ts'
import { certificateIn } from '../certificate-readers.ts'
import type { Mutant } from '../mutant.ts'
import { decidedBy, refuses } from '../rewrite.ts'
import type { Question } from './decision-rows.ts'
import { decisionRows } from './decisions.ts'
import type { Generated } from './operator.ts'
import { generated } from './operator.ts'

/** A service that reads the two forms of a signature separately, and one of them differently. */

const forms = ['enveloped', 'enveloping'] as const
type Form = (typeof forms)[number]

const textOf = ({ bytes }: AnyCall): string => Buffer.from(bytes).toString()

const isIn = (form: Form, call: AnyCall): boolean =>
  /^\s*(<\?[^>]*\?>\s*|<!--.*?-->\s*)*<(\w+:)?Signature\b/.test(textOf(call)) ===
  (form === 'enveloping')

/** Checks of a signed request that may be missing in one form. */
const checks: ReadonlySet<Question> = new Set<Question>([
  'challengeAlive',
  'challengeUnused',
  'doctypeAllowed',
  'requestCountFits',
  'targetFits',
  'digestFits',
  'signatureVerifies',
  'certificateDigestFits',
  'keyStrongEnough',
  'documentConforms',
])

/** The attributes of the certificate that a request is signed with; undefined when it cannot be read. */
const signerOf = (call: AnyCall): { readonly keys: string | undefined } & SubjectAttributes => {
  try {
    const { raw, publicKey } = certificateIn(call.bytes)!
    return { ...subjectOf(raw).attributes, keys: publicKey.asymmetricKeyType }
  } catch {
    return { keys: undefined }
  }
}

const isPerson = (call: AnyCall): boolean => signerOf(call).givenName !== undefined

/** Requests that may be refused in one form although they are right in either. */
const such: Readonly<Record<string, (call: AnyCall) => boolean>> = {
  'of-persons': isPerson,
  'of-persons-with-curves': (call) => isPerson(call) && signerOf(call).keys === 'ec',
  'of-persons-with-rsa': (call) => isPerson(call) && signerOf(call).keys === 'rsa',
  'by-fingerprint': (call) => textOf(call).includes('certificateFingerprint'),
  'in-units': (call) => textOf(call).includes('<InternalId>'),
  'in-eu-entities': (call) => textOf(call).includes('<NipVatUe>'),
  'with-a-verified-chain': ({ query }) => query['verifyCertificateChain'] === true,
  'with-addresses': (call) => textOf(call).includes('AllowedIps>'),
  'of-own-certificates'(call) {
    const { state } = call.service
    return [...state.certificates.values()].some(({ certificate }) =>
      textOf(call).includes(certificate),
    )
  },
}

/** Spellings of a signed request, as they show in its text. */
const spellings: Readonly<Record<string, RegExp>> = {
  'with-a-signing-time-ahead-of-utc': /SigningTime>[^<]*\+\d\d:\d\d</,
  'with-a-signing-time-behind-utc': /SigningTime>[^<]*-\d\d:\d\d</,
  'with-an-offset-of-zero': /SigningTime>[^<]*\+00:00</,
  'with-half-hours-of-offset': /SigningTime>[^<]*:30</,
  'with-the-farthest-offset': /SigningTime>[^<]*\+14:00</,
  'with-seven-decimals': /SigningTime>[^<]*\.\d{7}/,
  'with-one-decimal': /SigningTime>[^<]*\.\d(?!\d)/,
  'without-decimals': /SigningTime>[^<.]*</,
  'without-a-prefix': /<Signature /,
  'with-another-prefix': /<(?!ds:)\w+:Signature /,
  'with-a-certificate-over-lines': /X509Certificate>[^<]*\n/,
  'with-a-value-over-lines': /SignatureValue>[^<]*\n/,
  'with-a-declaration': /^<\?xml/,
  'in-apostrophes': /xmlns='/,
  'with-a-comment-inside': /<AuthTokenRequest[^]*<!--[^]*<\/AuthTokenRequest/,
  'behind-a-comment': /^<!--/,
  'before-a-comment': /-->\s*$/,
  'with-a-schema-location': /xsi:schemaLocation=/,
  'with-character-references': /Challenge>[^<]*&#/,
  'with-character-data': /<!\[CDATA/,
  'of-the-earlier-namespace': /auth\/token\/2\.0/,
}

/** Methods, digests and options of the profiles, as they show in the text of a signed request. */
const writings: readonly (readonly [RuleId, Readonly<Record<string, RegExp>>])[] = [
  [
    'auth.signature.algorithms',
    {
      'with-rsa-sha384': /#rsa-sha384"/,
      'with-rsa-sha512': /#rsa-sha512"/,
      'with-pss-sha256': /sha256-rsa-MGF1"/,
      'with-pss-sha384': /sha384-rsa-MGF1"/,
      'with-pss-sha512': /sha512-rsa-MGF1"/,
      'with-ecdsa-sha256': /#ecdsa-sha256"/,
      'with-ecdsa-sha384': /#ecdsa-sha384"/,
      'with-ecdsa-sha512': /#ecdsa-sha512"/,
      'with-digests-by-sha384': /xmldsig-more#sha384"/,
      'with-digests-by-sha512': /xmlenc#sha512"/,
    },
  ],
  [
    'auth.signature.profiles',
    {
      'with-newer-properties': /SigningCertificateV2/,
      'with-several-certificates': /<\/ds:X509Certificate>\s*<ds:X509Certificate>/,
      'with-three-references': /(<ds:Reference [^]*){3}/,
      'with-a-signed-key-info': /KeyInfo [^>]*Id=/,
      'with-unsigned-properties': /UnsignedProperties/,
    },
  ],
]

/** A form of signature in which such requests are refused. */
const refusedWhere = (form: Form, rule: RuleId, patterns: Readonly<Record<string, RegExp>>) =>
  Object.entries(patterns).map(([what, pattern]) =>
    generated(
      'form-of-signature',
      `${what}-refused${rule.endsWith(form) ? '' : `.${form}`}`,
      [rule],
      refuses(
        ['auth.xades'],
        'signature-invalid',
        (call) => isIn(form, call) && pattern.test(textOf(call)),
      ),
    ),
  )

const skips = (form: Form, decision: Question): Mutant => ({
  at: ['auth.xades'],
  call: (call, next) => next(isIn(form, call) ? decidedBy(call, { [decision]: () => true }) : call),
})

/** A check that is missing in one form, and a kind of signers or requests that one form refuses. */
export const formsReadApart = (): Generated[] =>
  forms.flatMap((form) => [
    ...decisionRows.flatMap(([decision, { yes }]) =>
      checks.has(decision) && yes !== undefined
        ? [generated('form-of-signature', `${decision}.${form}`, yes, skips(form, decision))]
        : [],
    ),
    ...refusedWhere(form, `auth.xades.${form}`, spellings),
    ...writings.flatMap(([rule, patterns]) => refusedWhere(form, rule, patterns)),
    ...Object.entries(such).map(([what, isSuch]) =>
      generated(
        'form-of-signature',
        `${what}-refused`,
        [`auth.xades.${form}`],
        refuses(['auth.xades'], 'signature-invalid', (call) => isIn(form, call) && isSuch(call)),
      ),
    ),
  ])
