import fc from 'fast-check'
import { command } from '../command.ts'
import { settleAll } from '../settling.ts'
import { operate } from './operation.ts'

/** The owner of the first context lets that of the second invoice in its name. */
export const authorizeAgent = () =>
  fc.constant(
    command<true>({
      name: 'authorize an agent',
      find: ({ parties, agents }) =>
        parties.some(({ context }) => context === 1) && !agents.has(1) ? true : undefined,
      says: () => 'A lets B invoice in its name',
      async act(model, world) {
        await settleAll(model, world)
        await operate(
          world,
          await world.observer(0),
          'permissions.grant.effective',
          'permissions.grantAuthorization',
          {
            subjectIdentifier: { type: 'Nip', value: world.owners[1]?.nip },
            permission: 'SelfInvoicing',
            description: 'self-invoicing in a sequence of steps',
            subjectDetails: { fullName: 'Agent of a sequence' },
          },
        )
        model.agents.add(1)
      },
    }),
  )
