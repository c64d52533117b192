import { stateOf } from '../../../contract/lifecycles.ts'
import type { Client } from '../../../lib/client.ts'
import { batchBody, readBatchOpened, uploadParts } from '../../../lib/flows/batch.ts'
import type { BatchPackage } from '../../../lib/flows/batch.ts'
import { Inconclusive } from '../../../lib/outcome.ts'
import { poll } from '../../../lib/poll.ts'
import { failingPackages } from '../../support/scenes/failures.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { packed } from '../../support/steps/packages.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { reported } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Packages that a service takes and that fail in its processing: their states follow one another. */

/** The states of a package from its opening on; none where it is refused before it is processed. */
const statesOf = async (api: Client, batch: BatchPackage): Promise<readonly number[]> => {
  const body = await batchBody(api, batch, formCodes.fa3)
  const opened = await api.call('sessions.openBatch', { body })
  if (opened.status >= 300) return []
  const session = readBatchOpened(opened)
  await uploadParts(api, session, batch.parts)
  const path = { referenceNumber: session.referenceNumber }
  const look = async () => reported(await api.call('sessions.status', { path })).status.code
  const atFirst = await look()
  const closed = await api.call('sessions.closeBatch', { path })
  if (closed.status >= 300) return []
  const isOver = (code: number) => stateOf('batchSession', code)?.terminal ?? code >= 200
  const { seen, done } = await poll(look, isOver, { ...api.polling, sleep: api.sleep })
  const states = [atFirst, ...seen]
  expect(seen, 'states after the close').not.toContain(atFirst)
  if (!done) throw new Inconclusive('await the end of a package', `an end after ${states.join()}`)
  await api.sleep(2_000)
  return [...states, await look()]
}

test(
  ...familyRule('sessions.status.moves-forward', 'package that fails'),
  async ({ login, invoice }) => {
    const { api } = await login()
    let processed = 0
    for (const [what, spoilt] of Object.entries(failingPackages)) {
      const states = await statesOf(api, await spoilt(() => packed([invoice()])))
      expect.soft(states, `a package with ${what}`).toMoveAlong('batchSession')
      if (states.length > 0) processed += 1
    }
    test.skip(processed === 0, 'the target refuses each of them before it is processed')
  },
)
