import { drawPesel } from '../../../lib/identifiers/pesel.ts'
import { makeCertificate, personSubject } from '../../../lib/node/pki.ts'
import { contextWith } from '../../support/service/contexts.ts'
import { listOf } from '../../support/callers/permission-lists.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { expect, test } from '../../support/harness/test.ts'

/** A bailiff has the power to enforce by either identifier, a sole trader by neither; a token can carry it. */

test(
  ...familyRule('testdata.entities', 'power of a bailiff', 'a bailiff who becomes a sole trader'),
  async ({ api, login, own, rng }) => {
    const body = { nip: own.nip, pesel: drawPesel(rng), description: 'a person of a check' }
    const create = (isBailiff: boolean) =>
      api.call('testdata.createPerson', { body: { ...body, isBailiff } })
    expect(await create(true)).toBeOk()
    expect(await api.call('testdata.removePerson', { body: { nip: own.nip } })).toBeOk()
    expect(await create(false)).toBeOk()
    const me = await login()
    expect(await listOf(me.api, 'roles'), 'roles of the sole trader').toEqual([])
    const token = { permissions: ['EnforcementOperations'], description: 'to enforce' }
    expect(await me.api.call('tokens.create', { body: token })).toBeRefused(
      'token-permissions-lacking',
    )
  },
)

for (const kind of ['Nip', 'Pesel'] as const)
  for (const isBailiff of [true, false])
    test(
      ...familyRule(
        'testdata.entities',
        'power of a bailiff',
        `${isBailiff ? 'a bailiff' : 'a sole trader'} by ${kind}`,
      ),
      async ({ api, login, own, rng, target }) => {
        const pesel = drawPesel(rng)
        const person = { nip: own.nip, pesel, isBailiff, description: 'a person of a check' }
        expect(await api.call('testdata.createPerson', { body: person })).toBeOk()
        const subject = personSubject({ pesel })
        const credentials = makeCertificate({ subject, now: target.now() })
        const { type, value } = own
        const byPesel = () => contextWith({ type, value }, credentials, target.now)
        const me = await login(kind === 'Pesel' ? { context: byPesel() } : {})
        const body = { permissions: ['EnforcementOperations'], description: 'to enforce' }
        const made = await me.api.call('tokens.create', { body })
        if (isBailiff) expect(made, 'a token that carries the power of a bailiff').toBeOk()
        else expect(made).toBeRefused('token-permissions-lacking')
      },
    )
