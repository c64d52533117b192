import type { Gap } from './types.ts'

/**
 * Every question that the specification leaves open, and what is assumed until a target says otherwise. First those
 * that it marks by "not shown" (`mentions` counts them), then those on which it is silent. A target profile confirms or
 * overrides an assumption under its key in `assumptions`.
 */
export const gaps = {
  'soap-channel': {
    question: 'What does the mentioned SOAP channel provide, and for which cases?',
    clause: 'What the service does',
    assumption: 'No usable SOAP channel; only REST is checked.',
    origin: 'inference',
    override: 'soap-channel',
    mentions: [1],
  },
  'session-status': {
    question:
      'Which fields does a session record have, and where are its status and its failed invoices?',
    clause: 'Resources and their fields > Session (interactive or batch)',
    assumption:
      'GET /sessions/{referenceNumber} returns status, dateCreated, dateUpdated, validUntil, upo pages and three counts; failed invoices are at /sessions/{referenceNumber}/invoices/failed in the form of the full list.',
    origin: 'public contract',
    override: 'session-status',
    mentions: [2, 14],
  },
  'invoice-status': {
    question: 'Which fields does the status of an invoice have besides the four named ones?',
    clause: 'Resources and their fields > Invoice submission (interactive session)',
    assumption:
      'ordinalNumber, invoiceNumber, svcNumber, invoiceHash, file name, three dates, upoDownloadUrl with its expiry, invoicingMode and status {code, description, details, extensions}; a duplicate carries the two original references at top level and in status.extensions.',
    origin: 'public contract',
    override: 'invoice-status',
    mentions: [3, 20],
  },
  'date-types': {
    question: 'Which further values does dateType accept?',
    clause: 'Resources and their fields > Query metadata request',
    assumption: 'invoicing and permanentStorage, in addition to issue and acquisition.',
    origin: 'public contract',
    override: 'date-types',
    mentions: [4],
  },
  'permission-queries': {
    question: 'Which fields does a permission have, and how are permissions listed?',
    clause: 'Resources and their fields > Permission',
    assumption:
      'Seven queries below /permissions/query, one per kind of grant, with pageOffset and pageSize; all return id, scope, description and startDate, newest first. The query for persons returns the permissions that apply in the context of the caller, or those granted from it; only the latter include the administrators of its units. A direct permission is found with its own context as targetIdentifier. The personal list names the holder only where it is another than the caller. A delegated permission is inactive while no client permits to delegate it.',
    origin: 'public contract',
    override: 'permission-queries',
    mentions: [5],
  },
  'operation-status': {
    question: 'What does the status of an operation contain?',
    clause: 'Resources and their fields > Permission',
    assumption:
      '{ status: { code, description, details } } and nothing else; 100 in progress, 200 finished, 400 and above failed. Every caller in the context of the operation can read it.',
    origin: 'public contract',
    override: 'operation-status',
    mentions: [6, 16],
  },
  'authentication-states': {
    question: 'Which values does the status of an authentication have?',
    clause: 'States and transitions > Authentication process',
    assumption:
      'Numbers: 100 in progress, 200 succeeded, 415, 425, 450, 460, 470, 480, 500, 550 failed, each with a description.',
    origin: 'public contract',
    override: 'authentication-states',
    mentions: [7],
  },
  'export-states': {
    question: 'Which transitions does an export have, and with which codes does it fail?',
    clause: 'States and transitions > Export status codes',
    assumption: '100 to 200, 415, 420, 500 or 550; 200 to 210 when the package expires.',
    origin: 'public contract',
    override: 'export-states',
    mentions: [8],
  },
  'revocation-status': {
    question: 'Where is the status of a revocation, and which transitions does it have?',
    clause: 'States and transitions > Permission revocation operation',
    assumption:
      'GET /operations/{referenceNumber}, as for any other operation: 100 to 200 or to a failure.',
    origin: 'public contract',
    override: 'revocation-status',
    mentions: [9, 17],
  },
  'session-states': {
    question: 'Which states and transitions does a session have?',
    clause: 'States and transitions > Sessions and invoices',
    assumption:
      'Interactive 100, 170, then 200, 415, 440 or 445; batch 100, 150, then 200 or a failure; an interactive session closes automatically after 12 hours.',
    origin: 'public contract',
    override: 'session-states',
    mentions: [10],
  },
  'invoice-states': {
    question:
      'Which states and transitions does an invoice have, and with which code does each verification fail?',
    clause: 'States and transitions > Sessions and invoices',
    assumption:
      '100, 150, then 200, 405, 410, 415, 430 (file), 435 (decryption), 440 (duplicate), 450 (content), 500 or 550.',
    origin: 'public contract',
    override: 'invoice-states',
    mentions: [10],
  },
  'context-identifier': {
    question: 'Which fields does contextIdentifier have?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption: 'type (Nip, InternalId, NipVatUe) and value.',
    origin: 'public contract',
    override: 'context-identifier',
    mentions: [11],
  },
  'refresh-token-as-bearer': {
    question: 'How is the refresh token sent, and what is returned?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption:
      'As the bearer, without a body; the response is { accessToken: { token, validUntil } }, and the refresh token does not change.',
    origin: 'public contract',
    override: 'refresh-token-as-bearer',
    mentions: [12],
  },
  'further-operations': {
    question: 'Which operations does the service have beyond those described?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption:
      'A public list of Peppol providers; collective identifiers of up to 500 invoices of one seller, an invoice in at most 132 per context; the forms PEF, PEF_KOR and FA_RR. Only where the dialect has them.',
    origin: 'public contract',
    override: 'further-operations',
  },
  'batch-package': {
    question:
      'How is a batch session opened, uploaded and closed, and what are the limits of a package?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption:
      'The request contains batchFile with the sizes and hashes of at most 50 parts; the response has a signed URL for each part; the client uploads each encrypted part by PUT; POST .../close starts the processing. Maximum 5 GB per package, 100 MB per part before encryption, 20 minutes per part.',
    origin: 'public contract',
    override: 'batch-package',
    mentions: [13],
  },
  'receipt-paths': {
    question: 'What are the paths of receipts?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption:
      '/sessions/{referenceNumber}/upo/{upoReferenceNumber} for a session, page by page, and .../invoices/{reference}/upo, .../invoices/svc/{svcNumber}/upo for an invoice.',
    origin: 'public contract',
    override: 'receipt-paths',
    mentions: [14],
  },
  'export-body': {
    question: 'What does an export request contain, and how is a finished export downloaded?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption:
      'Key fields as for a session, filters as for the metadata query, onlyMetadata, compressionType; the status lists the parts with signed URLs, sizes and hashes before and after encryption.',
    origin: 'public contract',
    override: 'export-body',
    mentions: [15],
  },
  'general-query': {
    question: 'What does the general query accept and return?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption: 'The same as the metadata query.',
    origin: 'inference',
    override: 'general-query',
    mentions: [18],
  },
  'metadata-answer': {
    question: 'What does the metadata query return, and how is it paged?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption:
      'hasMore, isTruncated (after 10,000 records), permanentStorageHwmDate, invoices; pageOffset counts pages, sortOrder by the chosen date.',
    origin: 'public contract',
    override: 'metadata-answer',
    mentions: [18],
  },
  'query-filters': {
    question: 'Which further filters does the metadata query accept?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption:
      'svcNumber, invoiceNumber, amount, sellerNip, buyerIdentifier, currencyCodes, invoicingMode, isSelfInvoicing, formType, invoiceTypes, hasAttachment.',
    origin: 'public contract',
    override: 'query-filters',
    mentions: [18],
  },
  'limit-simulation': {
    question: 'What are the paths of the limit simulation?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption:
      '/testdata/limits/context/session, /testdata/limits/subject/certificate, /testdata/rate-limits and its /production; GET /rate-limits returns the limits in force. The rates use the names of the rate table.',
    origin: 'public contract',
    override: 'limit-simulation',
    mentions: [19],
  },
  'certificate-module': {
    question:
      'What are the paths of the certificate module, and which steps lead to a certificate?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption:
      'Below /certificates: limits, enrollments/data, enrollments, retrieve, revoke, query; an application goes from 100 to 200 or a failure.',
    origin: 'public contract',
    override: 'certificate-module',
    mentions: [19],
  },
  'testdata-paths': {
    question: 'What are the paths of the test-data operations?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption:
      'Below /testdata: subject, person, permissions, attachment, context and the operations that undo them; the public ones accept no bearer. A second creation is rejected; a role begins on the createdDate of its entity.',
    origin: 'public contract',
    override: 'testdata-paths',
    mentions: [19],
  },
  'permission-matrix': {
    question: 'Which permissions does each operation accept?',
    clause: 'Authentication',
    assumption: 'Those in the operation table; any one of them is sufficient.',
    origin: 'public contract',
    override: 'permission-matrix',
    mentions: [21],
  },
  'authentication-token-lifetime': {
    question: 'How long is an authentication token valid?',
    clause: 'Authentication',
    assumption: '45 minutes.',
    origin: 'public contract',
    override: 'authentication-token-lifetime',
    mentions: [22],
  },
  events: {
    question: 'Does the service push events?',
    clause: 'Events',
    assumption: 'No; clients poll for outcomes.',
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
    assumption: 'The status code of an invoice, in a response with status 200.',
    origin: 'public contract',
    override: 'code-440',
    mentions: [25],
  },
  'code-21182': {
    question: 'Is 21182 an HTTP status or a code in a body?',
    clause: 'Errors',
    assumption: 'A code in the body of a response with status 400.',
    origin: 'public contract',
    override: 'code-21182',
    mentions: [25],
  },
  'error-codes': {
    question: 'Which error codes are there, and which status applies to which error?',
    clause: 'Errors',
    assumption:
      'The codes in the table of refusals; 400 for malformed input, 404 with a code for an unknown resource, 401 for a wrong bearer, 403 for an expired access token or a missing permission.',
    origin: 'public contract',
    override: 'error-codes',
    mentions: [26],
  },
  'rate-limit-headers': {
    question: 'Which headers report rate limits besides Retry-After?',
    clause: 'Limits > Rate limits',
    assumption: 'None.',
    origin: 'public contract',
    override: 'rate-limit-headers',
    mentions: [27],
  },
  'night-limits': {
    question: 'Which limits apply at night?',
    clause: 'Limits > Rate limits',
    assumption: 'The same as during the day.',
    origin: 'inference',
    override: 'night-limits',
    mentions: [28],
  },
  'limits-bodies': {
    question: 'What do the two limits operations return?',
    clause: 'Limits > Rate limits',
    assumption:
      'Context: onlineSession and batchSession, each with maxInvoiceSizeInMB (a million bytes), maxInvoiceWithAttachmentSizeInMB, maxInvoices. Subject: enrollment.maxEnrollments and certificate.maxCertificates; 300 and 100 for a NIP, 12 and 6 for a person.',
    origin: 'public contract',
    override: 'limits-bodies',
    mentions: [29],
  },
  'export-lifetime': {
    question: 'How long is an export available?',
    clause: 'Limits > Rate limits',
    assumption:
      'The package for 24 hours, a link for one hour (each status request returns a fresh one), the status for 7 days.',
    origin: 'inference',
    override: 'export-lifetime',
    mentions: [30],
  },
  'future-versions': {
    question: 'When will further major versions be released?',
    clause: 'Versioning',
    assumption: 'Unknown; v3 does not exist.',
    origin: 'inference',
    override: 'future-versions',
    mentions: [31],
  },
  'health-public': {
    question: 'Does the health check require credentials?',
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
  'description-page': {
    question: 'Where do people read the description, and what does that page show?',
    clause: 'Versioning',
    assumption:
      'On a page outside the service, drawn from the JSON description; only the latter is checked.',
    origin: 'inference',
    override: 'description-page',
  },
  'environment-dates': {
    question: 'What does an environment answer before the month in which it becomes available?',
    clause: 'What the service does',
    assumption:
      'Nothing: a host that does not exist yet cannot be asked, so that only the first day of the listed keys is checked.',
    origin: 'inference',
    override: 'environment-dates',
  },
  'qualified-certificates': {
    question: 'By which issuers and fields does the service recognise a qualified certificate?',
    clause: 'Resources and their fields > Authentication request document (AuthTokenRequest, XML)',
    assumption:
      'By a chain to a trust service provider; a seal is one of an organization. Checks sign with certificates that they generate, which stand for both where the service accepts them: acceptance of a real signature or seal is not verifiable.',
    origin: 'inference',
    override: 'qualified-certificates',
  },
  'certificate-subject': {
    question: 'In which attributes, and in which forms, does a certificate name its subject?',
    clause: 'Resources and their fields > Authentication request document (AuthTokenRequest, XML)',
    assumption:
      'A person in serialNumber: 11 digits of a PESEL behind PNOPL or PESEL, or 10 of a NIP behind TINPL or NIP; a seal, which has neither given name nor surname, in organizationIdentifier: 10 digits of a NIP behind VATPL. A hyphen, any other separator or none lies between. Anything else is no identifier.',
    origin: 'public contract',
    override: 'certificate-subject',
  },
  'context-value-form': {
    question: 'What is the format of context values?',
    clause: 'Resources and their fields > Authentication request document (AuthTokenRequest, XML)',
    assumption:
      'A NIP has ten digits; an InternalId a NIP, a hyphen and five digits; a NipVatUe a NIP, a hyphen and a VAT number of its country. Check digits are not verified here.',
    origin: 'public contract',
    override: 'context-value-form',
  },
  'token-pair-form': {
    question:
      'Is the refresh token in the response a string, or an object with token and validUntil?',
    clause: 'Resources and their fields > Token pair (response of redeem)',
    assumption: 'An object, like the access token; a plain string is accepted as well.',
    origin: 'public contract',
    override: 'token-pair-form',
  },
  'access-token-lifetime': {
    question: 'How long is "a dozen or so minutes"?',
    clause: 'Resources and their fields > Token pair (response of redeem)',
    assumption: '15 minutes; 11 to 20 are accepted.',
    origin: 'public contract',
    override: 'access-token-lifetime',
  },
  'token-timestamp': {
    question:
      'How far may the timestamp in the encrypted token differ from the time of the service?',
    clause: 'Endpoints > Authentication and security',
    assumption: 'Ten minutes in either direction; the timestamp of the challenge is accepted.',
    origin: 'inference',
    override: 'token-timestamp',
  },
  'service-tokens': {
    question: 'How are service tokens created, listed and revoked, and when do they expire?',
    clause: 'Resources and their fields > Service token (credential)',
    assumption:
      'By POST, GET and DELETE on /tokens, listed newest first; a token becomes active shortly after its creation, and stops working when it is revoked, 180 days after its creation (the specification states a limited validity without a number), or at the end of 2026, whichever comes first. Its record contains no expiry. In the public contract only a revocation ends a token, and the logins of a revoked token cannot be refreshed. Its format is reference|context|64 hexadecimal digits.',
    origin: 'public contract',
    override: 'service-tokens',
  },
  'login-sessions': {
    question: 'Can logins be listed and ended?',
    clause: 'Authentication',
    assumption:
      'At /auth/sessions, newest first; ending a login invalidates its refresh token, while its access tokens remain valid until they expire.',
    origin: 'public contract',
    override: 'login-sessions',
  },
  'address-policy': {
    question: 'Can a login be restricted to source addresses?',
    clause: 'Authentication',
    assumption: 'With authorizationPolicy.allowedIps, enforced on every use of the tokens.',
    origin: 'public contract',
    override: 'address-policy',
  },
  'redeem-once': {
    question: 'Can an authentication be redeemed twice?',
    clause: 'States and transitions > Authentication process',
    assumption: 'No; the second attempt returns 400 with code 21301.',
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
    question:
      'How does a caller name the public key that it used, and what happens with a withdrawn one?',
    clause: 'Authentication',
    assumption:
      'With publicKeyId, the SHA-256 of the key; an unknown or withdrawn key returns 21470. Without it the service tries its current keys.',
    origin: 'public contract',
    override: 'key-rotation',
  },
  'session-key-check': {
    question: 'Does the service reject an invalid key when the session opens, or later?',
    clause: 'Resources and their fields > Session (interactive or batch)',
    assumption: 'When the session opens, with 21405; a target may also end the session with 415.',
    origin: 'inference',
    override: 'session-key-check',
  },
  'form-code-form': {
    question: 'Which formats of the form code are accepted?',
    clause: 'Resources and their fields > Session (interactive or batch)',
    assumption: 'An object with systemCode, schemaVersion and value, or a label such as FA (3).',
    origin: 'specification example',
    override: 'form-code-form',
  },
  'uniqueness-end': {
    question: 'When exactly do ten full years end?',
    clause: 'Resources and their fields > Invoice submission (interactive session)',
    assumption: 'On the last day of the tenth calendar year after the year of issue.',
    origin: 'public contract',
    override: 'uniqueness-end',
  },
  'oversize-code': {
    question: 'How is an oversized invoice rejected?',
    clause: 'Limits > Sizes and counts',
    assumption: 'Its status reports 430.',
    origin: 'inference',
    override: 'oversize-code',
  },
  attachments: {
    question: 'Where are attachments permitted, and who consents to them?',
    clause: 'Limits > Sizes and counts',
    assumption:
      'In batch sessions only (except for a technical correction), after the seller has consented.',
    origin: 'public contract',
    override: 'attachments',
  },
  'invoice-mode': {
    question: 'When does an invoice count as issued offline, and where is that reported?',
    clause: 'Resources and their fields > Invoice submission (interactive session)',
    assumption:
      'If offlineMode is set when it is sent or when its batch session is opened, or if its issue date lies before the day it is sent (in a batch: the day the session opens) in Europe/Warsaw; reported as invoicingMode and in the receipt.',
    origin: 'public contract',
    override: 'invoice-mode',
  },
  'technical-correction': {
    question: 'Can a rejected offline invoice be corrected technically?',
    clause: 'Resources and their fields > Invoice submission (interactive session)',
    assumption:
      'Yes, in an interactive session with offlineMode and hashOfCorrectedInvoice; otherwise 21166 or 21167.',
    origin: 'public contract',
    override: 'technical-correction',
  },
  'plain-send': {
    question: 'How is the alternative way of sending compatible with mandatory encryption?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption: 'It accepts plain XML over TLS.',
    origin: 'inference',
    override: 'plain-send',
  },
  'invoice-id': {
    question: 'What is the invoiceId of the status operation?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption: 'The reference number that the submission returned, or a service number.',
    origin: 'inference',
    override: 'invoice-id',
  },
  'document-hash': {
    question: 'Does a response with a document include the hash of the document?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption:
      'Yes, in the header x-ms-meta-hash as SHA-256 in Base64, for invoices, receipts and parts of an export.',
    origin: 'public contract',
    override: 'document-hash',
  },
  'invoice-number-lookup': {
    question:
      'How is an invoice found by its own number, which is not unique and may contain a slash?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption:
      'By its URL-encoded number among the invoices that the caller can read; several matches are rejected as ambiguous.',
    origin: 'inference',
    override: 'invoice-number-lookup',
  },
  'acquisition-date': {
    question: 'What is the acquisition date?',
    clause: 'Resources and their fields > Query metadata request',
    assumption: 'The time at which the service assigned the number.',
    origin: 'public contract',
    override: 'acquisition-date',
  },
  'query-range': {
    question:
      'Which ranges may a query have, are its bounds inclusive, and how is a timestamp without an offset read?',
    clause: 'Resources and their fields > Query metadata request',
    assumption:
      'Up to three months, in UTC or in Warsaw time; both bounds are inclusive; a timestamp without an offset is Warsaw time; a missing end is the current time.',
    origin: 'public contract',
    override: 'query-range',
  },
  paging: {
    question: 'How are lists paged?',
    clause: 'Endpoints > Sessions',
    assumption:
      'pageSize sets the size; the header x-continuation-token with the token of the previous response requests the next page, whatever was added to the list since: an earlier row is neither left out nor repeated; any other token returns 21418.',
    origin: 'public contract',
    override: 'paging',
  },
  'receipt-link': {
    question: 'How long is a receipt link valid, and who may follow it?',
    clause: 'Resources and their fields > Invoice submission (interactive session)',
    assumption: 'Three days; with the access token of the seller or the buyer.',
    origin: 'specification example',
    override: 'receipt-link',
  },
  'receipt-signature': {
    question: 'Is a receipt signed?',
    clause: 'What the service does',
    assumption: 'Yes, by the service, with an enveloped XAdES signature over the whole document.',
    origin: 'public contract',
    override: 'receipt-signature',
  },
  'permission-grants': {
    question: 'How are permissions granted, and where does a client find the permissionId?',
    clause: 'Resources and their fields > Permission',
    assumption:
      'By POST below /permissions, asynchronously; once the operation has finished, the list of permissions contains the permissionId, and the permission works, with access tokens that were issued before too.',
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
  'trusted-profile': {
    question:
      'How does a signature with the Trusted Profile differ from others, and whom does it name?',
    clause: 'Resources and their fields > Authentication request document (AuthTokenRequest, XML)',
    assumption:
      'It is an XAdES signature like the others, and names a person by the PESEL in the certificate. Only its operator issues such certificates, so that no check can sign with one.',
    origin: 'inference',
    override: 'trusted-profile',
  },
  'credentials-module': {
    question:
      'Which verification of the identity comes before a service token is generated, and in which order is a token examined at sign-in?',
    clause: 'Resources and their fields > Service token (credential)',
    assumption:
      'A token is generated in an authenticated context, after a login of any kind. At sign-in every fault of a token is reported with the same code, so that the order shows from outside only where a blocked context, a deceased author or missing permissions have codes of their own.',
    origin: 'inference',
    override: 'credentials-module',
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
      'RSA (PKCS#1 v1.5 or PSS) with at least 2048 bits and ECDSA with curves of at least 256 bits, with SHA-256 or longer, including SHA-3; the ECDSA value is the concatenation of r and s. The contract does not specify whether DER or SHA-1 is accepted.',
    origin: 'public contract',
    override: 'signature-methods',
  },
  'revocation-refusals': {
    question: 'Does an impossible revocation fail immediately or in its operation?',
    clause: 'Errors',
    assumption:
      'Immediately with 404 for an unknown, revoked or inaccessible id; a target may also fail the operation.',
    origin: 'inference',
    override: 'revocation-refusals',
  },
  retention: {
    question: 'How long is a status available?',
    clause: 'States and transitions > Authentication process',
    assumption:
      'Authentications and exports 7 days, applications and operations 30 days, then 410; sessions and invoices permanently.',
    origin: 'public contract',
    override: 'retention',
  },
  'check-digits': {
    question: 'Where is the check digit of a NIP in an invoice enforced?',
    clause: 'What the service does',
    assumption: 'In production only, for every party; an invalid one results in 450.',
    origin: 'public contract',
    override: 'check-digits',
  },
  'export-hourly-limit': {
    question: 'Is there an hourly limit on exports besides the rate table?',
    clause: 'Limits > Sizes and counts',
    assumption: 'No; the four in the example are a recommendation.',
    origin: 'public contract',
    override: 'export-hourly-limit',
  },
  'alias-counting': {
    question: 'Do calls by another spelling of a path count against the limits of the main path?',
    clause: 'Limits > Rate limits',
    assumption: 'Yes; the limits are those of the operation, whatever its path.',
    origin: 'inference',
    override: 'alias-counting',
  },
  'first-block': {
    question: 'How long does the first violation of a rate limit block?',
    clause: 'Limits > Rate limits',
    assumption: 'Until the exceeded window has room again, rounded up to whole seconds.',
    origin: 'inference',
    override: 'first-block',
  },
  'search-order': {
    question: 'In which order does the metadata query return its matches?',
    clause: 'Endpoints > Invoices, operations and others',
    assumption: 'By the kind of date that the query names, ascending unless it asks otherwise.',
    origin: 'public contract',
    override: 'search-order',
  },
  'number-comparison': {
    question: 'Do two invoice numbers differ that differ in letter case alone?',
    clause: 'Resources and their fields > Invoice submission (interactive session)',
    assumption: 'Yes; numbers are compared character by character.',
    origin: 'inference',
    override: 'number-comparison',
  },
  'session-kinds': {
    question: 'Does an operation of interactive sessions know batch sessions?',
    clause: 'Endpoints > Sessions',
    assumption: 'No; there a batch session is unknown.',
    origin: 'inference',
    override: 'session-kinds',
  },
  'unsafe-entries': {
    question: 'What becomes of a package with an unsafe entry among its files?',
    clause: 'Errors',
    assumption: 'The whole package fails.',
    origin: 'inference',
    override: 'unsafe-entries',
  },
  'schema-at-opening': {
    question: 'Which schema applies to an invoice whose session opened before the schema changed?',
    clause: 'Versioning',
    assumption: 'The one that was in force when the session opened.',
    origin: 'inference',
    override: 'schema-at-opening',
  },
  'null-fields': {
    question: 'May an optional field of a request be null?',
    clause: 'Endpoints',
    assumption:
      'Where the description of the service declares it nullable; it then counts as left out.',
    origin: 'public contract',
    override: 'null-fields',
  },
  'rate-window-boundary': {
    question: 'Is a rate window inclusive at its end, and do rejected calls count?',
    clause: 'Limits > Rate limits',
    assumption:
      'Exclusive: a call that is exactly as old as the window no longer counts; rejected calls do not count.',
    origin: 'inference',
    override: 'rate-window-boundary',
  },
} as const satisfies Record<string, Gap>

export type GapId = keyof typeof gaps

export const gapIds = Object.keys(gaps) as GapId[]

/** The row of a gap, in its general shape; undefined when there is none of that id. */
export const gap = (id: string): Gap | undefined => (gaps as Readonly<Record<string, Gap>>)[id]
