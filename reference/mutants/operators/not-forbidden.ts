/**
 * What an operator yields and the contract does not forbid, with the reason. A few rows are forbidden, but take more
 * invoices to show than a check issues.
 */
export const reasons: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [
    /field:sessions\.failed\.invoices\.(svcNumber|acquisitionDate|permanentStorageDate|upoDownloadUrl|upoDownloadUrlExpirationDate)\.(?!missing)/,
    'A failed invoice has no service number, no receipt and no date of acquisition or storage to change.',
  ],
  [
    /field:sessions\.failed\.invoices\.status\.code\.(success|pending)-as-/,
    'The list of failed invoices contains no invoice that is accepted or in progress.',
  ],
  [
    /field:sessions\.(failed|invoices)\.invoices\.sessionReferenceNumber\.of-first-row$/,
    'Every row of the list belongs to the same session.',
  ],
  [
    /field:sessions\.invoices\.invoices\.upoDownloadUrlExpirationDate\.of-first-row$/,
    'The receipt links of one answer may expire at the same instant.',
  ],
  [
    /field:invoices\.statusBySvcNumber\.(original|status\.code\.(failure|pending)-as-)/,
    'Only an accepted invoice has a service number: it is no duplicate, has not failed and is not in progress.',
  ],
  [
    /filter:queries\.(metadata|general)\.sellerNip\.(within|beginning|caseless)$/,
    'Every NIP has ten digits: none contains another.',
  ],
  [
    /page:invoices\.(queryCollectives|collectivesOf)\.(backwards|first-two-swapped)$/,
    'The order of collective identifiers is nowhere stated.',
  ],
  [
    /page:queries\.providers\.empty-first-page-continues$/,
    'The list of providers has no filter that could leave nothing.',
  ],
  [
    /field:exports\.status\.package\.(compressionType\.lost|partName\.|parts\.partName\.)/,
    'The form of the archive need not be repeated, and the names of its parts are free.',
  ],
  [
    /limit:exports\.linkLifetime\.half$/,
    'The status states until when a link can be used, and the next status has a fresh one.',
  ],
  [
    /limit:retry-after\.one-second-long$/,
    'Retry-After is in whole seconds: rounded up it may be a second too long.',
  ],
  [
    /decision:earlierBlockRemembered\.yes$/,
    'For how long violations count as repeated is not specified.',
  ],
  [
    /(decision:keysListedFrom\.yes|environment:keysFrom\.2025\S*)$/,
    'The keys of production are valid from the day on which its list begins, and what is not valid yet is not listed.',
  ],
  [
    /environment:rateFactor\.10$/,
    'The factor of an environment counts where its rates are restored, which only the test environment does.',
  ],
  [
    /decision:enrollmentMethodFits\.yes(\.|$)/,
    'A login by service token has no attributes for a certificate, and is refused for that; whether the limits say that it can request one is not specified.',
  ],
  [
    /work:storage\.never$/,
    'Where work takes no time, an invoice is stored as it is accepted: by work of its own only in a reference with delays.',
  ],
  [
    /not-refused:testdata\.(set|restore|production)RateLimits\.rate-limited$/,
    'Such a call changes the limits that count it, and whether the count begins anew is not specified.',
  ],
  [
    /filter:queries\.(metadata|general)\.svcNumber\.(within|beginning|caseless)$/,
    'Every service number has 35 characters, in one case: none contains another.',
  ],
  [
    /field:queries\.(metadata|general)\.invoices\.formCode\.(schemaVersion|value)\.of-first-row$/,
    'FA(2) and FA(3) have the same one.',
  ],
  [/restrictToPermanentStorageHwmDate\.false-is-absent$/, 'False says the same as nothing.'],
  [
    /filter:exports\.create\.\S*restrictToPermanentStorageHwmDate\.ignored(-beside-others)?$/,
    'An export is made after it was asked for, when the mark may have passed every invoice of its range.',
  ],
  [
    /way-in:attachment-(size|consent)\.(offline|send)$/,
    'Attachments are sent in packages and as technical corrections only: elsewhere they are refused whatever their size.',
  ],
  [
    /field:invoices\.send\.(sessionReferenceNumber|upoDownloadUrl)\./,
    'The answer need not name the session and the receipt of what was sent without a session.',
  ],
  [
    /way-in:attachment-place\.correction$/,
    'A technical correction may have an attachment in any session.',
  ],
  [
    /way-in:offline-mode\.(correction|offline|offline-batch)$/,
    'What is declared offline is offline.',
  ],
  [
    /way-in:duplicate-within\.send$/,
    'What is sent without a session shares a session with nothing.',
  ],
  [
    /acquisitionDate\.from-permanentStorageDate$/,
    'An invoice may be stored at the instant of its acquisition.',
  ],
  [
    /page:(certificates\.query|sessions\.(list|invoices|failed))\.(backwards|first-two-swapped)$/,
    'The order of the list is not specified.',
  ],
  [
    /page:permissions\.querySubordinateRoles\.(backwards|first-two-swapped)$/,
    'The roles of a unit begin at the same instant, and their order is not specified.',
  ],
  [
    /page:permissions\.queryEu\.first-two-swapped$/,
    'A grant of EU administration creates several permissions at the same instant, whose order is not specified.',
  ],
  [
    /field:permissions\.(queryAuthorizations|queryPersons)\.\w+\.subjectEntityDetails\.(address\.|subjectDetailsType\.(first|of-first-row)$)/,
    'Entities of these lists are identified by a NIP: their details are of one kind, which has no address.',
  ],
  [
    /field:permissions\.queryEu\.permissions\.subjectEntityDetails\.subjectDetailsType\.of-first-row$/,
    'Entities of this list are identified by a certificate: their details are of one kind.',
  ],
  [
    /field:permissions\.queryPersonal\.permissions\.subjectEntityDetails\.subjectDetailsType\.of-first-row$/,
    'The caller has a NIP or a certificate: the details of one caller are of one kind.',
  ],
  [
    /field:permissions\.queryPersonal\.permissions\.authorizedIdentifier\.type\.of-first-row$/,
    'The list names a holder only where it is another than the caller: a NIP for a caller with a PESEL, and the reverse.',
  ],
  [
    /field:permissions\.querySubordinateRoles\.roles\.(role|startDate)\.of-first-row$/,
    'The units of one entity have one role, which begins with that of the entity.',
  ],
  [
    /filter:permissions\.queryEu\.authorizedFingerprintIdentifier\.within$/,
    'This filter finds parts of a fingerprint.',
  ],
  [
    /filter:permissions\.queryEu\.vatUeIdentifier\.caseless$/,
    'VAT numbers are written in capitals: what another spelling finds is not specified.',
  ],
  [
    /decision:revokedBefore\.no\.permissions\.revoke(Authorization)?$/,
    'A revocation of what is revoked may be refused by the call or fail the operation: either of the two is enough.',
  ],
  [
    /decision:revocationPermitted\.yes\.permissions\.revokeAuthorization$/,
    'The operation as a whole needs the permission that this decision asks for once more.',
  ],
  [
    /field:sessions\.openBatch\.partUploadRequests\.method\.of-first-row$/,
    'Every part may be uploaded by the same method.',
  ],
  [
    /decision:objectCountFits\.yes$/,
    'An object without a request changes nothing; one with a request is refused because there are two.',
  ],
  [
    /decision:formAccepted\.yes$/,
    'The reference of a detached signature names nothing that may be covered, and is refused for that.',
  ],
  [
    /decision:referenceCountFits\.yes$/,
    'A missing reference is noticed where it is needed, and the contract states no maximum.',
  ],
  [
    /decision:idsUnique\.yes$/,
    'The element that a reference names is looked up, and two of them are refused there.',
  ],
  [
    /decision:uploadInTime\.yes(\.|$)/,
    'The session ends by itself when its upload period is over: its state refuses the upload and the close.',
  ],
  [
    /effect:sessions\.uploadPart\.first-parts-only$/,
    'Only a part with the declared hash is stored, so that a second upload has the same bytes.',
  ],
  [
    /not-refused:sessions\.closeBatch\.part-size-wrong$/,
    'The upload has refused a part of another size, so that the close finds none.',
  ],
  [
    /decision:everyPartNeeded\.yes\.(sessions\.closeBatch|batch)$/,
    'A missing part may be refused by the close or fail the session: either of the two is enough.',
  ],
  [
    /not-refused:sessions\.closeBatch\.upload-time-exceeded$/,
    'The session has failed with this code at the end of its upload period, whatever the close answers.',
  ],
  [
    /refusal-form:(part|link)-refused\.(as-text|description-lost)$/,
    'A signed address may lead to a store, whose errors have a format of their own.',
  ],
  [/field:auth\.challenge\.timestamp\.now$/, 'A challenge is issued at the instant of its answer.'],
  [
    /field:certificates\.enroll\.timestamp\.now$/,
    'An application is made at the instant of its answer.',
  ],
  [
    /field:auth\.(status|sessions\.items)\.authenticationMethod\.lost$/,
    'The field is deprecated and may be absent.',
  ],
  [
    /field:auth\.sessions\.items\.(status\.code\.((failure|pending)-as-success|of-first-row)|isTokenRedeemed\.(true|of-first-row))$/,
    'The list contains only logins that have succeeded and were redeemed.',
  ],
  [/decision:signingTimeFits\.yes$/, 'How old a signature may be is not specified.'],
  [
    /decision:(context|subject)KindAccepted\.yes$/,
    'The schema of the request has no other kinds, and refuses them first.',
  ],
  [
    /(not-refused:auth\.token\.|refusal-form:)token-refused(\.|$)/,
    'A token is refused when the authentication ends: by its state, not by an answer.',
  ],
  [
    /field:certificates\.query\.certificates\.subjectIdentifier\.(type|value)\.of-first-row$/,
    'Every certificate of the list belongs to the same subject.',
  ],
  [
    /filter:certificates\.query\.certificateSerialNumber\.(within|beginning|caseless)$/,
    'The schema admits only whole serial numbers in upper case.',
  ],
  [
    /field:tokens\.list\.tokens\.contextIdentifier\.(type|value)\.of-first-row$/,
    'Every token of the list belongs to the context of the caller.',
  ],
  [/filter:tokens\.list\.authorIdentifier\.within$/, 'This filter finds parts of an identifier.'],
  [
    /not-refused:auth\.token\.public-key-unknown$/,
    'A token for a key that is unknown may also be refused when the authentication ends.',
  ],
  [
    /field:keys\.list\.(validTo|publicKeyId)\.lost$/,
    'An entry states the end of its validity when there is one to state, and need not name its key.',
  ],
  [/field:keys\.list\.usage\.first-twice$/, 'A usage that is listed twice is the same usage.'],
  [/field:transport\.health\.status\.turned$/, 'The word that states the health is not specified.'],
  [/odd-path:case-ignored$/, 'Whether the letter case of a path matters is not specified.'],
  [
    /limit:receipt\.linkLifetime\.(half|double)$/,
    'The status states until when a link can be used; how long that is, is not specified.',
  ],
  [
    /(not-refused:invoices\.submit\.|refusal-form:)content-not-base64(\.|$)/,
    'The schema of the request refuses such content first, as invalid input.',
  ],
  [
    /decision:archive(Entry|Expansion)Allowed\.yes$/,
    'Such an entry is no invoice either, and may be rejected as one.',
  ],
]

/** Why the contract does not forbid a generated mutant; undefined where it does. */
export const notForbidden = (id: string): string | undefined =>
  reasons.find(([pattern]) => pattern.test(id))?.[1]
