import { gunzipSync, gzipSync } from 'node:zlib'
import type { RefusalId } from '../../../contract/errors.ts'
import type { RuleId } from '../../../contract/rules.ts'
import { entriesOf } from '../../../generators/requests/package.ts'
import { zip } from '../../../generators/requests/zip.ts'
import type { BatchPackage } from '../../../lib/flows/batch.ts'
import { decryptAes } from '../../../lib/crypto.ts'
import { drawSecret } from '../../../lib/flows/session.ts'
import { makeTarGz, packBatch, sealArchive } from '../../../lib/node/archive.ts'
import type { Files } from '../../../lib/node/archive.ts'
import { otherAt } from '../../../lib/node/digests.ts'
import { expectOk } from '../../../lib/outcome.ts'
import { filesOf, listInvoices, packed, sendBatch } from '../../support/steps/packages.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { lowerTo } from '../../support/steps/session-limits.ts'
import { fields } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Packages that fail as a whole although valid invoices come before the fault: none of these is issued. */

type Form = NonNullable<BatchPackage['compressionType']>
const forms: readonly Form[] = ['Zip', 'TarGz']
const otherForm = (form: Form): Form => (form === 'Zip' ? 'TarGz' : 'Zip')

/** As many as a package of this check can have; with a package of more, the number itself is the fault. */
const most = 3

interface Reason {
  readonly refusal: RefusalId
  /** Number of valid invoices. */
  readonly valid?: number
  readonly make: (files: Files, form: Form) => Promise<BatchPackage>
}

const good = (files: Files, form: Form, partBytes = Infinity): Promise<BatchPackage> =>
  packBatch(files, { compressionType: form, partBytes })

/** The last of several parts is encrypted with another key, and described so. */
const lastPartUnderAnotherKey: Reason['make'] = async (files, form) => {
  const secret = drawSecret()
  const options = { compressionType: form, partBytes: 400 }
  const batch = await packBatch(files, { ...options, secret })
  for (;;) {
    const { parts } = await packBatch(files, { ...options, secret: drawSecret() })
    const last = parts.slice(-1)
    const opened = last.map(({ bytes }) => decryptAes(bytes, secret.key, secret.iv))
    // With one key in 256 what comes out ends like valid padding; then only the archive shows the fault.
    if ((await Promise.allSettled(opened)).every(({ status }) => status === 'rejected'))
      return { ...batch, parts: [...batch.parts.slice(0, -1), ...last] }
  }
}

/** The last entry is damaged: its check sum in a ZIP archive, its end in a TAR archive. */
const lastEntryDamaged: Reason['make'] = (files, form) => {
  const options = { compressionType: form }
  if (form === 'TarGz') {
    const tar = gunzipSync(makeTarGz(files))
    // Without the two blocks of its end, and the last block of its last file.
    return sealArchive(gzipSync(tar.subarray(0, tar.length - 1024 - 512)), options)
  }
  const entries = entriesOf(files)
  const last = entries.slice(-1).map((entry) => ({ ...entry, crc: 1 }))
  return sealArchive(zip([...entries.slice(0, -1), ...last]), options)
}

const reasons: Readonly<Partial<Record<RuleId, Readonly<Record<string, Reason>>>>> = {
  'sessions.batch.ten-thousand': {
    'one invoice too many': { refusal: 'session-full', valid: most + 1, make: good },
    'twice as many': { refusal: 'session-full', valid: 2 * most, make: good },
  },
  'sessions.batch.close': {
    'the hash of another archive': {
      refusal: 'package-hash-mismatch',
      async make(files, form) {
        const batch = await good(files, form)
        return { ...batch, fileHash: otherAt(batch.fileHash, 21) }
      },
    },
    'one byte too many': {
      refusal: 'package-hash-mismatch',
      async make(files, form) {
        const batch = await good(files, form, 400)
        return { ...batch, fileSize: batch.fileSize + 1 }
      },
    },
    'a last part under another key': {
      refusal: 'package-undecryptable',
      make: lastPartUnderAnotherKey,
    },
    'another kind of archive': {
      refusal: 'archive-refused',
      make: async (files, form) => ({
        ...(await good(files, form)),
        compressionType: otherForm(form),
      }),
    },
  },
  'sessions.batch.hostile-archive': {
    'a damaged last entry': { refusal: 'archive-refused', make: lastEntryDamaged },
    'a last name that leads upwards': {
      refusal: 'archive-refused',
      make: (files, form) =>
        good({ ...files, '../last.xml': new TextEncoder().encode('<Faktura/>') }, form),
    },
  },
}

for (const rule of Object.keys(reasons) as (keyof typeof reasons)[])
  test(...familyRule(rule, 'refused package'), async ({ login, invoice }) => {
    const { api } = await login()
    const isLimited = rule === 'sessions.batch.ten-thousand'
    if (isLimited) await lowerTo(api, most)
    const refused: { readonly what: string; readonly referenceNumber: string }[] = []
    const documents: { readonly what: string; readonly bytes: Uint8Array }[] = []
    for (const [reason, { refusal, valid = most, make }] of Object.entries(reasons[rule] ?? {}))
      for (const form of forms) {
        const what = `${form} with ${reason}`
        const own = Array.from({ length: valid }, () => ({ what, bytes: invoice().bytes }))
        const { settled, referenceNumber } = await sendBatch(api, await make(filesOf(own), form))
        expect.soft(settled, what).toBeRejected(refusal)
        refused.push({ what, referenceNumber })
        documents.push(...own)
      }
    if (isLimited) expectOk(await api.call('testdata.restoreSessionLimits'), 'restore the limits')
    const again = await sendBatch(api, await packed(documents))
    // In the order of their names, which is that of their places.
    const rows = (await listInvoices(api, again.referenceNumber)).toSorted((a, b) =>
      String(a.invoiceFileName) < String(b.invoiceFileName) ? -1 : 1,
    )
    expect(rows.length, 'the invoices of them all, in a package as it should be').toBe(
      documents.length,
    )
    for (const [place, row] of rows.entries())
      expect(row, `of ${documents[place]?.what}, sent again`).toHaveSucceeded('invoice')
    for (const { what, referenceNumber } of refused) {
      const accepted = (await listInvoices(api, referenceNumber)).filter(
        ({ svcNumber }) => typeof svcNumber === 'string',
      )
      expect(accepted, `accepted invoices of ${what}`).toEqual([])
      const status = fields(await api.call('sessions.status', { path: { referenceNumber } }))
      expect(status['successfulInvoiceCount'] ?? 0, `how many were accepted of ${what}`).toBe(0)
    }
  })
