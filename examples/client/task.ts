import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Context } from '../../lib/flows/login.ts'

/** What the client is asked to do, as `docs/guides/examine-your-client.md` describes it. */

export interface TaskDocument {
  readonly id: string
  /** Path of the XML, sent as it is. */
  readonly file: string
  /** P_2 of the document. */
  readonly number: string
  /** P_1, ISO date. */
  readonly issueDate: string
}

export interface Task {
  readonly url: string
  readonly dialect: string
  readonly environment: string
  readonly context: Context
  readonly token: string
  readonly issue: readonly TaskDocument[]
  /** How to issue: one document after the other, or all in one package. */
  readonly mode: 'online' | 'batch'
  readonly createToken:
    | { readonly permissions: readonly string[]; readonly description: string }
    | undefined
  readonly receive:
    | {
        readonly subjectType: 'subject1' | 'subject2'
        /** ISO instant. */
        readonly from: string
        readonly by: 'query' | 'export'
        readonly pageSize: number
      }
    | undefined
  /** Where the client writes what it believes, NDJSON. */
  readonly beliefs: string
  /** A folder that outlives the process. */
  readonly data: string
}

/**
 * Reads `ASSAY_URL` and `ASSAY_TASK`.
 * @throws {Error} when one of them is missing
 */
export function readTask(env: Readonly<Record<string, string | undefined>>): Task {
  const file = env['ASSAY_TASK']
  if (file === undefined)
    throw new Error('ASSAY_TASK: expected the path of a task file, received none')
  const given = JSON.parse(readFileSync(file, 'utf8')) as Partial<Task>
  const url = env['ASSAY_URL'] ?? given.url
  if (url === undefined)
    throw new Error('ASSAY_URL: expected the address of the service, received none')
  if (given.context === undefined || given.token === undefined)
    throw new Error(`${file}: expected context and token, received neither or one`)
  const folder = path.dirname(file)
  return {
    url,
    dialect: given.dialect ?? 'svc',
    environment: given.environment ?? 'test',
    context: given.context,
    token: given.token,
    issue: given.issue ?? [],
    mode: given.mode ?? 'online',
    createToken: given.createToken,
    receive: given.receive,
    beliefs: given.beliefs ?? path.join(folder, 'beliefs.ndjson'),
    data: given.data ?? path.join(folder, 'data'),
  }
}
