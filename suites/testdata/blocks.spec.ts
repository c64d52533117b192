import type { Client } from '../../lib/client.ts'
import type { OwnContext } from '../support/service/contexts.ts'
import { rule } from '../support/checks/rule.ts'
import { authenticateAs } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

/** Contexts that test data block, and unblock. */

const enter = async (api: Client, context: OwnContext) => {
  return authenticateAs(api, context)
}

test(...rule('testdata.blocks'), async ({ api, own, another }) => {
  const other = await another()
  const body = { contextIdentifier: { type: own.type, value: own.value } }
  expect(await enter(api, own), 'before').toHaveSucceeded('authentication')
  for (const time of ['once', 'twice']) {
    expect(await api.call('testdata.blockContext', { body }), time).toBeOk()
    expect(await enter(api, own), `blocked ${time}`).toBeRejected('context-blocked')
  }
  expect(await enter(api, other), 'another context').toHaveSucceeded('authentication')
  expect(await api.call('testdata.unblockContext', { body })).toBeOk()
  expect(await enter(api, own), 'after the block was lifted').toHaveSucceeded('authentication')
  expect(await api.call('testdata.blockContext', { body })).toBeOk()
  expect(await enter(api, own), 'blocked again').toBeRejected('context-blocked')
  expect(await api.call('testdata.unblockContext', { body })).toBeOk()
})
