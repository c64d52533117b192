/** The kinds of asynchronous work. */
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
