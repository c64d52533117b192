import { expect, test } from '@playwright/test'
import { dialects } from '../../contract/dialects.ts'
import type { Conduct } from '../../examples/client/conduct.ts'
import { sound } from '../../examples/client/conduct.ts'
import { run } from '../../examples/client/run.ts'
import { readTask } from '../../examples/client/task.ts'
import { variantOf } from '../../examples/client/variants.ts'
import { runOrdeal } from '../../suites/client/examiner.ts'
import type { History } from '../../suites/client/history.ts'
import { judgeHistory } from '../../suites/client/judge.ts'
import type { Opinion } from '../../suites/client/opinion.ts'
import { ordeal } from '../../suites/client/ordeals.ts'
import { openProxy } from '../../suites/client/proxy.ts'

/** The same client, seen by the service's own journal and by a recording proxy before it. */
async function seenTwice(conduct: Conduct): Promise<{ journal: Opinion[]; recording: Opinion[] }> {
  let recording: History | undefined
  const { opinions } = await runOrdeal('quiet-day', ordeal('quiet-day'), {
    dialect: dialects.svc,
    seed: 1,
    async drive(stage) {
      const task = readTask(stage.environment)
      const proxy = await openProxy({ profile: { url: task.url }, port: 0, dialect: dialects.svc })
      stage.begins(() => undefined)
      await run({ ...task, url: proxy.url }, conduct)
      stage.ends('exit 0')
      recording = proxy.history()
      await proxy.close()
      return ['exit 0']
    },
  })
  return { journal: [...opinions], recording: [...judgeHistory(recording!)] }
}

const rulesWith = (verdict: Opinion['verdict'], opinions: readonly Opinion[]) =>
  [...new Set(opinions.filter((one) => one.verdict === verdict).map(({ rule }) => rule))].toSorted()

const clients = ['sound', 'puts-token-in-address', 'encrypts-with-another-vector'] as const

test('a recording yields the same verdicts as the journal', async () => {
  const conducts = clients.map((id) =>
    id === 'sound' ? sound : { ...sound, ...variantOf(id).conduct },
  )
  const seen = await Promise.all(conducts.map(seenTwice))
  expect(seen.map(({ recording }) => rulesWith('fail', recording))).toEqual(
    seen.map(({ journal }) => rulesWith('fail', journal)),
  )
  expect(seen.map(({ journal }) => rulesWith('fail', journal))).toEqual([
    [],
    ['client.tokens.by-stage'],
    ['client.encryption.right'],
  ])
  const [{ journal, recording }] = seen as [(typeof seen)[number]]
  // What a client wrote down is no part of a recording.
  expect([...rulesWith('pass', recording), 'client.outcome.exactly-once'].toSorted()).toEqual(
    rulesWith('pass', journal),
  )
})
