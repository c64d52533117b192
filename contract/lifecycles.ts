import type { Lifecycle, State } from './types.ts'

/**
 * States and legal transitions of asynchronous work. A code below 200 is never final.
 * Source: specification, States and transitions; gaps authentication-states, session-states, invoice-states,
 * export-states, operation-status, certificate-module, service-tokens.
 */

const failed = (code: number, name: string): State => ({
  code,
  name,
  terminal: true,
  outcome: 'failure',
  next: [],
})
const pending = (code: number, name: string, next: readonly number[]): State => ({
  code,
  name,
  terminal: false,
  outcome: 'pending',
  next,
})
const done = (code: number, name: string, next: readonly number[] = []): State => ({
  code,
  name,
  terminal: next.length === 0,
  outcome: 'success',
  next,
})

export const lifecycles: Readonly<Record<Lifecycle, readonly State[]>> = {
  authentication: [
    pending(100, 'in progress', [200, 415, 450, 460, 470, 480, 500, 550]),
    { ...done(200, 'succeeded'), next: [425] },
    failed(415, 'no permission in the context'),
    failed(425, 'revoked'),
    failed(450, 'token refused'),
    failed(460, 'certificate refused'),
    failed(470, 'subject deceased'),
    failed(480, 'blocked'),
    failed(500, 'unknown error'),
    failed(550, 'cancelled by the system'),
  ],
  onlineSession: [
    pending(100, 'open', [170, 415, 440]),
    pending(170, 'closed', [200, 440, 445]),
    done(200, 'processed'),
    failed(415, 'symmetric key refused'),
    failed(440, 'cancelled, no invoice was sent'),
    failed(445, 'no valid invoice'),
  ],
  batchSession: [
    pending(100, 'open for a package', [150, 415, 440]),
    pending(150, 'processing', [200, 405, 415, 420, 430, 435, 440, 445, 500]),
    done(200, 'package processed'),
    failed(405, 'package does not match its description'),
    failed(415, 'symmetric key refused'),
    failed(420, 'too many invoices'),
    failed(430, 'archive cannot be unpacked'),
    failed(435, 'parts cannot be decrypted'),
    failed(440, 'cancelled'),
    failed(445, 'no valid invoice'),
    failed(500, 'unknown error'),
  ],
  invoice: [
    pending(100, 'received', [150, 200, 405, 410, 415, 430, 435, 440, 450, 500, 550]),
    pending(150, 'processing', [200, 405, 410, 415, 430, 435, 440, 450, 500, 550]),
    done(200, 'accepted'),
    failed(405, 'cancelled because of its session'),
    failed(410, 'seller not allowed'),
    failed(415, 'attachment not allowed'),
    failed(430, 'file verification failed'),
    failed(435, 'decryption failed'),
    failed(440, 'duplicate'),
    failed(450, 'not valid'),
    failed(500, 'unknown error'),
    failed(550, 'cancelled by the system'),
  ],
  export: [
    pending(100, 'processing', [200, 415, 420, 500, 550]),
    done(200, 'ready', [210]),
    failed(210, 'expired'),
    failed(415, 'symmetric key refused'),
    failed(420, 'range outside the data'),
    failed(500, 'unknown error'),
    failed(550, 'cancelled by the system'),
  ],
  operation: [
    pending(100, 'in progress', [200, 400, 410, 420, 430, 440, 450, 500, 550]),
    done(200, 'finished'),
    failed(400, 'failed'),
    failed(410, 'identifiers do not match'),
    failed(420, 'right is lacking'),
    failed(430, 'context does not fit'),
    failed(440, 'not allowed for these identifiers'),
    failed(450, 'not allowed for this identifier'),
    failed(500, 'unknown error'),
    failed(550, 'cancelled by the system'),
  ],
  application: [
    pending(100, 'accepted for processing', [200, 400, 500, 550]),
    done(200, 'certificate issued'),
    failed(400, 'rejected'),
    failed(500, 'unknown error'),
    failed(550, 'cancelled by the system'),
  ],
  // These two report a word instead of a code; the codes below only order them.
  certificate: [
    done(100, 'Active', [110, 200]),
    pending(110, 'Blocked', [210]),
    failed(200, 'Expired'),
    failed(210, 'Revoked'),
  ],
  token: [
    pending(100, 'Pending', [110, 400]),
    done(110, 'Active', [120, 200]),
    pending(120, 'Revoking', [200]),
    failed(200, 'Revoked'),
    failed(400, 'Failed'),
  ],
}

/** The state of a lifecycle that has a code, or undefined when the contract knows none. */
export const stateOf = (lifecycle: Lifecycle, code: number): State | undefined =>
  lifecycles[lifecycle].find((state) => state.code === code)

/** The gap that the states of a lifecycle rest on: a target that does not confirm it may have other codes. */
export const assumptionOf = {
  authentication: 'authentication-states',
  onlineSession: 'session-states',
  batchSession: 'session-states',
  invoice: 'invoice-states',
  export: 'export-states',
  operation: 'operation-status',
  application: 'certificate-module',
  certificate: 'certificate-module',
  token: 'service-tokens',
} as const satisfies Record<Lifecycle, string>
