import type { Ordeal } from './ordeal.ts'
import { crashes } from './ordeals/crashes.ts'
import { credentials } from './ordeals/credentials.ts'
import { faults } from './ordeals/faults.ts'
import { forms } from './ordeals/forms.ts'
import { limits } from './ordeals/limits.ts'
import { lostAnswers } from './ordeals/lost-answers.ts'
import { rejections } from './ordeals/rejections.ts'
import { sessions } from './ordeals/sessions.ts'
import { synchronization } from './ordeals/synchronization.ts'
import { undisturbed } from './ordeals/undisturbed.ts'

/** Every ordeal, in the order of a full examination. */
export const ordeals = {
  ...undisturbed,
  ...limits,
  ...lostAnswers,
  ...faults,
  ...forms,
  ...credentials,
  ...rejections,
  ...crashes,
  ...sessions,
  ...synchronization,
} as const satisfies Record<string, Ordeal>

export type OrdealId = keyof typeof ordeals

export const ordealIds = Object.keys(ordeals) as OrdealId[]

export const ordeal = (id: OrdealId): Ordeal => ordeals[id]
