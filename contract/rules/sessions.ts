import type { Rule } from '../types.ts'

/** Interactive and batch sessions. */
export const sessions = {
  'sessions.online.opens': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence:
      'The service opens an interactive session for an encrypted key, an initialization vector and a form code, and returns its reference number.',
    clause: 'Endpoints > Sessions',
  },
  'sessions.online.bad-key-refused': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence:
      'The service rejects a session key or initialization vector of the wrong length, encoding or encryption.',
    clause: 'Resources and their fields > Session (interactive or batch)',
    touches: ['session-key-check'],
    variants: {
      'short key': 'a key of 16 bytes',
      'long key': 'a key of 33 bytes',
      'short iv': 'an initialization vector of 12 bytes',
      'long iv': 'an initialization vector of 17 bytes',
      'wrong certificate': 'encrypted with the key for service tokens',
      'oaep sha-1': 'OAEP with SHA-1',
      pkcs1: 'PKCS#1 v1.5',
      'not base64': 'a key that is not Base64',
      'iv not base64': 'an initialization vector that is not Base64',
      'not encrypted': 'a key in plain text',
    },
  },
  'sessions.online.bad-form-code-refused': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'The service rejects a form code that is not in force on the day the session opens.',
    clause: 'Errors',
    variants: {
      unknown: 'a form that does not exist',
      version: 'another version of the schema',
      value: 'another value',
      label: 'a label that does not exist',
      calendar: 'a form that is not in force',
    },
  },
  'sessions.online.form-code-forms': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence:
      'The service accepts the form code as an object of three fields or as a single label.',
    clause: 'Resources and their fields > Session (interactive or batch)',
    touches: ['form-code-form'],
    variants: {
      fields: 'an object of three fields',
      label: 'a single label',
      'label in force': { description: 'the label of each schema, in its time', needs: ['clock'] },
    },
  },
  'sessions.online.schema-calendar': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence:
      'The service accepts FA(2) through 31 January 2026 and FA(3) from 1 February 2026, each only in its own period.',
    clause: 'Versioning',
    needs: ['clock'],
    variants: {
      'fa2 last day': 'FA(2) is accepted on 31 January',
      'fa2 after': 'FA(2) is rejected on 1 February',
      'fa3 before': 'FA(3) is rejected on 31 January',
      'fa3 first day': 'FA(3) is accepted on 1 February',
      'document before the end': 'an FA(2) invoice is accepted on 31 January',
      'document after the end': 'an FA(2) invoice is rejected in a session for FA(3)',
      'over midnight': {
        description: 'an FA(2) invoice in a session that opened before midnight',
        assumes: ['schema-at-opening'],
      },
    },
  },
  'sessions.online.further-forms': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'The service opens sessions for PEF, PEF_KOR and FA_RR, those of PEF and PEF_KOR only interactively.',
    clause: 'Resources and their fields > Session (interactive or batch)',
    assumes: ['further-operations'],
    variants: {
      interactive: 'each form opens an interactive session',
      batch: 'FA_RR opens a batch session, PEF and PEF_KOR do not',
    },
  },
  'sessions.online.needs-permission': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'Without InvoiceWrite a caller can neither open a session nor submit an invoice.',
    clause: 'Resources and their fields > Permission',
    needs: ['testdata'],
    variants: {
      'without the permission': 'rejected',
      'with the permission': 'accepted',
    },
  },
  'sessions.online.close': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence:
      'Closing a session is final: the service accepts no further invoice and no second close.',
    clause: 'Endpoints > Sessions',
    ends: ['onlineSession'],
    variants: {
      closes: 'the session ends',
      'submission after close': 'rejected',
      'second close': 'rejected',
      unknown: 'an unknown reference is rejected',
      'batch session': { description: 'a batch session is rejected', assumes: ['session-kinds'] },
    },
  },
  'sessions.online.receipt-after-close': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'A closed session gets an aggregate receipt; an open session has none.',
    clause: 'Endpoints > Sessions',
    ends: ['onlineSession'],
    touches: ['receipt-paths'],
    variants: {
      'open session': 'no receipt while the session is open',
      'of each session': 'several sessions, closed in another order than they were opened in',
    },
  },
  'sessions.online.isolated': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence: 'A caller can neither see nor use a session of another context.',
    clause: 'Authentication',
    needs: ['second'],
    variants: {
      'through its own session': 'not even by a path below its own session',
      'searched by its number': 'not even in a list filtered by its reference number',
    },
  },
  'sessions.online.of-subject': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'Within a context, a session is visible to the subject that opened it and to callers with Introspection or EnforcementOperations, but not to callers with InvoiceWrite only.',
    clause: 'Authentication',
    needs: ['testdata'],
    assumes: ['session-status'],
    variants: {
      InvoiceWrite: 'does not see the session of another subject',
      'its opener': 'sees its invoices with InvoiceWrite only',
      Introspection: 'sees all sessions',
      EnforcementOperations: 'sees all sessions',
    },
  },
  'sessions.online.ten-thousand': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'A session accepts 10,000 invoices and rejects the next one.',
    clause: 'Limits > Sizes and counts',
    needs: ['bulk'],
    touches: ['session-status', 'invoice-status', 'receipt-paths'],
  },
  'sessions.online.side-by-side': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence: 'A context can use several sessions at the same time.',
    clause: 'Resources and their fields > Session (interactive or batch)',
  },
  'sessions.batch.opens': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'The service opens a batch session for a form code, an encrypted key and a package description, and returns the upload request for each part.',
    clause: 'Endpoints > Sessions',
    assumes: ['batch-package'],
    variants: { 'ten parts and more': 'an upload request for each of more than ten parts' },
  },
  'sessions.batch.bad-key-refused': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence:
      'The service rejects a batch session key or initialization vector of the wrong length, encoding or encryption.',
    clause: 'Resources and their fields > Session (interactive or batch)',
    touches: ['session-key-check'],
    variants: {
      'short key': 'a key of 16 bytes',
      'long key': 'a key of 33 bytes',
      'short iv': 'an initialization vector of 12 bytes',
      'long iv': 'an initialization vector of 17 bytes',
      'wrong certificate': 'encrypted with the key for service tokens',
      'oaep sha-1': 'OAEP with SHA-1',
      pkcs1: 'PKCS#1 v1.5',
      'not base64': 'a key that is not Base64',
      'iv not base64': 'an initialization vector that is not Base64',
      'not encrypted': 'a key in plain text',
    },
  },
  'sessions.batch.bad-form-code-refused': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence:
      'The service rejects a form code that is not in force on the day the batch session opens.',
    clause: 'Errors',
    needs: ['clock'],
    variants: {
      unknown: 'a form that does not exist',
      calendar: 'a form that is not in force',
    },
  },
  'sessions.batch.part-checked': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'The service accepts a part only at its upload address, with its method and headers, and with the declared size and hash.',
    clause: 'Limits > Rate limits',
    assumes: ['batch-package'],
    variants: {
      size: 'another size',
      hash: 'another hash',
      empty: 'no bytes',
      headers: 'without a required header',
      method: 'another method',
      address: 'a modified address',
      'key of another part': 'the address of another part',
    },
  },
  'sessions.batch.upload-unchecked': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'The upload takes any bytes for a part; what is wrong with them, or with the key, fails the close or the session, each with its own code.',
    clause: 'Limits > Rate limits',
    assumes: ['batch-package'],
    variants: {
      size: 'another size: the close is rejected',
      hash: 'another hash: the session fails as one that does not match its description',
      replaced: 'a part uploaded again replaces the earlier one',
      iv: 'another initialization vector: the session fails as one that cannot be unpacked',
      key: 'an unusable key: upload and close succeed, and the session fails with the code of the key',
      'cut after encryption':
        'a package encrypted before it was cut: the session fails as one that cannot be unpacked',
    },
  },
  'sessions.batch.close': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'Closing a batch session starts its processing once; a session with missing parts fails and reports why.',
    clause: 'Limits > Rate limits',
    ends: ['batchSession'],
    assumes: ['batch-package'],
    variants: {
      'complete package': 'every part was uploaded',
      'several parts': 'a package of several parts',
      'tar.gz': 'a compressed tar archive',
      'parts in reverse': 'the last part uploaded first',
      'starts processing': 'no processing before the close',
      'missing part': 'a part was not uploaded',
      'after the upload period': {
        description: 'a close after the upload period is over',
        needs: ['clock'],
      },
      'second close': 'rejected',
    },
  },
  'sessions.batch.errors-isolated': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'An invalid invoice in a package does not affect the other invoices.',
    clause: 'Errors',
    ends: ['batchSession'],
  },
  'sessions.batch.failed-list': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'The service lists the failed invoices of a session, each with a code and a description.',
    clause: 'Limits > Rate limits',
    assumes: ['session-status'],
    variants: {
      'more than a thousand': { description: 'more than the largest page holds', needs: ['bulk'] },
    },
  },
  'sessions.batch.ten-thousand': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence: 'A package can contain 10,000 invoices and no more.',
    clause: 'Limits > Sizes and counts',
    needs: ['bulk'],
    assumes: ['batch-package'],
    variants: {
      'at the limit': 'accepted',
      'above the limit': 'rejected',
    },
  },
  'sessions.batch.parts-unlimited': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'The upload of parts is not rate limited.',
    clause: 'Limits > Rate limits',
    variants: {
      'while openings are blocked': {
        description: 'not even while too many openings are being refused',
        needs: ['provoke'],
      },
    },
  },
  'sessions.batch.hostile-archive': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence: 'A damaged or malicious archive fails its own session and affects nothing else.',
    clause: 'Errors',
    ends: ['batchSession'],
    needs: ['hostile'],
    variants: {
      corrupt: 'damaged bytes',
      'not an archive': 'bytes that are not an archive',
      truncated: 'a truncated archive',
      traversal: {
        description: 'a file name with parent directories',
        assumes: ['unsafe-entries'],
      },
      nested: { description: 'an archive inside the archive', assumes: ['unsafe-entries'] },
      bomb: 'a small archive that expands enormously',
      empty: 'an archive without files',
    },
  },
  'sessions.batch.too-large-refused': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'The service rejects a package that exceeds the limits on parts or size when the session is opened.',
    clause: 'Limits > Sizes and counts',
    assumes: ['batch-package'],
    variants: {
      parts: 'too many parts',
      part: 'one part too large',
      package: 'the package too large',
      'at the limits': 'accepted with the maximum number of parts, each of the maximum size',
    },
  },
  'sessions.batch.duplicates': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence: 'The service finds duplicates within a package and among invoices accepted earlier.',
    clause: 'Resources and their fields > Invoice submission (interactive session)',
    variants: {
      'within the package': 'twice in one package',
      'accepted earlier': 'accepted earlier',
    },
  },
  'sessions.list.complete': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence:
      'The list of sessions contains every session of the context once, over all pages, and no others.',
    clause: 'Endpoints > Sessions',
    touches: ['paging'],
    variants: {
      filters: { description: 'every filter', assumes: ['paging'], needs: ['fresh'] },
      'foreign continuation token': 'a continuation token of another list is rejected',
    },
  },
  'sessions.invoices.complete': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence:
      "The list of a session's invoices contains every invoice once, with its status, over all pages.",
    clause: 'Endpoints > Sessions',
    touches: ['paging'],
    variants: {
      few: 'a few invoices over several pages',
      'of every outcome': 'accepted ones, and ones that are rejected for each reason',
      hundreds: {
        description: 'hundreds of accepted and of rejected ones, each accepted one with its number',
        needs: ['bulk'],
        assumes: ['invoice-status'],
      },
      'ten thousand': { description: 'a full session', needs: ['bulk'] },
    },
  },
  'sessions.status.counts': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'The successful and failed invoices never exceed the total, and add up to it at the end.',
    clause: 'Resources and their fields > Session (interactive or batch)',
    assumes: ['session-status'],
    variants: {
      'while processing': 'at every poll',
      hundreds: { description: 'hundreds of accepted and of rejected ones', needs: ['bulk'] },
    },
  },
  'sessions.status.counts-absent': {
    level: 'SHOULD',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'The status of a session has no number where nothing was counted: an interactive session leaves out a counter that is zero, a batch session that failed before its invoices were counted has null.',
    clause: 'Resources and their fields > Session (interactive or batch)',
    assumes: ['session-status'],
    variants: {
      interactive: 'left out while zero, present afterwards',
      batch: 'null after a failure before the count',
    },
  },
  'sessions.status.moves-forward': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence:
      'A session and an invoice change state along the documented transitions only, never backwards.',
    clause: 'States and transitions > Sessions and invoices',
    ends: ['onlineSession', 'batchSession'],
    touches: ['session-states', 'invoice-states'],
    variants: {
      session: 'an interactive session',
      'empty session': {
        description: 'a session without invoices',
        assumes: ['session-states'],
      },
      'no valid invoice': {
        description: 'a session with invalid invoices only',
        assumes: ['session-states'],
      },
      invoice: 'an invoice',
    },
  },
  'sessions.status.dates': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'A session reports when it was opened, last changed, and until when it is valid, in its status and in the list alike.',
    clause: 'Resources and their fields > Session (interactive or batch)',
    assumes: ['session-status', 'session-states'],
    variants: {
      opened: 'the start and the expiry, as returned when it was opened',
      changed: {
        description: 'later after each change of state, and unchanged in between',
        needs: ['clock'],
      },
      expiry: { description: 'the session closes itself at its expiry', needs: ['clock'] },
    },
  },
} as const satisfies Record<string, Rule>
