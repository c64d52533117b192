import { separate, together } from './separate.ts'
import type { Bench } from './bench.ts'
import { edge } from './edge.ts'
import { escalation } from './escalation.ts'
import { exactness } from './exactness.ts'
import { held } from './held.ts'
import type { Job, Measured } from './job.ts'
import { keys } from './keys.ts'
import { parallel } from './parallel.ts'
import { sliding } from './sliding.ts'
import { unlimited } from './unlimited.ts'

type Probe = (bench: Bench, job: Job) => Promise<readonly Measured[]>

/** Every probe, by its id. */
export const probes = {
  edge,
  sliding,
  held,
  parallel,
  separate,
  'separate-default': separate,
  together,
  keys,
  escalation,
  exactness,
  unlimited,
} as const satisfies Record<string, Probe>

export type ProbeId = keyof typeof probes
