import type { Mutant } from '../mutant.ts'

export const limitsMutants = {} as const satisfies Record<string, Mutant>
