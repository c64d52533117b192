import fc from 'fast-check'
import { command } from '../command.ts'
import { settleLogin } from '../settling.ts'
import { holdsAny } from '../state.ts'
import type { Party } from '../state.ts'
import { takeChallenge } from './ask-challenge.ts'
import { sendDocument } from './authenticate.ts'
import { redeemLogin } from './redeem.ts'

/** Mostly the first party: two parties have to act in one context for their steps to affect each other. */
const drawnParty = fc.oneof(
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.nat(15) },
)

/** The whole login as one step, so that sequences get to what comes after it. */
export const logIn = () =>
  drawnParty.map((drawn) =>
    command<Party>({
      name: 'log in',
      find: (model) =>
        model.choices.pick(
          model.parties.filter((party) => holdsAny(model, party)),
          drawn,
        ),
      says: ({ logins }, { name }) => `${name} logs in (login ${logins.length + 1})`,
      async act(model, world, party) {
        const login = await sendDocument(model, world, await takeChallenge(model, world), party)
        if (login === undefined) return
        await settleLogin(model, world, login)
        await redeemLogin(model, world, login)
      },
    }),
  )
