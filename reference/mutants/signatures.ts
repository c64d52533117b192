import type { RefusalId } from '../../contract/errors.ts'
import type { RuleId } from '../../contract/rules.ts'
import { utc } from '../base/wording.ts'
import type { AnyCall, Answer } from '../call/call.ts'
import type { ContextKind } from '../model/entities.ts'
import { policy } from '../policy/policy.ts'
import type { Mutant } from './mutant.ts'
import { accepts, refuses } from './rewrite.ts'

/** Defects of what verifies the signature of an authentication document. */

const also: readonly RuleId[] = ['auth.signature.transforms-refused']

/** What an object of Base64 text encodes. */
const encodedIn = (text: string): string =>
  [...text.matchAll(/[A-Za-z0-9+/=]{64,}/g)]
    .map(([part]) => Buffer.from(part, 'base64').toString())
    .join()

const contextIn = (text: string): RegExpExecArray | null =>
  /<(?:\w+:)?(Nip|InternalId|NipVatUe)>([^<]+)</.exec(text)

/** Logs in whoever a document names, and answers as an authentication does that was started. */
export const logIn = async ({ service, bytes, now, address }: AnyCall): Promise<Answer> => {
  const { state, identifiers, jwt } = service
  const text = Buffer.from(bytes).toString()
  const [, type, value = ''] = contextIn(text) ?? contextIn(encodedIn(text)) ?? []
  const referenceNumber = identifiers.reference('AU')
  const { token, validUntil } = await jwt.sign({
    stage: 'authentication',
    reference: referenceNumber,
    now,
    lifetime: 600,
    claims: {},
  })
  state.authentications.put({
    referenceNumber,
    method: 'XadesSignature',
    credential: 'SelfSigned',
    context: { type: type as ContextKind, value },
    subject: { type: 'Nip', value: value.slice(0, 10) },
    address,
    startedAt: now,
    validUntil,
    status: { code: 200, description: 'succeeded' },
  })
  return { body: { referenceNumber, authenticationToken: { token, validUntil: utc(validUntil) } } }
}

/** Accepts a signature although something about it is wrong. */
const acceptsSignature = (fault: RegExp, ...more: readonly RefusalId[]): Mutant =>
  accepts(['auth.xades'], ['signature-invalid', ...more], (call, { details }) =>
    details.some((detail) => fault.test(detail)) ? logIn(call) : undefined,
  )

/** Refuses documents that have this, which a verifier has to understand. */
const cannotRead = (part: RegExp): Mutant =>
  refuses(['auth.xades'], 'signature-invalid', ({ bytes }) =>
    part.test(Buffer.from(bytes).toString()),
  )

const withoutTransform = (end: string): Mutant => ({
  policy: { transformAccepted: (uri) => !uri.endsWith(end) && policy.transformAccepted(uri) },
})

const withoutCanonicalization = (end: string): Mutant => ({
  policy: {
    canonicalizationAllowed: (uri) => !uri.endsWith(end) && policy.canonicalizationAllowed(uri),
  },
})

const withoutMethods = (pattern: RegExp): Mutant => ({
  policy: {
    signatureAlgorithm: (uri) => (pattern.test(uri) ? undefined : policy.signatureAlgorithm(uri)),
  },
})

const withoutDigest = (end: string): Mutant => ({
  policy: {
    digestAlgorithm: (uri) => (uri.endsWith(end) ? undefined : policy.digestAlgorithm(uri)),
  },
})

export const signaturesMutants = {
  'auth.xades.tampered-refused/digest-unchecked': {
    also,
    policy: { digestFits: () => true },
  },
  'auth.xades.incomplete-signature-refused/signature-unchecked': {
    also,
    policy: { signatureVerifies: () => true },
  },
  'auth.xades.incomplete-signature-refused/unsigned-accepted': accepts(
    ['auth.xades'],
    ['signature-missing'],
    logIn,
  ),
  'auth.xades.incomplete-signature-refused/plain-signature-accepted': {
    ...acceptsSignature(/signed properties|signing certificate/),
    also,
    policy: { referenceCountFits: () => true, objectCountFits: () => true },
  },
  'auth.xades.incomplete-signature-refused/certificate-digest-unchecked': {
    also,
    policy: { certificateDigestFits: () => true },
  },
  'auth.xades.incomplete-signature-refused/document-uncovered': {
    ...acceptsSignature(/no reference covers|no authentication request/, 'document-invalid'),
    also,
    policy: { referenceCountFits: () => true },
  },
  'auth.xades.incomplete-signature-refused/target-unchecked': {
    policy: { targetFits: () => true },
  },
  'auth.xades.incomplete-signature-refused/any-transform-accepted': {
    also,
    policy: { exclusionFits: () => true },
  },
  'auth.signature.transforms-refused/expressions-followed': {
    policy: { exclusionFits: () => true, digestFits: () => true },
  },
  'auth.signature.transforms-refused/nothing-verified': {
    policy: { digestFits: () => true, signatureVerifies: () => true, documentConforms: () => true },
  },
  'auth.signature.transforms-refused/markup-in-base64-accepted': {
    policy: { encodedAlone: () => true },
  },
  'auth.signature.transforms-refused/whatever-base64-encodes': accepts(
    ['auth.xades'],
    ['signature-invalid', 'document-unreadable', 'document-encoding'],
    (call) => (Buffer.from(call.bytes).includes('xmldsig#base64') ? logIn(call) : undefined),
  ),
  'auth.signature.transforms/no-filter2': withoutTransform('filter2'),
  'auth.signature.transforms/no-xpath': withoutTransform('REC-xpath-19991116'),
  'auth.signature.transforms/no-base64': withoutTransform('base64'),
  'auth.signature.transforms/exclusive-only': {
    policy: { canonicalizationAllowed: (uri) => uri === 'http://www.w3.org/2001/10/xml-exc-c14n#' },
  },
  'auth.signature.transforms/no-inclusive': withoutCanonicalization('c14n-20010315'),
  'auth.signature.transforms/no-inclusive-1.1': withoutCanonicalization('xml-c14n11'),
  'auth.signature.transforms/no-inclusive-comments': withoutCanonicalization(
    'c14n-20010315#WithComments',
  ),
  'auth.signature.transforms/no-inclusive-1.1-comments':
    withoutCanonicalization('xml-c14n11#WithComments'),
  'auth.signature.transforms/no-exclusive-comments':
    withoutCanonicalization('exc-c14n#WithComments'),
  'auth.signature.transforms/no-prefixes': cannotRead(/InclusiveNamespaces/),
  'auth.signature.algorithms/sha256-only': {
    policy: {
      digestAlgorithm: (uri) => (uri.endsWith('#sha256') ? policy.digestAlgorithm(uri) : undefined),
    },
  },
  'auth.signature.algorithms/no-digest-sha384': withoutDigest('#sha384'),
  'auth.signature.algorithms/no-digest-sha512': withoutDigest('#sha512'),
  'auth.signature.algorithms/no-pss': withoutMethods(/MGF1$/),
  'auth.signature.algorithms/pss-sha256-only': withoutMethods(/sha(384|512)-rsa-MGF1$/),
  'auth.signature.algorithms/no-ecdsa': withoutMethods(/#ecdsa/),
  'auth.signature.algorithms/rsa-sha256-only': withoutMethods(/#rsa-sha(384|512)$/),
  'auth.signature.algorithms/ecdsa-sha256-only': withoutMethods(/#ecdsa-sha(384|512)$/),
  'auth.signature.algorithms/no-ecdsa-as-der': {
    policy: {
      signatureVerifies: (hash, signed, key, value) =>
        key.dsaEncoding !== 'der' && policy.signatureVerifies(hash, signed, key, value),
    },
  },
  'auth.signature.profiles/two-references-only': {
    policy: { referenceCountFits: (count) => count === 2 },
  },
  'auth.signature.profiles/older-properties-only': cannotRead(/SigningCertificateV2/),
  'auth.signature.profiles/first-certificate-only': cannotRead(
    /<\/ds:X509Certificate>\s*<ds:X509Certificate>/,
  ),
  'auth.signature.profiles/key-info-unsigned': cannotRead(/<(?:\w+:)?KeyInfo [^>]*Id=/),
  'auth.signature.profiles/no-unsigned-properties': cannotRead(/UnsignedProperties/),
} as const satisfies Readonly<Record<string, Mutant>>
