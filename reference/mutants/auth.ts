import type { Mutant } from '../mutant.ts'

export const authMutants = {} as const satisfies Record<string, Mutant>
