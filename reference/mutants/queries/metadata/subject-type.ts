import { nipOf } from '../../../model/entities.ts'
import { policy } from '../../../policy/policy.ts'
import { queriesPolicy } from '../../../policy/queries.ts'
import { ofItsSubject } from '../../metadata-searches.ts'
import type { Mutant } from '../../mutant.ts'
import { calls } from '../../rewrite.ts'
import { remembers } from '../../remembered-facts.ts'
import { isAlone, isPackage, notFoundByTheBuyer } from '../../ways-of-sending.ts'

/** A search among the invoices of every seller. */
const ofEveryone: Mutant['tables'] = {
  issued: {
    find: (found, index, _value, table) => (index === 'seller' ? [...table.values()] : found),
  },
}

/** Defects of the roles in a metadata query. */
export const queriesMetadataSubjectTypeMutants = {
  'queries.metadata.subject-type/representatives-alone': remembers(({ authorized, ...facts }) =>
    authorized?.role === 3 ? { ...facts, authorized } : facts,
  ),
  'queries.metadata.subject-type/units-as-the-taxpayer': remembers((facts) => ({
    ...facts,
    thirdParties: facts.thirdParties.flatMap((one) => {
      const { type, value } = one.identifier
      const nip = { type: 'Nip', value: value?.slice(0, 10) ?? '' } as const
      return type === 'InternalId' ? [one, { ...one, identifier: nip }] : [one]
    }),
  })),
  'queries.metadata.subject-type/further-buyers-as-the-buyer': remembers((facts) => {
    const further = facts.thirdParties.find(({ role }) => role === 4)
    return further ? { ...facts, buyer: { ...facts.buyer, identifier: further.identifier } } : facts
  }),
  'queries.metadata.subject-type/recipients-alone': remembers((facts) => ({
    ...facts,
    thirdParties: facts.thirdParties.filter(({ role }) => role === 2),
  })),
  'queries.metadata.subject-type/authorized-of-the-taxpayer': calls(
    ['queries.metadata'],
    (call) => {
      const { caller } = call
      const { subjectType } = call.body as { readonly subjectType: string }
      if (caller === undefined || subjectType !== 'subjectAuthorized') return call
      const context = { type: 'Nip', value: nipOf(caller.context) } as const
      return { ...call, caller: { ...caller, context } }
    },
  ),
  'queries.metadata.subject-type/one-role-at-most': {
    policy: {
      hasRole: (roles, subjectType) =>
        policy.hasRole(roles, subjectType) &&
        (/^subject[12]$/.test(subjectType) || !(roles.seller || roles.buyer)),
    },
  },
  'queries.metadata.subject-type/sender-as-seller': {
    policy: {
      hasRole: (roles, subjectType) =>
        subjectType === 'subject1' ? roles.sender : policy.hasRole(roles, subjectType),
    },
  },
  'queries.metadata.subject-type/role-ignored': {
    policy: { hasRole: () => true },
    tables: ofEveryone,
  },
  'queries.metadata.subject-type/buyer-sees-as-issuer': {
    policy: {
      hasRole: (roles, subjectType) =>
        subjectType === 'subject1'
          ? roles.seller || roles.buyer
          : subjectType === 'subject2' && roles.buyer,
    },
    tables: ofEveryone,
  },
  'queries.metadata.subject-type/authorized-party-finds-nothing': {
    policy: {
      hasRole: (roles, subjectType) =>
        subjectType !== 'subjectAuthorized' && queriesPolicy.hasRole(roles, subjectType),
    },
  },
  'queries.metadata.subject-type/sent-alone-not-for-the-buyer': {
    ...notFoundByTheBuyer(isAlone),
    needs: 'invoices.send',
  },
  'queries.metadata.subject-type/packages-not-for-the-buyer': notFoundByTheBuyer(isPackage),
  'queries.metadata.subject-type/sent-by-its-subject': ofItsSubject('queries.metadata'),
} as const satisfies Readonly<Record<string, Mutant>>
