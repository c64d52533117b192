import { openBatch } from '../../../lib/flows/batch.ts'
import { sealArchive, makeZip } from '../../../lib/node/archive.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { filesOf } from '../../support/steps/packages.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { datesTold } from '../../support/steps/session-dates.ts'
import { expect, test } from '../../support/harness/test.ts'

/** The dates of a package: it is valid for longer the more parts it has. */

test(
  ...familyRule('sessions.status.dates', 'dates of a package', 'of one, two and three parts'),
  async ({ login, invoice }) => {
    const { api } = await login()
    const archive = makeZip(filesOf([invoice()]))
    const periods: number[] = []
    for (const parts of [1, 2, 3]) {
      const batch = await sealArchive(archive, { partBytes: Math.ceil(archive.length / parts) })
      expect(batch.parts.length, 'parts of the package').toBe(parts)
      const { referenceNumber } = await openBatch(api, batch, { formCode: formCodes.fa3 })
      const { dateCreated, validUntil } = await datesTold(api, referenceNumber, 'Batch')
      periods.push(validUntil - dateCreated)
    }
    const [one = 0, two = 0, three = 0] = periods
    expect(one, 'ms for which one part is valid').toBeGreaterThan(0)
    expect(two, 'ms for which two parts are valid').toBeGreaterThan(one)
    expect(three, 'ms for which three parts are valid').toBeGreaterThan(two)
  },
)
