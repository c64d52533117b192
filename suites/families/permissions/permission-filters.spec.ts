import { drawNip, nipLike } from '../../../lib/identifiers/nip.ts'
import { choice, expectFiltered } from '../../support/steps/filter-pairs.ts'
import {
  byNip,
  entityGrant,
  grantBy,
  granted,
  grantInTest,
  indirectGrant,
  personGrant,
} from '../../support/callers/grants.ts'
import type { Identifier } from '../../support/callers/grants.ts'
import { personAt } from '../../support/callers/people.ts'
import { askFor, listOf, rowsIn } from '../../support/callers/permission-lists.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { withoutRates } from '../../support/service/target.ts'
import { test } from '../../support/harness/test.ts'

/** Every two filters of the lists about persons together. */

const family = 'pair of filters'

const allPartners = { type: 'AllPartners' }
const described = ({ description }: Readonly<Record<string, unknown>>) => String(description)

interface Persons {
  readonly anna: Identifier
  readonly jan: Identifier
  /** An identifier that nobody has, with most of the digits of Anna's. */
  readonly alike: Identifier
  readonly firm: Identifier
  readonly own: Identifier
  readonly manager: unknown
  readonly stranger: Identifier
}

const direct = ['anna reads', 'anna writes', 'jan reads', 'jan inspects', 'jan by test data']
const forOne = ['anna reads for one', 'jan writes for one']
const forAll = ['jan reads for all']
const every = [...direct, ...forOne, ...forAll]
const where = (part: string) => every.filter((row) => row.includes(part))
const byManager = ['anna writes', 'jan reads']
const byTestData = ['jan by test data']
const byOwner = every.filter((row) => ![...byManager, ...byTestData].includes(row))
const inactive = 'jan writes for one'

/** What each filter leaves of the permissions that Anna and Jan were granted. */
const choicesOfPersons = ({ anna, jan, alike, firm, own, manager, stranger }: Persons) => ({
  permissionTypes: [
    choice({ permissionTypes: ['InvoiceRead'] }, ...where('reads')),
    choice(
      { permissionTypes: ['InvoiceWrite', 'CredentialsRead'] },
      ...where('writes'),
      ...byTestData,
    ),
    choice({ permissionTypes: ['SubunitManage'] }),
  ],
  permissionState: [
    choice({ permissionState: 'Inactive' }, inactive),
    choice({ permissionState: 'Active' }, ...every.filter((row) => row !== inactive)),
  ],
  authorizedIdentifier: [
    choice({ authorizedIdentifier: anna }, ...where('anna')),
    choice({ authorizedIdentifier: jan }, ...where('jan')),
    choice({ authorizedIdentifier: alike }),
  ],
  authorIdentifier: [
    choice({ authorIdentifier: own }, ...byOwner),
    choice({ authorIdentifier: manager }, ...byManager),
    choice({ authorIdentifier: { type: 'System' } }, ...byTestData),
  ],
  contextIdentifier: [
    choice({ contextIdentifier: own }, ...every),
    choice({ contextIdentifier: stranger }),
  ],
  targetIdentifier: [
    choice({ targetIdentifier: own }, ...direct),
    choice({ targetIdentifier: firm }, ...forOne),
    choice({ targetIdentifier: allPartners }, ...forAll),
  ],
})

test(
  ...familyRule('permissions.query.narrowed', family, 'persons'),
  async ({ api, login, own, another, limited, rng, target }) => {
    await withoutRates(target)
    const owner = await login()
    const manager = await limited(['CredentialsManage'])
    const client = await login({ context: await another() })
    const firm = byNip(client.context.nip)
    const passOn = entityGrant(own.nip, [{ type: 'InvoiceRead', canDelegate: true }])
    await grantBy(client.api, 'permissions.grantEntity', passOn)
    const [anna, jan] = [
      personAt(own, rng, target).subject,
      personAt(own, rng, target, 'Pesel').subject,
    ]
    for (const [description, by, subject, permission] of [
      ['anna reads', owner, anna, 'InvoiceRead'],
      ['anna writes', manager, anna, 'InvoiceWrite'],
      ['jan reads', manager, jan, 'InvoiceRead'],
      ['jan inspects', owner, jan, 'Introspection'],
    ] as const)
      await grantBy(by.api, 'permissions.grantPerson', {
        ...personGrant(subject, [permission]),
        description,
      })
    for (const [description, subject, permission, to] of [
      ['anna reads for one', anna, 'InvoiceRead', firm],
      ['jan writes for one', jan, 'InvoiceWrite', firm],
      ['jan reads for all', jan, 'InvoiceRead', allPartners],
    ] as const)
      await grantBy(owner.api, 'permissions.grantIndirect', {
        ...indirectGrant(subject, [permission], to),
        description,
      })
    await grantInTest(api, own, jan, ['CredentialsRead'], 'jan by test data')
    const rows = await listOf(owner.api, 'persons', granted)
    await expectFiltered(
      askFor(owner.api, 'persons', granted),
      (answer) =>
        rowsIn('persons')(answer)
          .map(described)
          .filter((row) => every.includes(row)),
      choicesOfPersons({
        anna,
        jan,
        alike: byNip(nipLike(anna.value, rng)),
        firm,
        own: byNip(own.nip),
        manager: rows.find((row) => described(row) === byManager[0])?.['authorIdentifier'],
        stranger: byNip(drawNip(rng)),
      }),
    )
  },
)

test(
  ...familyRule('permissions.query.narrowed', family, 'personal'),
  async ({ login, own, another, rng, target }) => {
    await withoutRates(target)
    const owner = await login()
    const client = await login({ context: await another() })
    const firm = byNip(client.context.nip)
    const passOn = entityGrant(own.nip, [{ type: 'InvoiceRead', canDelegate: true }])
    await grantBy(client.api, 'permissions.grantEntity', passOn)
    const person = personAt(own, rng, target)
    for (const [permission, description] of [
      ['InvoiceRead', 'reads'],
      ['Introspection', 'inspects'],
    ] as const)
      await grantBy(owner.api, 'permissions.grantPerson', {
        ...personGrant(person.subject, [permission]),
        description,
      })
    for (const [permission, to, description] of [
      ['InvoiceRead', firm, 'reads for one'],
      ['InvoiceWrite', firm, 'writes for one'],
      ['InvoiceRead', allPartners, 'reads for all'],
    ] as const)
      await grantBy(owner.api, 'permissions.grantIndirect', {
        ...indirectGrant(person.subject, [permission], to),
        description,
      })
    const straight = ['reads', 'inspects']
    const all = [...straight, 'reads for one', 'writes for one', 'reads for all']
    const me = await login({ context: person.context })
    await expectFiltered(
      askFor(me.api, 'personal'),
      (answer) => rowsIn('personal')(answer).map(described),
      {
        permissionTypes: [
          choice(
            { permissionTypes: ['InvoiceRead'] },
            ...all.filter((row) => row.includes('reads')),
          ),
          choice(
            { permissionTypes: ['InvoiceWrite', 'Introspection'] },
            'inspects',
            'writes for one',
          ),
        ],
        permissionState: [
          choice({ permissionState: 'Inactive' }, 'writes for one'),
          choice({ permissionState: 'Active' }, ...all.filter((row) => row !== 'writes for one')),
        ],
        contextIdentifier: [
          choice({ contextIdentifier: byNip(own.nip) }, ...all),
          choice({ contextIdentifier: byNip(drawNip(rng)) }),
        ],
        targetIdentifier: [
          choice({ targetIdentifier: byNip(own.nip) }, ...straight),
          choice({ targetIdentifier: firm }, 'reads for one', 'writes for one'),
          choice({ targetIdentifier: allPartners }, 'reads for all'),
        ],
      },
    )
  },
)
