import { settleAuthentication, startWithDocument } from '../../../lib/flows/login.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import { drawPesel } from '../../../lib/identifiers/pesel.ts'
import { makeCertificate, personSubject } from '../../../lib/node/pki.ts'
import { expectOk } from '../../../lib/outcome.ts'
import { contextWith } from '../../support/service/contexts.ts'
import type { Me } from '../../support/service/contexts.ts'
import { wrongDecisions } from '../../support/callers/decisions.ts'
import { give } from '../../support/callers/held.ts'
import { grantInTest } from '../../support/callers/grants.ts'
import { ways } from '../../support/callers/holdings.ts'
import type { HoldingScene, WayName } from '../../support/callers/holdings.ts'
import { personAt } from '../../support/callers/people.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { enterByToken, mintToken } from '../../support/callers/service-token.ts'
import { expect, test } from '../../support/harness/test.ts'

/** A service token opens what its author holds, in whichever way the author holds it. */

interface Author {
  readonly author: Me
  readonly permissions: readonly string[]
}

/** Ways to hold permissions in contexts that have service tokens. */
const withTokens = (Object.keys(ways) as WayName[]).filter((name) => !name.includes('EU entity'))

const holder =
  (name: WayName) =>
  async (scene: HoldingScene): Promise<Author> => {
    const way = await ways[name](scene)
    const someone = await way.someone()
    await give(someone, way.permissions)
    const author = await scene.login({ context: someone.context })
    return { author, permissions: way.permissions }
  }

/** The owner of the context, by a PESEL that is linked to its NIP. */
const ownerByPesel = async ({ api, me, login, rng, target }: HoldingScene): Promise<Author> => {
  const pesel = drawPesel(rng)
  const { nip } = me.context
  const body = { nip, pesel, isBailiff: false, description: 'a person of a check' }
  expectOk(await api.call('testdata.createPerson', { body }), 'create a person')
  const credentials = makeCertificate({ subject: personSubject({ pesel }), now: target.now() })
  const context = contextWith({ type: 'Nip', value: nip }, credentials, target.now)
  return { author: await login({ context }), permissions: ['InvoiceRead', 'CredentialsRead'] }
}

const authors: Readonly<Record<string, (scene: HoldingScene) => Promise<Author>>> = {
  'owner with a linked PESEL': ownerByPesel,
  ...Object.fromEntries(withTokens.map((name) => [name, holder(name)])),
}

for (const [name, prepare] of Object.entries(authors))
  test(
    ...familyRule('permissions.grant.effective', 'author of a service token', name),
    async ({ api, login, another, rng, target }) => {
      const scene = { api, me: await login(), login, another, rng, target }
      const { author, permissions } = await prepare(scene)
      const { token } = await mintToken(author, permissions)
      const { context } = author
      const entered = await enterByToken(api, context, token)
      expect(entered, `a login by a token of: ${name}`).toHaveSucceeded('authentication')
      const within = await login({ context, token })
      expect(await wrongDecisions(within.api, permissions), 'what the token opens').toEqual([])
    },
  )

for (const kind of ['Nip', 'Pesel'] as const)
  test(
    ...familyRule('testdata.entities', 'author of a service token', `deceased since, ${kind}`),
    async ({ api, login, own, rng, target }) => {
      const person = personAt(own, rng, target, kind)
      await grantInTest(api, own, person.subject, ['InvoiceRead'])
      const { context } = person
      const before = await login({ context })
      const { token } = await mintToken(before, ['InvoiceRead'])
      const sign = (challenge: string) => context.document(challenge)
      const started = await startWithDocument(api, { sign })
      await settleAuthentication(api, started)
      const { value } = person.subject
      const ids =
        kind === 'Nip' ? { nip: value, pesel: drawPesel(rng) } : { nip: drawNip(rng), pesel: value }
      const body = {
        ...ids,
        isBailiff: false,
        isDeceased: true,
        description: 'a person of a check',
      }
      expect(await api.call('testdata.createPerson', { body })).toBeOk()
      expect(await enterByToken(api, own, token)).toBeRejected('subject-deceased')
      for (const [operation, bearer] of [
        ['auth.redeem', started.authenticationToken],
        ['auth.refresh', before.refreshToken],
      ] as const) {
        const answer = await api.call(operation, { bearer })
        expect(answer, `${operation} for a login before`).toBeRefused('deceased-since-login')
      }
    },
  )
