import { internalId } from '../../../lib/identifiers/internal-id.ts'
import { contextWith } from '../../support/service/contexts.ts'
import { byNip, euAdministrationGrant, grantBy, unitGrant } from '../../support/callers/grants.ts'
import { personAt } from '../../support/callers/people.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { authenticateAs } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Values of contexts in every form that their kind allows: letters, leading zeros, and all lengths. */

/** VAT numbers as member states issue them. */
const vatNumbers = [
  'ATU12345678',
  'CY12345678X',
  'ESX1234567R',
  'EL123456789',
  'FRK7399859412',
  'IE1A23456T',
  'IE1234567AB',
  'LT123456789012',
  'NL123456789B01',
  'RO12',
  'SE123456789001',
  'XIGD001',
] as const

test(
  ...familyRule('auth.xades.context-kinds', 'value of a context', 'VAT numbers of the EU'),
  async ({ api, login, rng, target }) => {
    const me = await login()
    for (const vat of vatNumbers) {
      const entity = { type: 'NipVatUe', value: `${me.context.nip}-${vat}` } as const
      const { subject, context } = personAt(entity, rng, target, 'Fingerprint')
      const body = euAdministrationGrant(subject.value, entity.value)
      await grantBy(me.api, 'permissions.grantEuAdministration', body)
      const outcome = await authenticateAs(api, context)
      expect.soft(outcome, `in the context of ${vat}`).toHaveSucceeded('authentication')
    }
  },
)

test(
  ...familyRule('auth.xades.context-kinds', 'value of a context', 'numbers of units'),
  async ({ api, own, login, target }) => {
    const me = await login()
    for (const unit of ['0000', '0007', '9999']) {
      const value = internalId(own.nip, unit)
      const place = { type: 'InternalId', value } as const
      const body = unitGrant(byNip(own.nip), place, 'a branch')
      await grantBy(me.api, 'permissions.grantSubunit', body)
      const entered = contextWith(place, own.credentials, target.now)
      const outcome = await authenticateAs(api, entered)
      expect.soft(outcome, `in the unit ${unit}`).toHaveSucceeded('authentication')
    }
  },
)
