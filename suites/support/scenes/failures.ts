import type { Client } from '../../../lib/client.ts'
import { decryptAes } from '../../../lib/crypto.ts'
import type { BatchPackage } from '../../../lib/flows/batch.ts'
import { batchBody } from '../../../lib/flows/batch.ts'
import { exportBody, settleExport } from '../../../lib/flows/export.ts'
import { drawSecret } from '../../../lib/flows/session.ts'
import type { Secret } from '../../../lib/flows/session.ts'
import { sealArchive } from '../../../lib/node/archive.ts'
import { otherAt } from '../../../lib/node/digests.ts'
import { formCodes } from '../checks/forms.ts'
import { spoilt } from '../documents/malformed.ts'
import { expect } from '../judging/matchers.ts'
import { neighbourKinds } from './neighbour-kinds.ts'
import { outcomeOfBatchOpening, packed } from '../steps/packages.ts'
import type { Stage } from '../callers/stage.ts'
import { fields, finish, outcomeOfInvoice } from '../steps/steps.ts'

/** Work that a service takes and that fails in its processing, each for another reason. */

/** With one key in 256 a part ends like right padding; then the archive would be at fault. */
const opensPart = async ({ parts }: BatchPackage, { key, iv }: Secret): Promise<boolean> => {
  const opened = await Promise.allSettled(parts.map(({ bytes }) => decryptAes(bytes, key, iv)))
  return opened.some(({ status }) => status === 'fulfilled')
}

export const failingPackages: Readonly<
  Record<string, (make: () => Promise<BatchPackage>) => Promise<BatchPackage>>
> = {
  'the hash of another archive': async (make) => {
    const made = await make()
    return { ...made, fileHash: otherAt(made.fileHash, 21) }
  },
  'one byte too many': async (make) => {
    const made = await make()
    return { ...made, fileSize: made.fileSize + 1 }
  },
  'another kind of archive': async (make) => ({ ...(await make()), compressionType: 'TarGz' }),
  'another key': async (make) => {
    const made = await make()
    let other = drawSecret()
    while (await opensPart(made, other)) other = drawSecret()
    return { ...made, ...other }
  },
  'an archive that is none': () => sealArchive(new TextEncoder().encode('no archive')),
  'no valid invoice': () => packed([{ bytes: spoilt }]),
}

/** Asks for an export of a time that is yet to come: it is refused, or fails. */
export const failExport = async (api: Client): Promise<void> => {
  const dateRange = {
    dateType: 'permanentStorage',
    from: new Date(api.now() + 24 * 3_600_000).toISOString(),
    restrictToPermanentStorageHwmDate: true,
  }
  const filters = { subjectType: 'subject1', dateRange }
  const body = await exportBody(api, { filters }, drawSecret())
  const { referenceNumber } = fields(await api.call('exports.create', { body }))
  if (typeof referenceNumber === 'string') await settleExport(api, { referenceNumber })
}

type Fail = (stage: Stage) => Promise<unknown>

const ofSessions: Readonly<Record<string, Fail>> = {
  ...Object.fromEntries(
    Object.entries(failingPackages).map(([what, spoil]) => [
      `a package with ${what}`,
      async ({ me: { api }, invoice }: Stage) => {
        const batch = await spoil(() => packed([invoice()]))
        const body = await batchBody(api, batch, formCodes.fa3)
        const opened = await api.call('sessions.openBatch', { body })
        const outcome = await outcomeOfBatchOpening(api, batch, opened)
        expect('succeeded' in outcome && outcome.succeeded, `a package with ${what}`).toBe(false)
      },
    ]),
  ),
  'a session without a valid invoice': async ({ me: { api }, session }) => {
    const desk = { api, session: await session() }
    await outcomeOfInvoice(desk, spoilt)
    expect((await finish(desk)).succeeded, 'a session without a valid invoice').toBe(false)
  },
  'an empty session': async ({ me: { api }, session }) =>
    expect((await finish({ api, session: await session() })).succeeded).toBe(false),
  'a rejected invoice': (stage) => neighbourKinds['rejected invoice'].make(stage),
}

const ofLogins: Readonly<Record<string, Fail>> = {
  'a login of a stranger': (stage) => neighbourKinds['failed login'].make(stage),
}

/** Kinds of things, and what fails beside one of them. */
export const failuresBeside = {
  session: ofSessions,
  package: ofSessions,
  export: { 'an export of the future': ({ me }) => failExport(me.api) },
  login: ofLogins,
  'login to be redeemed': ofLogins,
} as const satisfies Readonly<Partial<Record<keyof typeof neighbourKinds, Record<string, Fail>>>>
