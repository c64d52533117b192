import type { RuleId } from '../../contract/rules.ts'
import { openOnline } from '../../lib/flows/session.ts'
import { isoDay } from '../../lib/local-time.ts'
import type { Me } from '../support/contexts.ts'
import { countsBy } from '../support/export-parts.ts'
import type { DateType, SubjectType } from '../support/filters.ts'
import { instantKind, issuedAround } from '../support/filters.ts'
import { formCodes } from '../support/forms.ts'
import { withAuthorizedParty, withThirdParty } from '../support/parties.ts'
import { familyRule } from '../support/rule.ts'
import type { SearchOperation } from '../support/searches.ts'
import { findAll } from '../support/searches.ts'
import { accept } from '../support/steps.ts'
import { withoutRates } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

/** The range of a search by each party of an invoice, against each kind of date. */

const day = 24 * 3_600_000
const near = 1.5 * day
const far = 20 * day

/** From and to, in milliseconds around a date, and whether an invoice of that date is found. */
const ranges = [
  [-near, near, true],
  [-far, -near, false],
  [near, far, false],
] as const

const iso = (instant: number): string => new Date(instant).toISOString()

const searches: readonly (readonly [RuleId, SearchOperation | 'exports.create'])[] = [
  ['queries.metadata.filters', 'queries.metadata'],
  ['queries.metadata.date-type', 'queries.metadata'],
  ['queries.general.date-range', 'queries.general'],
  ['exports.package.content', 'exports.create'],
]

for (const [id, operation] of searches)
  test(
    ...familyRule(id, 'range of each party', 'each kind of date'),
    async ({ login, another, invoice, target }) => {
      await withoutRates(target)
      const someone = async () => login({ context: await another() })
      const parties: Readonly<Record<SubjectType, Me>> = {
        subject1: await login(),
        subject2: await someone(),
        subject3: await someone(),
        subjectAuthorized: await someone(),
      }
      const { subject1, subject2, subject3, subjectAuthorized } = parties
      const now = target.now()
      const issued = now - 10 * day
      const { bytes } = invoice({ buyer: subject2.context.nip, issueDate: isoDay(issued) })
      const third = withThirdParty(bytes, subject3.context.nip)
      const session = await openOnline(subject1.api, { formCode: formCodes.fa3 })
      const { svcNumber } = await accept(
        { api: subject1.api, session },
        withAuthorizedParty(third, subjectAuthorized.context.nip),
      )
      const instant = instantKind(subject1.api.dialect)
      const kinds = new Set<DateType>(['issue', instant, 'invoicing', 'permanentStorage'])
      for (const [subjectType, me] of Object.entries(parties) as [SubjectType, Me][]) {
        await findAll(me.api, { ...issuedAround(now, subjectType), svcNumber }, [svcNumber])
        const count = countsBy(operation, me)
        for (const dateType of kinds)
          for (const [from, to, found] of ranges) {
            const at = dateType === 'issue' ? issued : now
            const dateRange = { dateType, from: iso(at + from), to: iso(at + to) }
            expect(
              await count({ subjectType, dateRange }),
              `as ${subjectType} by ${dateType}, ${dateRange.from} to ${dateRange.to}`,
            ).toBe(found ? 1 : 0)
          }
      }
    },
  )
