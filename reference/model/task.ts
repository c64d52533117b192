import type { Instant } from '../base/instants.ts'

/**
 * Asynchronous work as data: what is to be done to which entity at which instant. Kept in the state, so that a
 * restart takes it up again, and driven by the clock alone.
 */
export interface Task {
  readonly id: string
  readonly kind: WorkKind
  /** Key of the entity that the work is about. */
  readonly subject: string
  readonly due: Instant
}

export const workKinds = [
  'authentication',
  'token',
  'operation',
  'enrollment',
  'certificate',
  'invoice',
  'verification',
  'storage',
  'session',
  'expiry',
  'batch',
  'export',
] as const
export type WorkKind = (typeof workKinds)[number]
