import type { RuleId } from '../../../contract/rules.ts'
import { policy } from '../../policy/policy.ts'
import {
  alsoReads,
  beginningSuffices,
  cannotReadSubject,
  certificatesWithin,
  chainByName,
  datesAtSigning,
  grantedByTestDataAlone,
  knownByItsSubject,
  knownOnceGranted,
  letsIn,
  letsNamelessIn,
  newestOnly,
  ownBeforeTheirStart,
  ownContextsOnly,
  personsEverywhere,
  withInvoicesAlone,
} from '../certificate-readers.ts'
import { contextOfTheSubject, kindsMerged, neverSucceeds, bySeal } from '../contexts-of-logins.ts'
import {
  byAnyCertificate,
  byTheNameOfTheIssuer,
  onceVouchedFor,
  ownChainUnknown,
  shorterKeys,
  trustedInTestOnly,
  unverifiedOnRequest,
  untilTwentyFifty,
} from '../chains.ts'
import { doctypeUnread, encodedDoctypeUnread, fetchesWhatIsNamed } from '../hostile-readers.ts'
import { statedUntilTheChallengeEnds } from '../lifetimes.ts'
import type { Mutant } from '../mutant.ts'
import { rightOnce } from '../once-more.ts'
import { byItsKey } from '../namesakes.ts'
import { ignores } from '../rewrite.ts'
import {
  acceptsSignature,
  acceptsUnsigned,
  cannotRead,
  characterSetRefused,
  digestsAlone,
  failsWhere,
  keyInfoUnverified,
  outsideAccepted,
  plainIfKeyInfoSigned,
  unread,
} from '../signed-documents.ts'
import { minute } from '../spans.ts'
import { oneInProgress } from '../under-way.ts'

const also: readonly RuleId[] = ['auth.signature.transforms-refused']

/** Defects of logins by a signed document. */
export const authXadesMutants = {
  'auth.xades.accepted/pnopl-unread': cannotReadSubject(/PNOPL-/),
  'auth.xades.accepted/pesel-unread': cannotReadSubject(/PESEL-/),
  'auth.xades.accepted/seal-unseparated-unread': cannotReadSubject(/VATPL\d/),
  'auth.xades.accepted/seal-with-a-colon-unread': cannotReadSubject(/VATPL:/),
  'auth.xades.accepted/tinpl-unseparated-unread': cannotReadSubject(/TINPL\d/),
  'auth.xades.accepted/pnopl-unseparated-unread': cannotReadSubject(/PNOPL\d/),
  'auth.xades.accepted/comment-within-refused': cannotRead(/<AuthTokenRequest[^]*<!--[^]*<\/Auth/),
  'auth.xades.accepted/comment-before-refused': cannotRead(/^\s*<!--/),
  'auth.xades.accepted/comment-behind-refused': cannotRead(/-->\s*$/),
  'auth.xades.accepted/declaration-refused': cannotRead(/^<\?xml/),
  'auth.xades.accepted/encoding-in-lower-case-refused': cannotRead(/^<\?xml.* encoding=.utf-8/),
  'auth.xades.accepted/apostrophes-unread': cannotRead(/^<\?xml version='/),
  'auth.xades.accepted/namespace-in-apostrophes-refused': cannotRead(/<AuthTokenRequest xmlns='/),
  'auth.xades.accepted/request-with-a-prefix-refused': cannotRead(/<\w+:AuthTokenRequest/),
  'auth.xades.accepted/indented-refused': cannotRead(/<AuthTokenRequest[^>]*>\s/),
  'auth.xades.accepted/earlier-namespace-refused': cannotRead(/auth\/token\/2\.0/),
  'auth.xades.accepted/own-certificates-need-no-permission': letsIn(
    415,
    ({ credential }) => credential === 'InternalCertificate',
  ),
  'auth.xades.accepted/seals-need-no-permission': letsIn(
    415,
    ({ attributes }) => attributes?.organizationIdentifier !== undefined,
  ),
  'auth.xades.accepted/with-invoices-alone': withInvoicesAlone('Nip', 'Pesel'),
  'auth.xades.accepted/stated-until-the-challenge-ends': statedUntilTheChallengeEnds('auth.xades'),
  'auth.xades.accepted/schema-location-refused': cannotRead(/<Auth[^>]* xsi:schemaLocation=/),
  'auth.xades.accepted/character-reference-refused': cannotRead(/Challenge>[^<]*&#/),
  'auth.xades.accepted/seven-decimals-refused': cannotRead(/SigningTime>[^<]*\.\d{4,}/),
  'auth.xades.accepted/character-set-refused': characterSetRefused,
  'auth.xades.accepted/other-letters-unread': cannotReadSubject(/[^\p{ASCII}]/u),
  'auth.xades.accepted/value-in-parts-unread': cannotRead(/Challenge>[^<]+<!--/),
  'auth.xades.accepted/cdata-refused': cannotRead(/Challenge>[^]*<!\[CDATA/),
  'auth.xades.accepted/one-in-progress': oneInProgress('auth.xades'),
  'auth.xades.enveloped/no-enveloped': {
    also: ['auth.xades.accepted'],
    policy: { formAccepted: (form) => form === 'enveloping' },
  },
  'auth.xades.enveloped/certificate-over-lines-refused': cannotRead(/X509Certificate>[^<]*\n/),
  'auth.xades.enveloped/certificate-indented-refused': cannotRead(/X509Certificate>[^<]*\n +\S/),
  'auth.xades.enveloped/value-over-lines-refused': cannotRead(/SignatureValue>[^<]*\n/),
  'auth.xades.enveloped/without-a-prefix-refused': cannotRead(/<Auth[^]*<Signature /),
  'auth.xades.enveloped/other-prefix-refused': cannotRead(/<(?!ds:)\w+:Signature /),
  'auth.xades.enveloped/indented-refused': cannotRead(/^<Auth[^>]*>\s/),
  'auth.xades.enveloped/cr-lf-refused': cannotRead(/^<Auth[^>]*>\r/),
  'auth.xades.enveloped/unnamed-canonicalization-refused': cannotRead(
    /#enveloped-signature"><\/ds:Transform><\/ds:Transforms>/,
  ),
  'auth.xades.enveloped/request-with-a-prefix-refused': cannotRead(/^<\w+:AuthTokenRequest/),
  'auth.xades.enveloped/not-at-the-end-refused': cannotRead(/<\/ds:Signature><Challenge>/),
  'auth.xades.enveloped/white-space-behind-refused': cannotRead(/<\/ds:Signature>\s+<\/Auth/),
  'auth.xades.enveloped/chain-refused': cannotRead(/^(?!<ds:Sig)[^]*Certificate><ds:X509Cert/),
  'auth.xades.enveloping/no-enveloping': {
    policy: { formAccepted: (form) => form === 'enveloped' },
  },
  'auth.xades.enveloping/chain-refused': cannotRead(/^<ds:Sig[^]*Certificate><ds:X509Cert/),
  'auth.xades.enveloping/indented-refused': cannotRead(/<ds:Object[^>]*><Auth[^>]*>\s/),
  'auth.xades.enveloping/blanks-around-refused': cannotRead(/<ds:Object[^>]*>\s/),
  'auth.xades.enveloping/cr-lf-refused': cannotRead(/<ds:Object[^>]*><Auth[^>]*>\r/),
  'auth.xades.enveloping/unnamed-canonicalization-refused': cannotRead(/Object"><ds:DigestMethod/),
  'auth.xades.enveloping/request-with-a-prefix-refused': cannotRead(
    /^<ds:Sig[^]*<\w+:AuthTokenRequest/,
  ),
  'auth.xades.enveloping/without-a-prefix-refused': cannotRead(/^<Signature /),
  'auth.xades.enveloping/properties-first-refused': cannotRead(/^<ds:Sig[^]*<ds:Object>[^]*<Auth/),
  'auth.xades.enveloping/media-type-refused': cannotRead(/<ds:Object [^>]*MimeType=/),
  'auth.xades.detached-refused/detached-accepted': {
    policy: {
      formAccepted: () => true,
      referencePlaceFits: () => true,
      documentConforms: () => true,
    },
  },
  'auth.xades.detached-refused/container-beside-accepted': {
    policy: { formAccepted: () => true, referencePlaceFits: () => true },
  },
  'auth.xades.detached-refused/outside-accepted-around-the-request': outsideAccepted(/^<ds:Sig/),
  'auth.xades.detached-refused/outside-accepted-within-the-request': outsideAccepted(/^<Auth/),
  'auth.xades.detached-refused/no-address-accepted': outsideAccepted(/<ds:Reference>/),
  'auth.xades.tampered-refused/longer-digests-unread': {
    policy: {
      digestFits: (found, stated) => found.length > 44 || policy.digestFits(found, stated),
    },
  },
  'auth.xades.tampered-refused/digest-in-any-case': {
    policy: { digestFits: (found, stated) => found.toLowerCase() === stated.toLowerCase() },
  },
  'auth.xades.tampered-refused/digest-kept': rightOnce('digestFits', 1),
  'auth.xades.tampered-refused/digests-alone-for-ec': digestsAlone('ec'),
  'auth.xades.tampered-refused/digests-alone-for-rsa': digestsAlone('rsa'),
  'auth.xades.tampered-refused/digest-unchecked': { also, policy: { digestFits: () => true } },
  'auth.xades.incomplete-signature-refused/key-info-unverified': keyInfoUnverified(),
  'auth.xades.incomplete-signature-refused/digest-in-any-case': {
    policy: {
      certificateDigestFits: (found, stated) => found.toLowerCase() === stated.toLowerCase(),
    },
  },
  'auth.xades.incomplete-signature-refused/signature-unchecked': {
    also,
    policy: { signatureVerifies: () => true },
  },
  'auth.xades.incomplete-signature-refused/unsigned-accepted': acceptsUnsigned,
  'auth.xades.incomplete-signature-refused/plain-signature-accepted': {
    ...acceptsSignature(/signed properties|signing certificate/),
    also,
    policy: { referenceCountFits: () => true, objectCountFits: () => true },
  },
  'auth.xades.incomplete-signature-refused/certificate-unnamed': acceptsSignature(/is not named/),
  'auth.xades.incomplete-signature-refused/plain-with-signed-key-info': plainIfKeyInfoSigned,
  'auth.xades.incomplete-signature-refused/certificate-digest-unchecked': {
    also,
    policy: { certificateDigestFits: () => true },
  },
  'auth.xades.incomplete-signature-refused/document-uncovered': {
    ...acceptsSignature(/no reference covers|no authentication request/, 'document-invalid'),
    also,
    policy: { referenceCountFits: () => true },
  },
  'auth.xades.incomplete-signature-refused/unreadable-certificate-fails': failsWhere(
    /certificate cannot be read/,
  ),
  'auth.xades.incomplete-signature-refused/target-unchecked': {
    policy: { targetFits: () => true },
  },
  'auth.xades.incomplete-signature-refused/any-transform-accepted': {
    also,
    policy: { exclusionFits: () => true },
  },
  'auth.xades.incomplete-signature-refused/by-any-certificate': byAnyCertificate,
  'auth.xades.weak-key-refused/from-1536-bits': shorterKeys({ rsa: 1536, 'rsa-pss': 1536 }),
  'auth.xades.weak-key-refused/from-224-bits': shorterKeys({ ec: 224 }),
  'auth.xades.weak-key-refused/any-length-with-pss': shorterKeys({ 'rsa-pss': 0 }),
  'auth.xades.weak-key-refused/short-key-accepted': { policy: { keyStrongEnough: () => true } },
  'auth.xades.wrapping-refused/second-request-accepted': {
    also: ['auth.signature.transforms-refused'],
    policy: { requestCountFits: () => true, objectCountFits: () => true },
  },
  'auth.xades.wrapping-refused/unsigned-properties-unread': unread(
    /<xades:UnsignedProperties>.*?<\/xades:UnsignedProperties>/s,
  ),
  'auth.xades.wrapping-refused/other-prefix-unread': unread(
    /(?<=<AuthTokenRequest .*)<(\w+):AuthTokenRequest .*?<\/\1:AuthTokenRequest>/s,
  ),
  'auth.xades.wrapping-refused/key-info-unread': unread(/(?<=<\/ds:X509Data>)<Auth.*?Request>/s),
  'auth.xades.wrapping-refused/second-request-anywhere': {
    policy: {
      requestCountFits: () => true,
      objectCountFits: () => true,
      referencePlaceFits: () => true,
      idsUnique: () => true,
    },
  },
  'auth.xades.context-kinds/nip-only': {
    policy: { contextKindAccepted: (kind) => kind === 'Nip' },
  },
  'auth.xades.context-kinds/internal-id-never-succeeds': neverSucceeds('InternalId'),
  'auth.xades.context-kinds/nip-vat-ue-never-succeeds': neverSucceeds('NipVatUe'),
  'auth.xades.context-kinds/context-of-the-subject': contextOfTheSubject,
  'auth.xades.context-kinds/kinds-merged': kindsMerged,
  'auth.xades.context-kinds/providers-by-seal': bySeal,
  'auth.xades.context-kinds/vat-numbers-of-digits-alone': cannotRead(
    /NipVatUe>\d{10}-[A-Z]{2}\d*[^\d<]/,
  ),
  'auth.xades.context-kinds/longest-vat-numbers-refused': cannotRead(/NipVatUe>\d{10}-[^<]{14}</),
  'auth.xades.context-kinds/leading-zeros-refused': cannotRead(/InternalId>\d{10}-0/),
  'auth.xades.subject-type/schema-unchecked': {
    policy: { documentConforms: () => true, subjectKindAccepted: () => true },
  },
  'auth.xades.self-signed-by-environment/self-signed-everywhere': {
    environment: { selfSigned: true },
  },
  'auth.xades.self-signed-by-environment/persons-everywhere': personsEverywhere,
  'auth.xades.self-signed-by-environment/chain-by-name': chainByName(),
  'auth.xades.self-signed-by-environment/chain-unread': ignores(
    ['auth.xades'],
    'verifyCertificateChain',
  ),
  'auth.xades.self-signed-by-environment/unverified-on-request': unverifiedOnRequest(),
  'auth.xades.self-signed-by-environment/by-the-name-of-the-issuer': byTheNameOfTheIssuer(),
  'auth.xades.self-signed-by-environment/known-by-an-issued-one': onceVouchedFor('validUntil'),
  'auth.xades.self-signed-by-environment/known-once-refreshed': onceVouchedFor('refreshedAt'),
  'auth.xades.fingerprint/with-invoices-alone': withInvoicesAlone('Fingerprint'),
  'auth.xades.fingerprint/beginning-suffices': beginningSuffices,
  'auth.xades.fingerprint/known-after-the-revocation': knownOnceGranted(),
  'auth.xades.fingerprint/granted-by-test-data-alone': grantedByTestDataAlone,
  'auth.xades.fingerprint/renewed-like-its-predecessor': letsNamelessIn(415, knownByItsSubject),
  'auth.xades.fingerprint/granted-anywhere': letsNamelessIn(415, ({ subject }, { grants }) =>
    [...grants.values()].some(({ subject: { value } }) => value === subject?.value),
  ),
  'auth.xades.fingerprint/fingerprint-without-grant': {
    policy: { permissionsSuffice: () => true },
  },
  'auth.xades.fingerprint/pesel-of-another-country': alsoReads(/^PNO(?!PL).*\d{11}/),
  'auth.xades.fingerprint/passport-as-pesel': alsoReads(/^PAS.*\d{11}/),
  'auth.xades.fingerprint/nip-of-another-country': alsoReads(/^TIN(?!PL).*\d{10}/),
  'auth.xades.fingerprint/vat-number-of-a-person': alsoReads(/^VATPL.*\d{10}/),
  'auth.xades.fingerprint/register-number-of-a-seal': alsoReads(/^NTR.*\d{10}/),
  'auth.xades.certificate-dates/dates-unchecked': { policy: { certificateInDates: () => true } },
  'auth.xades.certificate-dates/of-the-named-alone': {
    also: ['auth.xades.self-signed-by-environment'],
    ...letsNamelessIn(460),
  },
  'auth.xades.certificate-dates/of-the-document-alone': {
    at: ['authentication'],
    tables: {
      certificates: { find: (found) => found.map((one) => ({ ...one, validTo: Infinity })) },
    },
  },
  'auth.xades.certificate-dates/own-before-their-start': ownBeforeTheirStart,
  'auth.xades.certificate-dates/grace-before': certificatesWithin(-5 * minute, 0),
  'auth.xades.certificate-dates/grace-after': certificatesWithin(0, 5 * minute),
  'auth.xades.certificate-dates/not-in-the-first-minutes': certificatesWithin(5 * minute, 0),
  'auth.xades.certificate-dates/not-in-the-last-minutes': certificatesWithin(0, -10 * minute),
  'auth.xades.certificate-dates/two-digits-of-the-year': untilTwentyFifty,
  'auth.xades.certificate-dates/at-the-signing-time': datesAtSigning(),
  'auth.xades.service-certificate/service-certificate-refused': {
    policy: { serviceCertificateAccepted: () => false },
  },
  'auth.xades.service-certificate/in-the-test-environment-only': trustedInTestOnly,
  'auth.xades.accepted/signing-times-in-utc-only': cannotRead(/SigningTime>[^<]*[+-]\d\d:\d\d</),
  'auth.xades.accepted/signing-times-behind-utc-as-utc': cannotRead(/SigningTime>[^<]*-\d\d:\d\d</),
  'auth.xades.hostile-xml/doctype-accepted': { policy: { doctypeAllowed: () => true } },
  'auth.xades.hostile-xml/fetches-what-is-named': fetchesWhatIsNamed('SYSTEM'),
  'auth.xades.hostile-xml/fetches-beside-a-public-name': fetchesWhatIsNamed('PUBLIC'),
  'auth.xades.hostile-xml/doctype-behind-a-comment': doctypeUnread(
    /^<!--[^]{0,99}?-->\s*<!DOCTYPE[^>]*>/,
  ),
  'auth.xades.hostile-xml/doctype-behind-a-kilobyte': doctypeUnread(/^[^]{1024,}?<!DOCTYPE[^>]*>/),
  'auth.xades.hostile-xml/doctype-behind-a-declaration': doctypeUnread(
    /^<\?xml [^]*?\?>\s*<!DOCTYPE[^>]*>/,
  ),
  'auth.xades.hostile-xml/doctype-behind-an-instruction': doctypeUnread(
    /^<\?xml-[^]*?\?>\s*<!DOCTYPE[^>]*>/,
  ),
  'auth.xades.hostile-xml/doctype-of-the-signature': doctypeUnread(/^<!DOCTYPE ds:[^>]*>/),
  'auth.xades.hostile-xml/doctype-in-base64': encodedDoctypeUnread(),
  'auth.xades.service-certificate/by-its-key': byItsKey,
  'auth.xades.service-certificate/newest-only': { ...newestOnly, also: ['certificates.enrol'] },
  'auth.xades.service-certificate/chain-unknown': ownChainUnknown,
  'auth.xades.service-certificate/in-own-contexts-only': ownContextsOnly,
} as const satisfies Readonly<Record<string, Mutant>>
