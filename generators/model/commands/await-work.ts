import fc from 'fast-check'
import { command } from '../command.ts'
import { settleAll } from '../settling.ts'

/** Awaits everything that is under way, and compares how it ended. */
export const awaitWork = () =>
  fc.constant(
    command<true>({
      name: 'await the work under way',
      find: () => true,
      says: () => 'everybody waits until nothing is under way',
      act: settleAll,
    }),
  )
