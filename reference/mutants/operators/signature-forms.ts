import type { AnyCall } from '../../call/call.ts'
import type { SubjectAttributes } from '../../model/entities.ts'
import { subjectOf } from '../../login/authentication.ts'
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
  /^\s*(<\?[^>]*\?>\s*)?<(\w+:)?Signature\b/.test(textOf(call)) === (form === 'enveloping')

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
    ...Object.entries(such).map(([what, isSuch]) =>
      generated(
        'form-of-signature',
        `${what}-refused`,
        [`auth.xades.${form}`],
        refuses(['auth.xades'], 'signature-invalid', (call) => isIn(form, call) && isSuch(call)),
      ),
    ),
  ])
