import { archives } from '../../../generators/faults/archive.ts'
import { seededDraw } from '../../../generators/draw/draw.ts'
import { entriesOf } from '../../../generators/requests/package.ts'
import { zip } from '../../../generators/requests/zip.ts'
import type { ZipEntry } from '../../../generators/requests/zip.ts'
import { makeTarGz, sealArchive } from '../../../lib/node/archive.ts'
import { filesOf, listInvoices, nameOf, sendBatch } from '../../support/steps/packages.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Archives in every form: broken or misleading ones fail as a whole, the others are read as they are. */

const rule = 'sessions.batch.hostile-archive'

for (const entry of archives().filter((one) => one.rule === rule))
  test(
    ...familyRule(rule, 'hostile archive', entry.id.slice(entry.id.indexOf(':') + 1)),
    async ({ login, invoice, rng }) => {
      const { api } = await login()
      const seed = rng.int32()
      const { archive } = entry.apply(filesOf([invoice(), invoice()]), seededDraw(seed))
      const { settled, referenceNumber } = await sendBatch(api, await sealArchive(archive))
      expect(settled, `${entry.summary}, seed ${seed}`).toBeRejected(entry.refusedAs)
      const accepted = (await listInvoices(api, referenceNumber)).filter(
        ({ svcNumber }) => typeof svcNumber === 'string',
      )
      expect(accepted, 'accepted invoices').toEqual([])
    },
  )

for (const kind of ['hard link', 'symbolic link', 'device'] as const)
  test(...familyRule(rule, 'hostile archive', `${kind}, tar.gz`), async ({ login, invoice }) => {
    const { api } = await login()
    const files = filesOf([invoice(), invoice()])
    const archive = makeTarGz(files, [{ name: 'odd.xml', kind, target: nameOf(0) }])
    const batch = await sealArchive(archive, { compressionType: 'TarGz' })
    const { settled } = await sendBatch(api, batch)
    expect(settled, `an archive with a ${kind}`).toBeRejected('archive-refused')
  })

test(
  ...familyRule('sessions.batch.close', 'form of an archive', 'with folders, tar.gz'),
  async ({ login, invoice }) => {
    const { api } = await login()
    const documents = [invoice(), invoice()]
    const archive = makeTarGz(filesOf(documents), [
      { name: 'folder/', kind: 'folder' },
      { name: 'folder/empty/', kind: 'folder' },
    ])
    const batch = await sealArchive(archive, { compressionType: 'TarGz' })
    const { settled, referenceNumber } = await sendBatch(api, batch)
    expect(settled).toHaveSucceeded('batchSession')
    const rows = await listInvoices(api, referenceNumber)
    expect(
      rows.map(({ invoiceNumber }) => invoiceNumber),
      'invoices of the archive',
    ).toEqual(documents.map(({ number }) => number))
  },
)

/** Archives that differ from what most programs write, and hold the same documents. */
const forms: Readonly<Record<string, (entries: readonly ZipEntry[]) => Uint8Array>> = {
  'not compressed': (entries) => zip(entries.map((entry) => ({ ...entry, method: 0 }))),
  'compressed in part': (entries) =>
    zip(entries.map((entry, at) => (at % 2 === 0 ? { ...entry, method: 0 } : entry))),
  'in reverse order': (entries) => zip(entries.toReversed()),
  'with a comment': (entries) => zip(entries, { comment: 'PK\u0005\u0006 of a program' }),
  'with folders': (entries) =>
    zip([
      { name: 'folder/', content: new Uint8Array(), method: 0 },
      { name: 'folder/empty/', content: new Uint8Array(), method: 0 },
      ...entries.map((entry) => ({ ...entry, name: `folder/${entry.name}` })),
    ]),
}

for (const [what, write] of Object.entries(forms))
  test(
    ...familyRule('sessions.batch.close', 'form of an archive', what),
    async ({ login, invoice }) => {
      const { api } = await login()
      const documents = [invoice(), invoice(), invoice()]
      const archive = write(entriesOf(filesOf(documents)))
      const { settled, referenceNumber } = await sendBatch(api, await sealArchive(archive))
      expect(settled).toHaveSucceeded('batchSession')
      const rows = await listInvoices(api, referenceNumber)
      expect(rows.length, 'invoices of the archive').toBe(documents.length)
      for (const [place, { number }] of documents.entries()) {
        const row = rows.find(({ invoiceNumber }) => invoiceNumber === number)
        expect(row ?? { status: { code: 0 } }, number).toHaveSucceeded('invoice')
        expect(row?.invoiceFileName, `the name of ${number}`).toContain(nameOf(place))
      }
    },
  )

/** Names as long as a reported name can be, and longer; in characters of one, two and four bytes. */
const longestName = 128

test(
  ...familyRule('sessions.invoices.complete', 'form of an archive', 'long names'),
  async ({ login, invoice }) => {
    const { api } = await login()
    const names = ['a', 'ą', '😀'].flatMap((letter) =>
      [longestName, longestName + 1, 2 * longestName].map(
        (length) => `${letter.repeat(length - 4)}.xml`,
      ),
    )
    const entries = names.map((name) => ({ name, content: invoice().bytes }))
    const { settled, referenceNumber } = await sendBatch(api, await sealArchive(zip(entries)))
    // Whether a longer name is refused is not specified; what is reported has room for the longest only.
    if (!settled.succeeded) return
    const reported = await listInvoices(api, referenceNumber)
    expect(reported.length, 'invoices of the archive').toBe(names.length)
    for (const { invoiceFileName = '' } of reported)
      expect(Array.from(invoiceFileName).length, 'letters of a name').toBeLessThanOrEqual(
        longestName,
      )
    for (const name of names.filter((one) => Array.from(one).length === longestName))
      expect(
        reported.map(({ invoiceFileName }) => invoiceFileName),
        'the longest name',
      ).toContain(name)
  },
)
