import { drawNip } from '../../../lib/identifiers/nip.ts'
import { choice, expectFiltered } from '../../support/steps/filter-pairs.ts'
import {
  authorizationGrant,
  byNip,
  euAdministrationGrant,
  grantBy,
} from '../../support/callers/grants.ts'
import { askFor, rowsIn } from '../../support/callers/permission-lists.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { withoutRates } from '../../support/service/target.ts'
import { test } from '../../support/harness/test.ts'

/** Every two filters of the lists about entities together. */

const family = 'pair of filters of entities'

const described = ({ description }: Readonly<Record<string, unknown>>) => String(description)

test(
  ...familyRule('permissions.query.narrowed', family, 'authorizations'),
  async ({ login, another, rng, target }) => {
    await withoutRates(target)
    const [one, two] = [await login(), await login({ context: await another() })]
    const agent = await login({ context: await another() })
    const [holder, other] = [byNip(agent.context.nip), byNip(drawNip(rng))]
    const peppol = { type: 'PeppolId', value: `PPL${rng.digits(6)}` }
    for (const [by, subject, permission, description] of [
      [one, holder, 'SelfInvoicing', 'one: self-invoicing'],
      [one, holder, 'TaxRepresentative', 'one: tax representative'],
      [one, other, 'SelfInvoicing', 'one: self-invoicing of another'],
      [one, peppol, 'PefInvoicing', 'one: provider'],
      [two, holder, 'SelfInvoicing', 'two: self-invoicing'],
      [two, holder, 'RRInvoicing', 'two: farmers'],
    ] as const)
      await grantBy(by.api, 'permissions.grantAuthorization', {
        ...authorizationGrant(subject, permission),
        description,
      })
    const given = [
      'one: self-invoicing',
      'one: tax representative',
      'one: self-invoicing of another',
      'one: provider',
    ]
    const received = given.slice(0, 2).concat('two: self-invoicing', 'two: farmers')
    for (const [me, queryType, entries] of [
      [one, 'Granted', given],
      [agent, 'Received', received],
    ] as const) {
      const those = (fits: (row: string) => boolean) => entries.filter((row) => fits(row))
      await expectFiltered(
        askFor(me.api, 'authorizations', { queryType }),
        (answer) => rowsIn('authorizations')(answer).map(described),
        {
          authorizedIdentifier: [
            choice(
              { authorizedIdentifier: holder },
              ...those((row) => !row.endsWith('another') && !row.endsWith('provider')),
            ),
            choice({ authorizedIdentifier: other }, ...those((row) => row.endsWith('another'))),
            choice({ authorizedIdentifier: peppol }, ...those((row) => row.endsWith('provider'))),
          ],
          authorizingIdentifier: [
            choice(
              { authorizingIdentifier: byNip(one.context.nip) },
              ...those((row) => row.startsWith('one')),
            ),
            choice(
              { authorizingIdentifier: byNip(two.context.nip) },
              ...those((row) => row.startsWith('two')),
            ),
          ],
          permissionTypes: [
            choice(
              { permissionTypes: ['SelfInvoicing'] },
              ...those((row) => row.includes('self-invoicing')),
            ),
            choice(
              { permissionTypes: ['RRInvoicing', 'TaxRepresentative'] },
              ...those((row) => row.endsWith('farmers') || row.endsWith('representative')),
            ),
          ],
        },
      )
    }
  },
)

test(...familyRule('permissions.query.narrowed', family, 'eu'), async ({ login, rng, target }) => {
  await withoutRates(target)
  const { api, context } = await login()
  const [first, second] = [`A1B2C3${rng.digits(58)}`, `F9E8D7${rng.digits(58)}`]
  const [german, french] = [`DE${rng.digits(9)}`, `FRXX${rng.digits(9)}`]
  for (const [print, vat] of [
    [first, german],
    [second, german],
    [first, french],
  ] as const)
    await grantBy(
      api,
      'permissions.grantEuAdministration',
      euAdministrationGrant(print, `${context.nip}-${vat}`),
    )
  const kinds = ['Introspection', 'InvoiceRead', 'InvoiceWrite', 'VatUeManage']
  const entries = [`${german} ${first}`, `${german} ${second}`, `${french} ${first}`].flatMap(
    (row) => kinds.map((kind) => `${kind} ${row}`),
  )
  const having = (part: string) => entries.filter((row) => row.includes(part))
  await expectFiltered(
    askFor(api, 'eu'),
    (answer) =>
      rowsIn('eu')(answer).map((row) =>
        [
          row['permissionScope'],
          row['vatUeIdentifier'],
          row['authorizedFingerprintIdentifier'],
        ].join(' '),
      ),
    {
      vatUeIdentifier: [
        choice({ vatUeIdentifier: german }, ...having(german)),
        choice({ vatUeIdentifier: french }, ...having(french)),
        choice({ vatUeIdentifier: german.slice(0, -1) }),
      ],
      authorizedFingerprintIdentifier: [
        choice({ authorizedFingerprintIdentifier: first }, ...having(first)),
        choice({ authorizedFingerprintIdentifier: second.slice(0, 30) }, ...having(second)),
        choice({ authorizedFingerprintIdentifier: second.slice(20, 50) }, ...having(second)),
      ],
      permissionTypes: [
        choice({ permissionTypes: ['InvoiceRead'] }, ...having('InvoiceRead')),
        choice(
          { permissionTypes: ['VatUeManage', 'Introspection'] },
          ...having('VatUeManage'),
          ...having('Introspection'),
        ),
      ],
    },
  )
})
