import type { Mutant } from '../mutant.ts'

export const transportMutants = {} as const satisfies Record<string, Mutant>
