import type { RuleId } from '../../../contract/rules.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import { drawPesel } from '../../../lib/identifiers/pesel.ts'
import type { Rng } from '../../../lib/random.ts'
import type { Me } from '../../support/service/contexts.ts'
import { listedAs, obtainCertificate } from '../../support/callers/enrolment.ts'
import { byIdentifier } from '../../support/callers/grant-details.ts'
import {
  authorizationGrant,
  byNip,
  euAdministrationGrant,
  grantBy,
  granted,
  personGrant,
  unitGrant,
} from '../../support/callers/grants.ts'
import type { Row } from '../../support/answers/paged-lists.ts'
import { listOf } from '../../support/callers/permission-lists.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { listTokens, mintToken } from '../../support/callers/service-token.ts'
import { fields } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'
import { drawUnit } from '../../support/run/units.ts'

/** Names and descriptions that a caller gives are shown as they were given, character by character. */

// White space at either end may be trimmed: the contract does not mention it.
const texts = {
  'characters of markup': `A&B <i>"d"</i> 'e' &lt; %20`,
  'spaces in a row': 'Jan  van   der Aa',
} as const

interface Scene {
  readonly me: Me
  readonly rng: Rng
}

interface Place {
  readonly rule: RuleId
  /** Accepts letters, digits and spaces only. */
  readonly plain?: true
  /** Sends the text; returns each record that shows it, with the fields that it should have. */
  readonly shown: (
    scene: Scene,
    text: string,
  ) => Promise<readonly (readonly [record: object | undefined, expected: Row])[]>
}

const described = 'permissions.query.described'
const pesel = (rng: Rng) => ({ type: 'Pesel', value: drawPesel(rng) })

const places: Readonly<Record<string, Place>> = {
  token: {
    rule: 'tokens.status.described',
    async shown({ me }, description) {
      const { referenceNumber = '' } = await mintToken(me, ['InvoiceRead'], description)
      const status = await me.api.call('tokens.status', { path: { referenceNumber } })
      const listed = (await listTokens(me.api)).find(
        (row) => row['referenceNumber'] === referenceNumber,
      )
      return [
        [fields(status), { description }],
        [listed, { description }],
      ]
    },
  },
  'permission of a person': {
    rule: described,
    async shown({ me, rng }, description) {
      const { given: subjectDetails, shown } = byIdentifier(description, description)
      const subject = pesel(rng)
      const body = { ...personGrant(subject, ['InvoiceRead']), subjectDetails, description }
      await grantBy(me.api, 'permissions.grantPerson', body)
      const query = { ...granted, authorizedIdentifier: subject }
      const [row] = await listOf(me.api, 'persons', query)
      return [[row, { ...shown, description }]]
    },
  },
  'administrator of a unit': {
    rule: described,
    async shown({ me, rng }, description) {
      const unit = drawUnit(rng, me.context.nip)
      const body = { ...unitGrant(pesel(rng), unit, description), description }
      await grantBy(me.api, 'permissions.grantSubunit', body)
      const [row] = await listOf(me.api, 'subunits', { subunitIdentifier: unit })
      return [[row, { subunitName: description, description }]]
    },
  },
  authorization: {
    rule: described,
    async shown({ me, rng }, description) {
      const subject = byNip(drawNip(rng))
      const subjectDetails = { fullName: description }
      const body = {
        ...authorizationGrant(subject, 'SelfInvoicing'),
        subjectDetails,
        description,
      }
      await grantBy(me.api, 'permissions.grantAuthorization', body)
      const query = { queryType: 'Granted', authorizedIdentifier: subject }
      const [row] = await listOf(me.api, 'authorizations', query)
      return [[row, { subjectEntityDetails: subjectDetails, description }]]
    },
  },
  'administrator of an EU entity': {
    rule: described,
    async shown({ me, rng }, description) {
      const fingerprint = `A${rng.digits(63)}`
      const vat = `DE${rng.digits(9)}`
      const details = { fullName: description, address: description }
      const body = {
        ...euAdministrationGrant(fingerprint, `${me.context.nip}-${vat}`, description),
        subjectDetails: { subjectDetailsType: 'EntityByFingerprint', entityByFp: details },
        euEntityDetails: details,
        description,
      }
      await grantBy(me.api, 'permissions.grantEuAdministration', body)
      const [row] = await listOf(me.api, 'eu', { vatUeIdentifier: vat })
      const names = { euEntityName: description, description }
      return [[row, { ...names, subjectEntityDetails: details, euEntityDetails: details }]]
    },
  },
  certificate: {
    rule: 'certificates.listed',
    plain: true,
    async shown({ me }, name) {
      const { serialNumber } = await obtainCertificate(me.api, { name })
      return [[await listedAs(me.api, serialNumber), { name }]]
    },
  },
}

for (const [place, { rule, plain, shown }] of Object.entries(places))
  for (const [what, text] of Object.entries(texts))
    if (plain === undefined || /^[\w ]*$/.test(text))
      test(
        ...familyRule(rule, 'text as it was given', `${place}, ${what}`),
        async ({ login, rng }) => {
          for (const [record, expected] of await shown({ me: await login(), rng }, text))
            expect(record, 'the record that shows the text').toMatchObject(expected)
        },
      )
