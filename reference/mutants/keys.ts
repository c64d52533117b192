import type { Mutant } from '../mutant.ts'

export const keysMutants = {} as const satisfies Record<string, Mutant>
