/** A thread that verifies documents: reports that it is up, then answers questions in their order. */

import { parentPort } from 'node:worker_threads'
import { policy } from '../policy/policy.ts'
import { prepareSchema } from '../xml/schemas.ts'
import type { Finding, Question } from './verifier-pool.ts'
import type { Verdict } from './verify.ts'
import { verify } from './verify.ts'

const verdictOn = ({ submission }: Question): Verdict | undefined => {
  try {
    return verify(submission, policy)
  } catch {
    // The service verifies the document itself then, and journals the error.
    return undefined
  }
}

parentPort?.on('message', (questions: readonly Question[]) => {
  const findings = questions.map((question): Finding => {
    const verdict = verdictOn(question)
    return { id: question.id, ...(verdict !== undefined && { verdict }) }
  })
  parentPort?.postMessage(findings)
})
prepareSchema('fa3.xsd')
parentPort?.postMessage('up')
