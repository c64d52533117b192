import type { Gap } from './types.ts'

/**
 * Every question that the specification leaves open, and what is assumed until a target says otherwise. First those that
 * it marks by "not shown" (`mentions` counts them), then those on which it is silent. A target profile confirms or
 * overrides an assumption under its key in `assumptions`.
 */
export const gaps = {
  'soap-channel': {
    question: 'What does the SOAP channel that is mentioned offer, and for which cases?',
    clause: 'What the service does',
    assumption: 'There is none that a check could use; only REST is examined.',
    origin: 'inference',
    override: 'soap-channel',
    mentions: [1],
  },
  'session-status': {
    question:
      'Which fields has the record of a session, and where are its status and its failed invoices?',
    clause: 'Resources and their fields > Session (interactive or batch)',
    assumption:
      'GET /sessions/{referenceNumber} answers status, dateCreated, dateUpdated, validUntil, upo pages and three counts; failed invoices are at /sessions/{referenceNumber}/invoices/failed in the form of the full list.',
    origin: 'public contract',
    override: 'session-status',
    mentions: [2, 14],
  },
  'invoice-status': {
    question: 'Which fields has the status of an invoice beyond the four that are named?',
    clause: 'Resources and their fields > Invoice submission (interactive session)',
    assumption:
      'ordinalNumber, invoiceNumber, svcNumber, invoiceHash, file name, three dates, upoDownloadUrl with its expiry, invoicingMode and status {code, description, details, extensions}; a duplicate carries the two original references at top level and in status.extensions.',
    origin: 'public contract',
    override: 'invoice-status',
    mentions: [3, 20],
  },
  'date-types': {
    question: 'Which further values has dateType?',
    clause: 'Resources and their fields > Query metadata request',
    assumption: 'invoicing and permanentStorage besides issue and acquisition.',
    origin: 'public contract',
    override: 'date-types',
    mentions: [4],
  },
  'permission-queries': {
    question: 'Which fields has a permission, and how are permissions listed?',
    clause: 'Resources and their fields > Permission',
    assumption:
      'Seven queries below /permissions/query, one per kind of grant, with pageOffset and pageSize; common are id, scope, description, startDate. That of persons shows what holds in the context of the caller, or what was granted from it: the administrators of its units are among the second only.',
    origin: 'public contract',
    override: 'permission-queries',
    mentions: [5],
  },
  'operation-status': {
    question: 'Which payload has the status of an operation?',
    clause: 'Resources and their fields > Permission',
    assumption:
      '{ status: { code, description, details } } and nothing else; 100 in progress, 200 finished, 400 and above failed.',
    origin: 'public contract',
    override: 'operation-status',
    mentions: [6, 16],
  },
  'authentication-states': {
    question: 'Which values has the status of an authentication?',
    clause: 'States and transitions > Authentication process',
    assumption:
      'Numbers: 100 in progress, 200 succeeded, 415, 425, 450, 460, 470, 480, 500, 550 failed, each with a description.',
    origin: 'public contract',
    override: 'authentication-states',
    mentions: [7],
  },
  'export-states': {
    question: 'Which transitions has an export, and which codes its failures?',
    clause: 'States and transitions > Export status codes',
    assumption: '100 to 200, 415, 420, 500 or 550; 200 to 210 when the package expires.',
    origin: 'public contract',
    override: 'export-states',
    mentions: [8],
  },
  'revocation-status': {
    question: 'Where is the status of a revocation, and which transitions has it?',
    clause: 'States and transitions > Permission revocation operation',
    assumption:
      'Under GET /operations/{referenceNumber}, as that of any other operation: 100 to 200 or to a failure.',
    origin: 'public contract',
    override: 'revocation-status',
    mentions: [9, 17],
  },
  'session-states': {
    question: 'Which states and transitions have sessions?',
    clause: 'States and transitions > Sessions and invoices',
    assumption:
      'Interactive 100, 170, then 200, 415, 440 or 445; batch 100, 150, then 200 or a failure; an interactive session closes by itself after 12 hours.',
    origin: 'public contract',
    override: 'session-states',
    mentions: [10],
  },
  'invoice-states': {
    question:
      'Which states and transitions has an invoice, and with which code does each verification fail?',
    clause: 'States and transitions > Sessions and invoices',
    assumption:
      '100, 150, then 200, 405, 410, 415, 430 (file), 435 (decryption), 440 (duplicate), 450 (content), 500 or 550.',
    origin: 'public contract',
    override: 'invoice-states',
    mentions: [10],
  },
  'context-identifier': {
    question: 'Which fields has contextIdentifier?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption: 'type (Nip, InternalId, NipVatUe) and value.',
    origin: 'public contract',
    override: 'context-identifier',
    mentions: [11],
  },
  'refresh-token-as-bearer': {
    question: 'How is the refresh token passed on, and what is answered?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption:
      'As bearer, without a body; answered is { accessToken: { token, validUntil } }, and the refresh token stays the same.',
    origin: 'public contract',
    override: 'refresh-token-as-bearer',
    mentions: [12],
  },
  'batch-package': {
    question: 'How is a batch opened, uploaded and closed, and what bounds the package?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption:
      'Opening takes batchFile with sizes and hashes of at most 50 parts and answers a signed address per part; parts are put there encrypted; POST .../close starts the processing. Package 5 GB, part 100 MB before encryption, 20 minutes a part.',
    origin: 'public contract',
    override: 'batch-package',
    mentions: [13],
  },
  'receipt-paths': {
    question: 'At which paths are receipts?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption:
      '/sessions/{referenceNumber}/upo/{upoReferenceNumber} for a session, page by page, and .../invoices/{reference}/upo, .../invoices/svc/{svcNumber}/upo for an invoice.',
    origin: 'public contract',
    override: 'receipt-paths',
    mentions: [14],
  },
  'export-body': {
    question: 'What does the export request hold, and how is a finished export downloaded?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption:
      'Key fields as for a session, filters as for the metadata query, onlyMetadata, compressionType; the status lists the parts with signed addresses, sizes and hashes before and after encryption.',
    origin: 'public contract',
    override: 'export-body',
    mentions: [15],
  },
  'general-query': {
    question: 'What does the general query take and answer?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption: 'The same as the metadata query.',
    origin: 'inference',
    override: 'general-query',
    mentions: [18],
  },
  'metadata-answer': {
    question: 'What does the metadata query answer, and how is it paged?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption:
      'hasMore, isTruncated (after 10,000 records), permanentStorageHwmDate, invoices; pageOffset counts pages, sortOrder by the chosen date.',
    origin: 'public contract',
    override: 'metadata-answer',
    mentions: [18],
  },
  'query-filters': {
    question: 'Which further filters are there?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption:
      'svcNumber, invoiceNumber, amount, sellerNip, buyerIdentifier, currencyCodes, invoicingMode, isSelfInvoicing, formType, invoiceTypes, hasAttachment.',
    origin: 'public contract',
    override: 'query-filters',
    mentions: [18],
  },
  'limit-simulation': {
    question: 'At which paths are limits simulated?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption:
      '/testdata/limits/context/session, /testdata/limits/subject/certificate, /testdata/rate-limits and its /production; what is in force is read at /rate-limits. Rates stand under the names of the rate table.',
    origin: 'public contract',
    override: 'limit-simulation',
    mentions: [19],
  },
  'certificate-module': {
    question: 'At which paths is the certificate module, and in which steps is a certificate had?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption:
      'Below /certificates: limits, enrollments/data, enrollments, retrieve, revoke, query; an application goes from 100 to 200 or a failure.',
    origin: 'public contract',
    override: 'certificate-module',
    mentions: [19],
  },
  'testdata-paths': {
    question: 'At which paths are the test-data operations?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption:
      'Below /testdata: subject, person, permissions, attachment, context and their opposites; the public ones take no bearer.',
    origin: 'public contract',
    override: 'testdata-paths',
    mentions: [19],
  },
  'permission-matrix': {
    question: 'Which permission does each operation take?',
    clause: 'Authentication',
    assumption: 'Those in the operation table: any one of them suffices.',
    origin: 'public contract',
    override: 'permission-matrix',
    mentions: [21],
  },
  'authentication-token-lifetime': {
    question: 'How long does an authentication token live?',
    clause: 'Authentication',
    assumption: '45 minutes.',
    origin: 'public contract',
    override: 'authentication-token-lifetime',
    mentions: [22],
  },
  events: {
    question: 'Does the service push events?',
    clause: 'Events',
    assumption: 'It does not; outcomes are polled.',
    origin: 'public contract',
    override: 'events',
    mentions: [23],
  },
  'error-body': {
    question: 'What does the body of an error look like?',
    clause: 'Errors',
    assumption:
      '{ code, description, details, timestamp }; as problem details when X-Error-Format asks for them.',
    origin: 'inference',
    override: 'error-body',
    mentions: [24],
  },
  'code-440': {
    question: 'Is 440 an HTTP status or a code in a body?',
    clause: 'Errors',
    assumption: 'The status code of an invoice, in an answer of 200.',
    origin: 'public contract',
    override: 'code-440',
    mentions: [25],
  },
  'code-21182': {
    question: 'Is 21182 an HTTP status or a code in a body?',
    clause: 'Errors',
    assumption: 'A code in the body of a 400.',
    origin: 'public contract',
    override: 'code-21182',
    mentions: [25],
  },
  'error-codes': {
    question: 'Which error codes are there, and which status goes with which mistake?',
    clause: 'Errors',
    assumption:
      'The codes in the refusals; malformed input is 400, an unknown resource 404 with a code, a wrong bearer 401, an expired access token or a lacking permission 403.',
    origin: 'public contract',
    override: 'error-codes',
    mentions: [26],
  },
  'rate-limit-headers': {
    question: 'Which headers tell about rate limits besides Retry-After?',
    clause: 'Limits > Rate limits',
    assumption: 'None.',
    origin: 'public contract',
    override: 'rate-limit-headers',
    mentions: [27],
  },
  'night-limits': {
    question: 'Which limits hold at night?',
    clause: 'Limits > Rate limits',
    assumption: 'The same as by day.',
    origin: 'inference',
    override: 'night-limits',
    mentions: [28],
  },
  'limits-bodies': {
    question: 'What do the two limits operations answer?',
    clause: 'Limits > Rate limits',
    assumption:
      'Context: onlineSession and batchSession, each with maxInvoiceSizeInMB (a million bytes), maxInvoiceWithAttachmentSizeInMB, maxInvoices. Subject: enrollment.maxEnrollments and certificate.maxCertificates; 300 and 100 for a NIP, 12 and 6 for a person.',
    origin: 'public contract',
    override: 'limits-bodies',
    mentions: [29],
  },
  'export-lifetime': {
    question: 'How long does an export last?',
    clause: 'Limits > Rate limits',
    assumption: 'The package 24 hours, a link one hour, renewed by each status; the status 7 days.',
    origin: 'inference',
    override: 'export-lifetime',
    mentions: [30],
  },
  'future-versions': {
    question: 'When do further major versions come?',
    clause: 'Versioning',
    assumption: 'Unknown; v3 does not exist.',
    origin: 'inference',
    override: 'future-versions',
    mentions: [31],
  },
  'health-public': {
    question: 'Does the connectivity check need credentials?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption: 'No.',
    origin: 'inference',
    override: 'health-public',
  },
  'openapi-address': {
    question: 'Where is the OpenAPI description?',
    clause: 'Versioning',
    assumption: 'At /openapi.json below the version prefix.',
    origin: 'inference',
    override: 'openapi-address',
  },
  'context-value-form': {
    question: 'How are the values of a context formed?',
    clause: 'Resources and their fields > Authentication request document (AuthTokenRequest, XML)',
    assumption:
      'A NIP has ten digits; an InternalId a NIP, a hyphen and five digits; a NipVatUe a NIP, a hyphen and a VAT number of its country. Check digits are not examined here.',
    origin: 'public contract',
    override: 'context-value-form',
  },
  'token-pair-form': {
    question:
      'Is the refresh token in the answer a string, or an object with token and validUntil?',
    clause: 'Resources and their fields > Token pair (response of redeem)',
    assumption: 'An object, like the access token; a bare string is understood.',
    origin: 'public contract',
    override: 'token-pair-form',
  },
  'access-token-lifetime': {
    question: 'How long is a dozen or so minutes?',
    clause: 'Resources and their fields > Token pair (response of redeem)',
    assumption: '15 minutes; 11 to 20 are accepted.',
    origin: 'public contract',
    override: 'access-token-lifetime',
  },
  'token-timestamp': {
    question: 'How far may the time in the encrypted token be from that of the service?',
    clause: 'Endpoints > Authentication and security',
    assumption: 'Ten minutes either way; the time of the challenge does.',
    origin: 'inference',
    override: 'token-timestamp',
  },
  'service-tokens': {
    question: 'How are service tokens made, listed and revoked, and how do they end?',
    clause: 'Resources and their fields > Service token (credential)',
    assumption:
      'By POST, GET and DELETE on /tokens; a token is active after a moment, and ends by revocation, 180 days after it was made (the limited validity that is stated without a number), or with 2026, whichever comes first. Its record shows no end. The public contract knows no end but revocation, and lets no login refresh whose token was revoked. It reads reference|context|64 hexadecimal digits.',
    origin: 'public contract',
    override: 'service-tokens',
  },
  'login-sessions': {
    question: 'Can logins be listed and ended?',
    clause: 'Authentication',
    assumption:
      'At /auth/sessions; ending one kills its refresh token, access tokens live on to their end.',
    origin: 'public contract',
    override: 'login-sessions',
  },
  'address-policy': {
    question: 'Can an authentication be bound to addresses?',
    clause: 'Authentication',
    assumption: 'By authorizationPolicy.allowedIps, enforced at every use of the tokens.',
    origin: 'public contract',
    override: 'address-policy',
  },
  'redeem-once': {
    question: 'Can an authentication be redeemed twice?',
    clause: 'States and transitions > Authentication process',
    assumption: 'No: the second time is 400 with 21301.',
    origin: 'public contract',
    override: 'redeem-once',
  },
  'previous-version-path': {
    question: 'What was the path of the single-key endpoint?',
    clause: 'Authentication',
    assumption: '/security/public-key, /security/public-key/pem and /common/public-key.',
    origin: 'inference',
    override: 'previous-version-path',
  },
  'key-rotation': {
    question: 'How does a caller say which public key was used, and what of a withdrawn one?',
    clause: 'Authentication',
    assumption:
      'By publicKeyId, the SHA-256 of the key; unknown or withdrawn is 21470. Without it the service tries the keys that are in use.',
    origin: 'public contract',
    override: 'key-rotation',
  },
  'session-key-check': {
    question: 'Is a bad key refused when the session opens, or later?',
    clause: 'Resources and their fields > Session (interactive or batch)',
    assumption: 'At once, with 21405; a target may also end the session with 415.',
    origin: 'inference',
    override: 'session-key-check',
  },
  'form-code-form': {
    question: 'Which forms of the form code are taken?',
    clause: 'Resources and their fields > Session (interactive or batch)',
    assumption: 'An object of systemCode, schemaVersion, value, or the label such as FA (3).',
    origin: 'specification example',
    override: 'form-code-form',
  },
  'uniqueness-end': {
    question: 'When exactly do ten full years end?',
    clause: 'Resources and their fields > Invoice submission (interactive session)',
    assumption: 'With the last day of the tenth calendar year after that of issue.',
    origin: 'public contract',
    override: 'uniqueness-end',
  },
  'oversize-code': {
    question: 'How does an oversized invoice fail?',
    clause: 'Limits > Sizes and counts',
    assumption: 'In its status with 430.',
    origin: 'inference',
    override: 'oversize-code',
  },
  attachments: {
    question: 'Where may attachments be sent, and who consents?',
    clause: 'Limits > Sizes and counts',
    assumption: 'By batch only (a technical correction excepted), when the seller has consented.',
    origin: 'public contract',
    override: 'attachments',
  },
  'invoice-mode': {
    question: 'When does an invoice count as issued offline, and where is that told?',
    clause: 'Resources and their fields > Invoice submission (interactive session)',
    assumption:
      'When offlineMode says so, at its sending or at the opening of its batch, or when its date of issue lies before the day of its sending (of the opening, in a batch) in Europe/Warsaw; told as invoicingMode and in the receipt.',
    origin: 'public contract',
    override: 'invoice-mode',
  },
  'technical-correction': {
    question: 'Can a rejected offline invoice be corrected technically?',
    clause: 'Resources and their fields > Invoice submission (interactive session)',
    assumption:
      'In an interactive session with offlineMode and hashOfCorrectedInvoice; 21166 and 21167 where not.',
    origin: 'public contract',
    override: 'technical-correction',
  },
  'plain-send': {
    question: 'How does the alternative way of sending agree with mandatory encryption?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption: 'It takes the plain XML over the protected channel.',
    origin: 'inference',
    override: 'plain-send',
  },
  'invoice-id': {
    question: 'What is the invoiceId of the status operation?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption: 'The reference that the submission answered; a service number does as well.',
    origin: 'inference',
    override: 'invoice-id',
  },
  'document-hash': {
    question: 'Is a document that is handed out accompanied by its hash?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption:
      'In the header x-ms-meta-hash, SHA-256 in Base64: invoices, receipts, parts of an export.',
    origin: 'public contract',
    override: 'document-hash',
  },
  'invoice-number-lookup': {
    question:
      'How is an invoice found by its own number, which is not unique and may hold a slash?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption:
      'By its number, URL-encoded, among what is readable to the caller; where several match, the call is refused as ambiguous.',
    origin: 'inference',
    override: 'invoice-number-lookup',
  },
  'acquisition-date': {
    question: 'What is the acquisition date?',
    clause: 'Resources and their fields > Query metadata request',
    assumption: 'The moment at which the service number was given.',
    origin: 'public contract',
    override: 'acquisition-date',
  },
  'query-range': {
    question:
      'Which ranges may a query have, are its bounds inclusive, and what of an instant without offset?',
    clause: 'Resources and their fields > Query metadata request',
    assumption:
      'Up to three months, in UTC or in Warsaw; both bounds are inclusive; without an offset it is Warsaw time; without an end it is the present.',
    origin: 'public contract',
    override: 'query-range',
  },
  paging: {
    question: 'How are lists paged?',
    clause: 'Endpoints > Sessions',
    assumption:
      'Size by pageSize; the next page by the header x-continuation-token with what the last answer gave; a token of another make is 21418.',
    origin: 'public contract',
    override: 'paging',
  },
  'receipt-link': {
    question: 'How long does a receipt link last, and who may follow it?',
    clause: 'Resources and their fields > Invoice submission (interactive session)',
    assumption: 'Three days; with the access token of issuer or buyer.',
    origin: 'specification example',
    override: 'receipt-link',
  },
  'receipt-signature': {
    question: 'Is a receipt signed?',
    clause: 'What the service does',
    assumption: 'By the service, enveloped XAdES over the whole document.',
    origin: 'public contract',
    override: 'receipt-signature',
  },
  'permission-grants': {
    question: 'How are permissions granted, and where does the permissionId come from?',
    clause: 'Resources and their fields > Permission',
    assumption:
      'By POST below /permissions, asynchronously; the permissionId is read from the list of grants once the operation is finished.',
    origin: 'public contract',
    override: 'permission-grants',
  },
  'signature-transforms': {
    question: 'Which transforms may the reference to an authentication request have?',
    clause: 'Authentication',
    assumption:
      'The enveloped-signature transform, XPath 1.0 not(ancestor-or-self::ds:Signature), XPath Filter 2.0 that subtracts the signature, Base64 of an object, and Canonical XML 1.0, 1.1 and exclusive, with or without comments.',
    origin: 'public contract',
    override: 'signature-transforms',
  },
  'signature-profiles': {
    question: 'Which XAdES profiles are accepted?',
    clause: 'Authentication',
    assumption:
      'BES, EPES, T, LT, C, X, XL, A and BASELINE-B to -LTA; unsigned properties are not evaluated.',
    origin: 'public contract',
    override: 'signature-profiles',
  },
  'signature-methods': {
    question: 'Which methods, digests and keys may sign an authentication request?',
    clause: 'Authentication',
    assumption:
      'RSA (PKCS#1 v1.5 or PSS) from 2048 bits and ECDSA from curves of 256 bits, with SHA-256 or longer, SHA-3 too; the ECDSA value is r and s side by side. Whether it may also be DER, and whether SHA-1 is accepted, is left open.',
    origin: 'public contract',
    override: 'signature-methods',
  },
  'revocation-refusals': {
    question: 'Does a revocation that cannot be done fail at once or in its operation?',
    clause: 'Errors',
    assumption:
      'An unknown or revoked id and one out of reach at once with 404; a target may also let the operation fail.',
    origin: 'inference',
    override: 'revocation-refusals',
  },
  retention: {
    question: 'How long is a status kept?',
    clause: 'States and transitions > Authentication process',
    assumption:
      'Authentications and exports 7 days, applications and operations 30 days, then 410; sessions and invoices for ever.',
    origin: 'public contract',
    override: 'retention',
  },
  'check-digits': {
    question: 'Where is the check digit of a NIP in an invoice enforced?',
    clause: 'What the service does',
    assumption: 'In production alone, for every party; a wrong one ends in state 450.',
    origin: 'public contract',
    override: 'check-digits',
  },
  'export-hourly-limit': {
    question: 'Is there a limit on exports in an hour besides the rate table?',
    clause: 'Limits > Sizes and counts',
    assumption: 'No: the four that are given as an example are a recommendation.',
    origin: 'public contract',
    override: 'export-hourly-limit',
  },
  'rate-window-boundary': {
    question: 'Is a window inclusive at its far end, and do refused calls count?',
    clause: 'Limits > Rate limits',
    assumption:
      'Exclusive: a call counts no more when it is exactly as old as the window is long; refused calls do not count.',
    origin: 'inference',
    override: 'rate-window-boundary',
  },
} as const satisfies Record<string, Gap>

export type GapId = keyof typeof gaps

export const gapIds = Object.keys(gaps) as GapId[]

/** The row of a gap, in its general shape; undefined when there is none of that id. */
export const gap = (id: string): Gap | undefined => (gaps as Readonly<Record<string, Gap>>)[id]
