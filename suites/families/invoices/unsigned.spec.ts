import type { Me } from '../../support/service/contexts.ts'
import type { Fixtures } from '../../support/harness/fixtures.ts'
import {
  authorizationGrant,
  authorizeSelfInvoicing,
  byNip,
  grantBy,
  grantPerson,
} from '../../support/callers/grants.ts'
import { kin } from '../../support/callers/kin.ts'
import { selfInvoiced, withAuthorizedParty } from '../../support/documents/parties.ts'
import { personAt } from '../../support/callers/people.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { mintToken } from '../../support/callers/service-token.ts'
import { expect, test } from '../../support/harness/test.ts'
import { offeredWays } from '../../support/scenes/ways-of-sending.ts'

/** Documents without a signature, by every sender that may send: the service authorizes what it accepts. */

const rule = 'invoices.content.unsigned'

interface Scene {
  readonly sender: Me
  readonly document: () => Uint8Array
}

type Prepare = (
  fixtures: Pick<Fixtures, 'login' | 'another' | 'own' | 'invoice' | 'rng' | 'target'>,
) => Promise<Scene>

/** Other taxpayers, whom the seller authorized. */
const agents: Readonly<Record<string, Prepare>> = {
  async 'an agent of its seller'({ login, another, invoice }) {
    const seller = await login()
    const sender = await login({ context: await another() })
    await authorizeSelfInvoicing(seller.api, sender.context.nip)
    return { sender, document: () => selfInvoiced(invoice().bytes) }
  },
  async 'the tax representative of its seller'({ login, another, invoice }) {
    const seller = await login()
    const sender = await login({ context: await another() })
    const { nip } = sender.context
    const body = authorizationGrant(byNip(nip), 'TaxRepresentative')
    await grantBy(seller.api, 'permissions.grantAuthorization', body)
    const document = () => withAuthorizedParty(selfInvoiced(invoice().bytes, false), nip)
    return { sender, document }
  },
}

/** Whoever sends in the context of the seller, or of its unit. */
const ofTheSeller: Readonly<Record<string, Prepare>> = {
  async 'a unit of its seller'({ login, invoice, rng, target }) {
    const sender = await kin.InternalId({ me: await login(), login, rng, target })
    return { sender, document: () => invoice().bytes }
  },
  async 'a service token'({ login, invoice }) {
    const me = await login()
    const { token } = await mintToken(me)
    const sender = await login({ context: me.context, token })
    return { sender, document: () => invoice().bytes }
  },
  async 'a person with a permission'({ login, own, invoice, rng, target }) {
    const me = await login()
    const person = personAt(own, rng, target, 'Pesel')
    await grantPerson(me.api, person.subject, ['InvoiceWrite', 'InvoiceRead'])
    const sender = await login({ context: person.context })
    return { sender, document: () => invoice().bytes }
  },
}

/** Sends a document by each way that a sender has. */
const sendUnsigned = async ({ sender, document }: Scene, who: string): Promise<void> => {
  for (const [name, { outcome }] of offeredWays()) {
    const bytes = document()
    expect(sender.api.codec.text(bytes), 'the document').not.toContain('Signature')
    expect(await outcome(sender, bytes), `${who}, ${name}`).toHaveSucceeded('invoice')
  }
}

for (const [what, prepared] of Object.entries({
  'in the name of its seller': agents,
  'for its seller': ofTheSeller,
}))
  test(
    ...familyRule(rule, 'document without a signature', what),
    async ({ login, another, own, invoice, rng, target }) => {
      for (const [who, prepare] of Object.entries(prepared))
        await sendUnsigned(await prepare({ login, another, own, invoice, rng, target }), who)
    },
  )
