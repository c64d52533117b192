import { block, unblock } from '../../support/steps/blocks.ts'
import { kin } from '../../support/callers/kin.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { enterByToken, mintToken } from '../../support/callers/service-token.ts'
import { authenticateAs } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** A block holds for one context, of whatever kind, and for every credential. */

const kinds = ['Nip', 'InternalId', 'NipVatUe'] as const

for (const kind of kinds)
  for (const credential of kind === 'NipVatUe' ? ['document'] : ['document', 'token'])
    test(
      ...familyRule(
        'testdata.blocks',
        credential === 'token' ? 'blocked context of a token' : 'blocked context',
        `${kind} by ${credential}`,
      ),
      async ({ api, login, another, rng, target }) => {
        const me = await login()
        const family = {
          Nip: me,
          InternalId: await kin.InternalId({ me, login, rng, target }),
          NipVatUe: await kin.NipVatUe({ me, login, rng, target }),
        }
        const blocked = family[kind]
        const { token } =
          credential === 'token' ? await mintToken(blocked, ['InvoiceRead']) : { token: '' }
        const enter = () =>
          credential === 'token'
            ? enterByToken(api, blocked.context, token)
            : authenticateAs(api, blocked.context)
        const stranger = await another()
        await block(api, stranger)
        expect(await enter(), 'while another is blocked').toHaveSucceeded('authentication')
        await block(api, blocked.context)
        expect(await enter()).toBeRejected('context-blocked')
        for (const relative of kinds)
          if (relative !== kind)
            expect(
              await authenticateAs(api, family[relative].context),
              `${relative} of the same taxpayer`,
            ).toHaveSucceeded('authentication')
        const relative = family[kind === 'InternalId' ? 'Nip' : 'InternalId'].context
        await block(api, relative)
        await unblock(api, blocked.context)
        expect(await enter(), 'when it is unblocked').toHaveSucceeded('authentication')
        expect(
          await authenticateAs(api, relative),
          `${relative.type} of the same taxpayer, blocked too`,
        ).toBeRejected('context-blocked')
        expect(await authenticateAs(api, stranger)).toBeRejected('context-blocked')
      },
    )
