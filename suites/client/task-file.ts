import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isoDay } from '../../lib/local-time.ts'
import type { MadeDocument } from './made-documents.ts'
import { makeDocuments } from './made-documents.ts'
import type { Ordeal } from './ordeal.ts'
import type { World } from './world.ts'

/** What the client receives: its environment and its task. */

export function environmentOf(origin: string, folder: string, { context, dialect }: World) {
  return {
    ASSAY_URL: origin + dialect.prefix,
    ASSAY_TASK: path.join(folder, 'task.json'),
    ASSAY_BELIEFS: path.join(folder, 'beliefs.ndjson'),
    ASSAY_DATA: path.join(folder, 'data'),
    ASSAY_DIALECT: dialect.id,
    ASSAY_CONTEXT: context.value,
    ASSAY_TOKEN: context.token,
    ASSAY_CERTIFICATE: context.certificate,
    ASSAY_KEY: context.key,
  }
}

/** Writes the task: documents, credentials, where to report. */
export function prepare(
  {
    ordeal,
    dialect: spoken,
    seed,
    folder,
    world,
  }: {
    readonly ordeal: Ordeal
    /** Id of the dialect. */
    readonly dialect: string
    readonly seed: number
    readonly folder: string
    readonly world: World
  },
  origin: string,
): MadeDocument[] {
  const { context, dialect, running } = world
  const clock = running.clock.now()
  const documents = makeDocuments(ordeal.documents ?? {}, {
    seed,
    seller: context.value,
    stranger: '5260250274' === context.value ? '5252248481' : '5260250274',
    today: isoDay(clock),
    folder: path.join(folder, 'documents'),
  })
  mkdirSync(path.join(folder, 'data'), { recursive: true })
  const task = {
    url: origin + dialect.prefix,
    dialect: spoken,
    environment: ordeal.service?.environment ?? 'test',
    context: { type: 'Nip', value: context.value },
    token: context.token,
    certificate: context.certificate,
    key: context.key,
    mode: ordeal.mode ?? 'online',
    issue: documents.map(({ id, file, number, issueDate }) => ({ id, file, number, issueDate })),
    ...(ordeal.createToken && {
      createToken: { permissions: ['InvoiceRead'], description: `examination ${seed}` },
    }),
    ...(ordeal.receive && {
      receive: {
        subjectType: 'subject2',
        from: new Date(clock - 3_600_000).toISOString(),
        by: ordeal.receive.by ?? 'query',
        pageSize: 10,
      },
    }),
    beliefs: path.join(folder, 'beliefs.ndjson'),
    data: path.join(folder, 'data'),
  }
  writeFileSync(path.join(folder, 'task.json'), JSON.stringify(task, undefined, 2), { mode: 0o600 })
  return documents
}
