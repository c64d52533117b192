import exec from 'k6/execution'
import { callUpload, closeBatch, readBatchOpened } from '../../lib/flows/batch.ts'
import type { BatchSession } from '../../lib/flows/batch.ts'
import type { Client } from '../../lib/client.ts'
import type { BatchAssignment } from '../assignment.ts'
import { openWhole } from '../corpus-file.ts'
import type { OpenCorpusFile } from '../corpus-file.ts'
import { report } from '../report.ts'
import { scheduled } from '../scenario.ts'
import type { Scenario } from '../scenario.ts'
import { createAccess, enter, followToEnd, reportReady } from '../sessions.ts'
import type { Entered } from '../sessions.ts'

/** Packages of invoices, each a batch session; the parts of a package are uploaded side by side. */

export const batchUpload = (
  assignment: BatchAssignment,
  openFile: OpenCorpusFile,
): Scenario<Entered> => {
  const access = createAccess(assignment)
  const packages = assignment.packages.map(({ open, parts }) => ({
    open,
    parts: parts.map((part) => openWhole(openFile, part)),
  }))

  const upload = async (
    client: Client,
    { uploads }: BatchSession,
    session: number,
    ordinal: number,
    bytes: Uint8Array,
    due: number,
  ): Promise<boolean> => {
    const place = uploads.find(({ ordinalNumber }) => ordinalNumber === ordinal)
    const line = { t: 'call', op: 'sessions.uploadPart', i: ordinal, session, due } as const
    const begun = Date.now()
    if (place === undefined) {
      report({ ...line, begun, ended: begun, status: 0 })
      return false
    }
    try {
      const { status } = await callUpload(client, place, bytes)
      report({ ...line, begun, ended: Date.now(), status })
      return status < 300
    } catch {
      report({ ...line, begun, ended: Date.now(), status: 0 })
      return false
    }
  }

  return {
    executor: scheduled(assignment),

    async setup(): Promise<Entered> {
      const entered = await enter(assignment)
      reportReady(assignment, entered.segment)
      return entered
    },

    async iteration(entered: Entered): Promise<void> {
      const session = exec.scenario.iterationInTest
      const planned = packages[session]
      if (planned === undefined) return
      const client = await access(entered)
      const opened = Date.now()
      const answer = await client.call('sessions.openBatch', { body: planned.open })
      const batch = readBatchOpened(answer)
      const parts: Uint8Array[] = []
      for (const read of planned.parts) parts.push(await read())
      const due = Date.now()
      const uploaded = await Promise.all(
        parts.map((bytes, at) => upload(client, batch, session, at + 1, bytes, due)),
      )
      if (uploaded.includes(false)) return
      await closeBatch(client, batch)
      const ref = batch.referenceNumber
      const times = { opened, closed: Date.now() }
      await followToEnd(client, 'batchSession', { session, ref, ...times })
    },

    teardown: () => Promise.resolve(),
  }
}
