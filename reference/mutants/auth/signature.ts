import { excludesSignature } from '../../policy/exclusions.ts'
import { policy } from '../../policy/policy.ts'
import { certificateIn, certificatesIn } from '../certificate-readers.ts'
import type { Mutant } from '../mutant.ts'
import { accepts, refuses } from '../rewrite.ts'
import { cannotRead, logIn } from '../signed-documents.ts'

const withoutTransform = (end: string): Mutant => ({
  policy: { transformAccepted: (uri) => !uri.endsWith(end) && policy.transformAccepted(uri) },
})

const withoutCanonicalization = (end: string): Mutant => ({
  policy: {
    canonicalizationAllowed: (uri) => !uri.endsWith(end) && policy.canonicalizationAllowed(uri),
  },
})

const withoutDigest = (end: string): Mutant => ({
  policy: {
    digestAlgorithm: (uri) => (uri.endsWith(end) ? undefined : policy.digestAlgorithm(uri)),
  },
})

const withoutMethods = (pattern: RegExp): Mutant => ({
  policy: {
    signatureAlgorithm: (uri) => (pattern.test(uri) ? undefined : policy.signatureAlgorithm(uri)),
  },
})

/** A canonicalization and, behind it in the document, a transform that are not understood in one signature. */
const withoutPair = (canonicalization: string, transform: string): Mutant =>
  cannotRead(new RegExp(`${canonicalization}"[^]*${transform}`))

/** Defects of what verifies the signature of an authentication document. */
export const authSignatureMutants = {
  'auth.signature.transforms/no-filter2': withoutTransform('filter2'),
  'auth.signature.transforms/no-xpath': withoutTransform('REC-xpath-19991116'),
  'auth.signature.transforms/no-base64': withoutTransform('base64'),
  'auth.signature.transforms/no-base64-in-lines': cannotRead(/Object[^>]*>[\w+/=]+\n/),
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
  'auth.signature.transforms/no-filter2-with-inclusive-1.1-comments': withoutPair(
    'xml-c14n11#WithComments',
    'xmldsig-filter2',
  ),
  'auth.signature.transforms/no-xpath-with-inclusive-1.1': withoutPair('xml-c14n11', 'REC-xpath-'),
  'auth.signature.transforms/no-filter2-with-inclusive': withoutPair(
    'REC-xml-c14n-20010315',
    'xmldsig-filter2',
  ),
  'auth.signature.transforms/no-base64-with-exclusive-comments': withoutPair(
    'xml-exc-c14n#WithComments',
    'xmldsig#base64',
  ),
  'auth.signature.transforms/no-base64-in-lines-with-inclusive-comments': withoutPair(
    'c14n-20010315#WithComments',
    'Object[^>]*>[\\w+/=]+\n',
  ),
  'auth.signature.transforms/no-object-with-prefixes': withoutPair(
    'PrefixList="[^"]*',
    '<ds:Object [^>]*Id="S-Object',
  ),
  'auth.signature.transforms/no-xpath-without-a-canonicalization': cannotRead(
    /<\/ds:XPath><\/ds:Transform><\/ds:Transforms>/,
  ),
  'auth.signature.transforms-refused/expressions-followed': {
    policy: { exclusionFits: () => true, digestFits: () => true },
  },
  'auth.signature.transforms-refused/only-the-first-followed': {
    policy: {
      exclusionFits: (transform, uri) =>
        transform.prev !== null || excludesSignature(transform, uri),
    },
  },
  'auth.signature.transforms-refused/only-the-last-followed': {
    policy: {
      exclusionFits: (transform, uri) =>
        transform.next !== null || excludesSignature(transform, uri),
    },
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
  'auth.signature.algorithms/no-rsa-sha384': withoutMethods(/#rsa-sha384$/),
  'auth.signature.algorithms/no-rsa-sha512': withoutMethods(/#rsa-sha512$/),
  'auth.signature.algorithms/no-pss-sha256': withoutMethods(/sha256-rsa-MGF1$/),
  'auth.signature.algorithms/no-pss-sha384': withoutMethods(/sha384-rsa-MGF1$/),
  'auth.signature.algorithms/no-pss-sha512': withoutMethods(/sha512-rsa-MGF1$/),
  'auth.signature.algorithms/no-ecdsa-sha384': withoutMethods(/#ecdsa-sha384$/),
  'auth.signature.algorithms/no-ecdsa-sha512': withoutMethods(/#ecdsa-sha512$/),
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
  'auth.signature.profiles/certificates-apart': cannotRead(/<\/ds:X509Data>\s*<ds:X509Data>/),
  'auth.signature.profiles/key-info-unsigned': cannotRead(/<(?:\w+:)?KeyInfo [^>]*Id=/),
  'auth.signature.profiles/no-unsigned-properties': cannotRead(/UnsignedProperties/),
  'auth.signature.algorithms/longer-curves-refused': refuses(
    ['auth.xades'],
    'signature-invalid',
    ({ bytes }) =>
      /384|521/.test(String(certificateIn(bytes)?.publicKey.asymmetricKeyDetails?.namedCurve)),
  ),
  'auth.signature.profiles/signer-last': refuses(['auth.xades'], 'signature-invalid', (call) => {
    const [first, ...others] = certificatesIn(call.bytes)
    // That of the signer is the seal, in these documents.
    return others.length > 0 && first?.subject.includes('Seal') === true
  }),
} as const satisfies Readonly<Record<string, Mutant>>
