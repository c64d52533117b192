import type { Refusal } from './types.ts'

/**
 * Every refusal of the interface: one row each. Source: specification, Errors; the gaps named where it gives no number.
 * The reference answers the first status and the first code; a target may return any that the row lists.
 */
export const refusals = {
  // Of every operation
  'wrong-token': {
    when: 'the bearer is missing, malformed, forged or of the wrong kind',
    answer: { statuses: [401], codes: [401] },
    assumes: ['error-codes'],
    description: 'The bearer token is missing, invalid or of the wrong kind',
  },
  'rubbish-token': {
    when: 'the bearer is not a token of the service',
    answer: { statuses: [401, 403], codes: [401, 403] },
    assumes: ['error-codes'],
    description: 'The bearer token is not a token of this service',
  },
  'expired-token': {
    when: 'the access token has expired',
    answer: { statuses: [403, 401], codes: [403, 401] },
    assumes: ['error-codes'],
    description: 'The access token has expired',
  },
  'missing-permission': {
    when: 'the caller has none of the permissions that the operation accepts',
    answer: { statuses: [403], codes: [403] },
    assumes: ['error-codes'],
    description: 'None of the required permissions is held',
  },
  'address-not-allowed': {
    when: 'the source address is outside the address policy of the login',
    answer: { statuses: [403], codes: [403] },
    assumes: ['address-policy'],
    description: 'The address of the caller is not allowed',
  },
  'context-kind-not-allowed': {
    when: 'the operation is not available in this kind of context',
    answer: { statuses: [403], codes: [403] },
    assumes: ['permission-grants'],
    description: 'The operation is not available in this kind of context',
  },
  'unknown-path': {
    when: 'there is no operation with this path',
    answer: { statuses: [404], codes: [404] },
    assumes: ['error-codes'],
    description: 'No such resource',
  },
  'method-not-allowed': {
    when: 'the path does not support the method',
    answer: { statuses: [405, 404], codes: [405, 404] },
    assumes: ['error-codes'],
    description: 'The method is not allowed on this resource',
  },
  'media-type': {
    when: 'the operation does not accept the media type of the body',
    answer: { statuses: [415, 400], codes: [415, 21405, 21001, 400] },
    assumes: ['error-codes'],
    description: 'The media type of the body is not supported',
  },
  'body-too-large': {
    when: 'the body is longer than the operation accepts',
    answer: { statuses: [413, 400], codes: [413, 21405] },
    assumes: ['error-codes'],
    description: 'The body is too large',
  },
  'unreadable-body': {
    when: 'the body is not well-formed JSON',
    answer: { statuses: [400], codes: [21001, 21405] },
    assumes: ['error-codes'],
    description: 'The body cannot be read',
  },
  'invalid-input': {
    when: 'a field or parameter is missing, of the wrong type, too long or out of range',
    answer: { statuses: [400], codes: [21405, 21001] },
    assumes: ['error-codes'],
    description: 'The input is not valid',
  },
  'rate-limited': {
    when: 'a rate limit is exceeded',
    answer: { statuses: [429], codes: [429] },
    description: 'Too many requests',
  },
  'continuation-token-malformed': {
    when: 'the continuation token was not issued by the service for this list',
    answer: { statuses: [400], codes: [21418, 21405] },
    assumes: ['paging'],
    description: 'The continuation token is malformed',
  },
  'resource-gone': {
    when: 'the retention period of the status is over',
    answer: { statuses: [410, 404], codes: [410, 404] },
    assumes: ['retention'],
    description: 'The resource is no longer kept',
  },

  // Authentication
  'document-unreadable': {
    when: 'the document is not well-formed XML, or contains a DOCTYPE',
    answer: { statuses: [400], codes: [21001, 9101, 21401, 21405] },
    assumes: ['error-codes'],
    description: 'The document cannot be read',
  },
  'document-encoding': {
    when: 'the document is not UTF-8',
    answer: { statuses: [400], codes: [21217, 21001, 9101] },
    assumes: ['error-codes'],
    description: 'The document is not encoded in UTF-8',
  },
  'document-invalid': {
    when: 'the signed document is not a usable authentication request',
    answer: { statuses: [400], codes: [9101, 9105, 21401] },
    assumes: ['error-codes'],
    description: 'The document is not a usable authentication request',
  },
  'document-schema': {
    when: 'the document does not conform to its schema',
    answer: { statuses: [400], codes: [21401, 21405, 9101] },
    assumes: ['error-codes'],
    description: 'The document does not conform to the schema',
  },
  'signature-missing': {
    when: 'the document has no signature',
    answer: { statuses: [400], codes: [9102, 9101, 9105] },
    assumes: ['error-codes'],
    description: 'The document carries no signature',
  },
  'signature-not-single': {
    when: 'the document has more than one signature',
    answer: { statuses: [400], codes: [9103, 9105, 9101] },
    assumes: ['error-codes'],
    description: 'The document carries more than one signature',
  },
  'signature-invalid': {
    when: 'the signature does not verify, or its form or algorithms are not accepted',
    answer: { statuses: [400], codes: [9105, 9101, 9102, 9103, 21401] },
    state: { of: 'authentication', codes: [460] },
    assumes: ['error-codes'],
    description: 'The signature is not valid',
  },
  'challenge-invalid': {
    when: 'the challenge is unknown, expired or already used',
    answer: { statuses: [400], codes: [21111] },
    state: { of: 'authentication', codes: [450] },
    assumes: ['error-codes'],
    description: 'The challenge is not valid',
  },
  'certificate-without-identifier': {
    when: 'the subject of the certificate contains no supported identifier',
    answer: { statuses: [400], codes: [21115] },
    state: { of: 'authentication', codes: [460, 415] },
    assumes: ['error-codes'],
    description: 'The certificate has no recognized subject identifier',
  },
  'subject-context-mismatch': {
    when: 'the subject identifier type does not match the context or the certificate',
    answer: { statuses: [400], codes: [21117, 21406, 21405, 21401] },
    state: { of: 'authentication', codes: [415] },
    assumes: ['error-codes'],
    description: 'The subject identifier does not fit the context',
  },
  'certificate-refused': {
    when: 'the certificate is expired, not yet valid, revoked, or not trusted in this environment',
    answer: { statuses: [400], codes: [21115, 9105] },
    state: { of: 'authentication', codes: [460] },
    assumes: ['authentication-states'],
    description: 'The certificate is not accepted',
  },
  'subject-without-permission': {
    when: 'the subject has no permission in the context',
    state: { of: 'authentication', codes: [415] },
    answer: { statuses: [403], codes: [403] },
    assumes: ['authentication-states'],
    description: 'The subject has no permission in the context',
  },
  'token-refused': {
    when: 'the service token cannot be decrypted, or is malformed, stale, unknown, revoked, expired or valid in another context',
    state: { of: 'authentication', codes: [450] },
    answer: { statuses: [400], codes: [21405, 21301, 21001, 21111] },
    assumes: ['authentication-states', 'token-timestamp'],
    description: 'The service token is not accepted',
  },
  'context-blocked': {
    when: 'authentication in the context is blocked',
    state: { of: 'authentication', codes: [480] },
    assumes: ['authentication-states'],
    description: 'Authentication in the context is blocked',
  },
  'subject-deceased': {
    when: 'the credentials belong to a deceased person',
    state: { of: 'authentication', codes: [470] },
    assumes: ['authentication-states'],
    description: 'The credentials belong to a deceased person',
  },
  'authentication-unknown': {
    when: 'there is no authentication with this reference number',
    answer: { statuses: [404, 400], codes: [21304, 404] },
    assumes: ['error-codes'],
    description: 'No such authentication',
  },
  'redeem-refused': {
    when: 'the authentication has not succeeded, or was already redeemed',
    answer: { statuses: [400, 401, 403], codes: [21301, 401, 403] },
    assumes: ['redeem-once'],
    description: 'The authentication cannot be redeemed',
  },
  'deceased-since-login': {
    when: 'the person has died since the login',
    answer: { statuses: [400, 401, 403], codes: [21308, 401, 403] },
    assumes: ['error-codes'],
    description: 'The login belongs to a deceased person',
  },
  'expired-authentication-token': {
    when: 'the authentication token has expired',
    answer: { statuses: [401, 403, 400], codes: [401, 403, 21301] },
    assumes: ['error-codes'],
    description: 'The authentication token has expired',
  },
  'refresh-refused': {
    when: 'the refresh token has expired, or its login was ended',
    answer: { statuses: [401, 403, 400], codes: [401, 403, 21301] },
    assumes: ['refresh-token-as-bearer'],
    description: 'The refresh token is not accepted',
  },
  'public-key-unknown': {
    when: 'the named public key is unknown or withdrawn',
    answer: { statuses: [400], codes: [21470] },
    assumes: ['key-rotation'],
    description: 'The public key is unknown or withdrawn',
  },

  // Service tokens
  'token-unknown': {
    when: 'the context has no service token with this reference number',
    answer: { statuses: [404, 400], codes: [404, 21405] },
    assumes: ['service-tokens'],
    description: 'No such service token',
  },
  'token-permissions-lacking': {
    when: 'the token would have permissions that the caller does not have',
    answer: { statuses: [400], codes: [26001] },
    assumes: ['service-tokens'],
    description: 'A token may not carry permissions that the caller lacks',
  },
  'token-context-unfit': {
    when: 'tokens cannot be created in this kind of context',
    answer: { statuses: [400], codes: [26002] },
    assumes: ['service-tokens'],
    description: 'A token cannot be created in this kind of context',
  },

  // Sessions
  'session-unknown': {
    when: 'the context has no session with this reference number',
    answer: { statuses: [404, 400, 403], codes: [21173, 404, 403] },
    assumes: ['error-codes'],
    description: 'No such session',
  },
  'session-state-forbids': {
    when: 'the state of the session does not allow the operation',
    answer: { statuses: [400, 409], codes: [21180] },
    assumes: ['session-states'],
    description: 'The state of the session does not allow the operation',
  },
  'session-key-refused': {
    when: 'the encrypted key or the initialization vector has the wrong length or cannot be decoded or decrypted',
    answer: { statuses: [400], codes: [21405, 415, 21001] },
    state: { of: 'onlineSession', codes: [415] },
    assumes: ['session-key-check'],
    description: 'The symmetric key or the initialization vector is not accepted',
  },
  'form-code-refused': {
    when: 'the form code is unknown, or not in force on that day',
    answer: { statuses: [400], codes: [21405] },
    assumes: ['error-codes', 'form-code-form'],
    description: 'The form code is not accepted',
  },
  'session-full': {
    when: 'the session has reached its maximum number of invoices',
    answer: { statuses: [400], codes: [21155] },
    state: { of: 'batchSession', codes: [420] },
    assumes: ['error-codes'],
    description: 'The session already has the maximum number of invoices',
  },
  'part-size-wrong': {
    when: 'a part exceeds the maximum size, or does not have the declared size',
    answer: { statuses: [400], codes: [21157, 21405] },
    state: { of: 'batchSession', codes: [405] },
    assumes: ['batch-package'],
    description: 'The size of a part is wrong',
  },
  'too-many-parts': {
    when: 'the package exceeds the maximum number of parts',
    answer: { statuses: [400], codes: [21161, 21405] },
    assumes: ['batch-package'],
    description: 'The package has too many parts',
  },
  'package-too-large': {
    when: 'the package exceeds the maximum size',
    answer: { statuses: [400], codes: [21405] },
    assumes: ['batch-package'],
    description: 'The package is too large',
  },
  'part-refused': {
    when: 'an uploaded part does not match its description',
    answer: { statuses: [400, 401, 403], codes: [21157, 21405, 400, 401, 403] },
    state: { of: 'batchSession', codes: [405] },
    assumes: ['batch-package'],
    description: 'The part does not match its declaration',
  },
  'part-missing': {
    when: 'the session is closed before every part was uploaded',
    answer: { statuses: [400], codes: [21205, 21157] },
    state: { of: 'batchSession', codes: [405, 440] },
    assumes: ['batch-package'],
    description: 'Not every part was uploaded',
  },
  'upload-time-exceeded': {
    when: 'the upload period is over',
    answer: { statuses: [400], codes: [21208, 21180] },
    state: { of: 'batchSession', codes: [440] },
    assumes: ['batch-package'],
    description: 'The time for the upload has expired',
  },
  'package-hash-mismatch': {
    when: 'the package or a part does not match its declared hash or size',
    state: { of: 'batchSession', codes: [405] },
    assumes: ['batch-package'],
    description: 'The package does not match its description',
  },
  'package-undecryptable': {
    when: 'a part cannot be decrypted',
    state: { of: 'batchSession', codes: [435, 415] },
    assumes: ['batch-package'],
    description: 'A part cannot be decrypted',
  },
  'archive-refused': {
    when: 'the archive is damaged, empty, malicious or of an unsupported type',
    state: { of: 'batchSession', codes: [430, 405, 440, 445] },
    assumes: ['batch-package'],
    description: 'The archive cannot be unpacked',
  },
  'link-refused': {
    when: 'the signed URL was modified or is unknown',
    answer: { statuses: [403, 401, 404], codes: [403, 401, 404] },
    assumes: ['batch-package'],
    description: 'The address is not valid',
  },
  'link-expired': {
    when: 'the signed URL has expired',
    answer: { statuses: [403, 401, 404, 410], codes: [403, 401, 404, 410] },
    assumes: ['receipt-link'],
    description: 'The address has expired',
  },

  // Invoices
  'content-not-base64': {
    when: 'the encrypted content is not Base64, or contains line breaks',
    answer: { statuses: [400], codes: [21405, 21001] },
    state: { of: 'invoice', codes: [435] },
    assumes: ['error-codes'],
    description: 'The content is not Base64 without line breaks',
  },
  'encrypted-size-mismatch': {
    when: 'the encrypted content does not have the declared size',
    answer: { statuses: [400], codes: [21402] },
    state: { of: 'invoice', codes: [430, 435] },
    assumes: ['invoice-states'],
    description: 'The size of the encrypted content does not match',
  },
  'encrypted-hash-mismatch': {
    when: 'the encrypted content does not match the declared hash',
    answer: { statuses: [400], codes: [21403] },
    state: { of: 'invoice', codes: [430, 435] },
    assumes: ['invoice-states'],
    description: 'The hash of the encrypted content does not match',
  },
  'invoice-hash-mismatch': {
    when: 'the invoice does not match the declared hash',
    state: { of: 'invoice', codes: [430] },
    assumes: ['invoice-states'],
    description: 'The hash of the invoice does not match',
  },
  'invoice-size-mismatch': {
    when: 'the invoice does not have the declared size',
    state: { of: 'invoice', codes: [430] },
    assumes: ['invoice-states'],
    description: 'The size of the invoice does not match',
  },
  'invoice-too-large': {
    when: 'the invoice is larger than the limit',
    answer: { statuses: [400, 413], codes: [21405, 413] },
    state: { of: 'invoice', codes: [430, 450] },
    assumes: ['invoice-states', 'oversize-code'],
    description: 'The invoice is larger than allowed',
  },
  'invoice-undecryptable': {
    when: 'the content cannot be decrypted with the key and initialization vector of the session',
    state: { of: 'invoice', codes: [435, 430] },
    assumes: ['invoice-states'],
    description: 'The invoice cannot be decrypted',
  },
  'invoice-invalid': {
    when: 'the invoice is not well-formed, or violates its schema or a rule on its content',
    state: { of: 'invoice', codes: [450] },
    answer: { statuses: [400], codes: [450, 21405] },
    assumes: ['invoice-states'],
    description: 'The invoice is not valid',
  },
  'invoice-encoding': {
    when: 'the invoice is not UTF-8 without a byte order mark',
    state: { of: 'invoice', codes: [450, 430] },
    assumes: ['invoice-states'],
    description: 'The invoice is not UTF-8 without BOM',
  },
  'duplicate-invoice': {
    when: 'an invoice with the same seller NIP, kind and number was already accepted',
    state: { of: 'invoice', codes: [440] },
    answer: { statuses: [440, 409, 400], codes: [440] },
    assumes: ['code-440'],
    description: 'The invoice is a duplicate',
  },
  'seller-not-allowed': {
    when: 'the context may not issue invoices for the seller, or the seller has not consented to attachments',
    state: { of: 'invoice', codes: [410] },
    assumes: ['invoice-states'],
    description: 'The context may not issue for this seller',
  },
  'attachment-not-allowed': {
    when: 'the invoice contains an attachment and was not sent in a batch',
    state: { of: 'invoice', codes: [415, 410] },
    assumes: ['attachments'],
    description: 'The attachment is not allowed',
  },
  'invoice-unknown': {
    when: 'the caller can see no invoice with this number',
    answer: { statuses: [404, 400, 403], codes: [21164, 404, 403] },
    assumes: ['error-codes'],
    description: 'No such invoice',
  },
  'invoice-number-ambiguous': {
    when: 'the caller can see several invoices with this number',
    answer: { statuses: [409, 400], codes: [409, 400] },
    assumes: ['invoice-number-lookup'],
    description: 'Several invoices have this number',
  },
  'invoice-not-yet-stored': {
    when: 'the invoice has a service number but cannot be retrieved yet',
    answer: { statuses: [400, 404], codes: [21165] },
    assumes: ['error-codes'],
    description: 'The invoice is not yet available',
  },
  'correction-unavailable': {
    when: 'the invoice to correct already has an accepted technical correction',
    answer: { statuses: [400], codes: [21166] },
    assumes: ['technical-correction'],
    description: 'The invoice was already corrected',
  },
  'correction-forbidden': {
    when: 'the invoice to correct was accepted',
    answer: { statuses: [400], codes: [21167] },
    assumes: ['technical-correction'],
    description: 'The state of the invoice does not allow a technical correction',
  },

  'invoice-not-collectable': {
    when: 'an invoice is unknown to the caller, repeated, or of another seller than the others',
    answer: { statuses: [400], codes: [71001] },
    assumes: ['further-operations'],
    description: 'The invoice cannot join a collective identifier',
  },
  'collective-unknown': {
    when: 'the caller can see no such collective identifier, or no such invoice',
    answer: { statuses: [400], codes: [21405] },
    assumes: ['further-operations'],
    description: 'No such collective identifier',
  },
  'collectives-exhausted': {
    when: 'an invoice has the maximum number of collective identifiers',
    answer: { statuses: [400], codes: [71002] },
    assumes: ['further-operations'],
    description: 'The invoice is already in the maximum number of collective identifiers',
  },

  // Receipts, queries, exports, operations
  'receipt-unknown': {
    when: 'the caller can read no such receipt',
    answer: { statuses: [404, 400, 403], codes: [21178, 404, 403] },
    assumes: ['receipt-paths'],
    description: 'No such receipt',
  },
  'query-outside-data': {
    when: 'the range starts after the high-water mark',
    answer: { statuses: [400], codes: [21183] },
    assumes: ['metadata-answer'],
    description: 'The range lies outside the available data',
  },
  'exports-running': {
    when: 'the maximum number of concurrent exports is reached',
    answer: { statuses: [400, 429], codes: [21182] },
    assumes: ['code-21182'],
    description: 'The limit of running exports is reached',
  },
  'export-unknown': {
    when: 'the context has no export with this reference number',
    answer: { statuses: [404, 400, 403], codes: [21175, 404, 403] },
    assumes: ['error-codes'],
    description: 'No such export',
  },
  'operation-unknown': {
    when: 'the context has no operation with this reference number',
    answer: { statuses: [404, 400, 403], codes: [404, 21405, 403] },
    assumes: ['operation-status'],
    description: 'No such operation',
  },

  // Permissions
  'permission-unknown': {
    when: 'there is no permission with this id',
    answer: { statuses: [404, 400], codes: [404, 21405] },
    state: { of: 'operation', codes: [400, 410] },
    assumes: ['revocation-refusals'],
    description: 'No such permission',
  },
  'permission-already-revoked': {
    when: 'the permission was already revoked',
    answer: { statuses: [404, 400, 409], codes: [404, 21405, 409] },
    state: { of: 'operation', codes: [400, 410] },
    assumes: ['revocation-refusals'],
    description: 'The permission was already revoked',
  },
  'permission-no-access': {
    when: 'the permission belongs to another context',
    answer: { statuses: [404, 403, 400], codes: [404, 403, 21405] },
    state: { of: 'operation', codes: [420, 410, 400] },
    assumes: ['revocation-refusals'],
    description: 'No access to the permission',
  },
  'grant-refused': {
    when: 'the permission cannot be granted to this subject in this context',
    state: { of: 'operation', codes: [410, 420, 430, 440, 450, 400] },
    assumes: ['permission-grants'],
    description: 'The permission cannot be granted',
  },

  // Certificates
  'enrollment-method-unfit': {
    when: 'the caller authenticated by a method that does not permit a certificate application',
    answer: { statuses: [400, 403], codes: [25002, 25001, 403] },
    assumes: ['certificate-module'],
    description: 'This kind of authentication does not allow an application for a certificate',
  },
  'enrollment-data-differ': {
    when: 'the subject of the request differs from the attributes of the caller',
    answer: { statuses: [400], codes: [25003] },
    assumes: ['certificate-module'],
    description: 'The subject of the request differs from the data of the caller',
  },
  'csr-malformed': {
    when: 'the certificate request cannot be parsed, or its signature is invalid',
    answer: { statuses: [400], codes: [25004] },
    assumes: ['certificate-module'],
    description: 'The certificate request is malformed',
  },
  'csr-key-refused': {
    when: 'the key of the request has an unsupported type or length',
    answer: { statuses: [400], codes: [25010] },
    assumes: ['certificate-module'],
    description: 'The key of the request is not allowed',
  },
  'csr-algorithm-refused': {
    when: 'the signature algorithm of the request is not supported',
    answer: { statuses: [400], codes: [25011] },
    assumes: ['certificate-module'],
    description: 'The signature algorithm of the request is not allowed',
  },
  'enrollment-limit': {
    when: 'the maximum number of applications is reached',
    answer: { statuses: [400], codes: [25006] },
    assumes: ['certificate-module'],
    description: 'The limit of applications is reached',
  },
  'certificate-limit': {
    when: 'the maximum number of active certificates is reached',
    answer: { statuses: [400], codes: [25007] },
    state: { of: 'application', codes: [400] },
    assumes: ['certificate-module'],
    description: 'The limit of certificates is reached',
  },
  'enrollment-unknown': {
    when: 'the subject has no application with this reference number',
    answer: { statuses: [404, 400], codes: [25005, 404] },
    assumes: ['certificate-module'],
    description: 'No such application',
  },
  'certificate-unknown': {
    when: 'the subject has no certificate with this serial number',
    answer: { statuses: [404, 400], codes: [25008, 404] },
    assumes: ['certificate-module'],
    description: 'No such certificate',
  },
  'certificate-not-revocable': {
    when: 'the certificate is not active',
    answer: { statuses: [400], codes: [25009] },
    assumes: ['certificate-module'],
    description: 'The certificate cannot be revoked',
  },

  // Test data
  'testdata-exists': {
    when: 'the subject or permission already exists',
    answer: { statuses: [400, 409], codes: [30001] },
    assumes: ['testdata-paths'],
    description: 'The subject already exists',
  },
} as const satisfies Record<string, Refusal>

export type RefusalId = keyof typeof refusals

/** The row of a refusal, in its general shape. */
export const refusal = (id: RefusalId): Refusal => refusals[id]
