import type { Client } from '../../../lib/client.ts'
import { limits } from '../../../contract/limits.ts'
import { isoDay } from '../../../lib/local-time.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import { packBatch } from '../../../lib/node/archive.ts'
import type { Fixtures } from '../../support/harness/fixtures.ts'
import { spoilt } from '../../support/documents/malformed.ts'
import { outcomeOfCode } from '../../support/judging/matchers.ts'
import { meaningOfRow } from '../../support/answers/meaning.ts'
import { listInvoices, sendBatch } from '../../support/steps/packages.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { expect, test } from '../../support/harness/test.ts'

/** A package in which one document after another has an error of another kind, each beside a valid invoice. */

type Scene = Pick<Fixtures, 'invoice' | 'rng' | 'target'>

const edited = (bytes: Uint8Array, change: (xml: string) => string): Uint8Array =>
  new TextEncoder().encode(change(new TextDecoder().decode(bytes)))

/** What is wrong with a document; `accepted` is the valid invoice before it. */
const errors: Readonly<Record<string, (scene: Scene, accepted: Uint8Array) => Uint8Array>> = {
  'no document': () => spoilt,
  'no bytes': () => new Uint8Array(),
  'bytes that are no text': () => new Uint8Array([0xff, 0xfe, 0x00, 0x80]),
  'a document that ends early': ({ invoice }) => invoice().bytes.slice(0, -20),
  'a byte order mark': ({ invoice }) => edited(invoice().bytes, (xml) => `\uFEFF${xml}`),
  'a missing element': ({ invoice }) =>
    edited(invoice().bytes, (xml) => xml.replace(/<P_15>.*?<\/P_15>/, '')),
  'the number of the invoice before it': (_, accepted) => accepted,
  'a seller that the context may not issue for': ({ invoice, rng }) =>
    invoice({ seller: drawNip(rng) }).bytes,
  'a date of issue in the future': ({ invoice, target }) =>
    invoice({ issueDate: isoDay(target.now() + 40 * 24 * 3600 * 1000) }).bytes,
  'too many bytes': ({ invoice, target }) => {
    const limit = target.dialect.limits['invoice.bytes'] ?? limits['invoice.bytes'].value
    return invoice({ bytes: limit + 1 }).bytes
  },
  'an attachment, and too many bytes for it': ({ invoice, target }) => {
    const { value } = limits['invoice.bytesWithAttachment']
    const limit = target.dialect.limits['invoice.bytesWithAttachment'] ?? value
    return invoice({ attachment: true, bytes: limit + 1 }).bytes
  },
  'another schema': ({ invoice }) => invoice({ schema: 'fa2' }).bytes,
}

/** The names of the valid files, and those of the others by their error. Both of a pair have the same base name. */
const sendMixed = async (api: Client, scene: Scene) => {
  const files: Record<string, Uint8Array> = {}
  const good: string[] = []
  const bad = new Map<string, string>()
  const put = (name: string, bytes: Uint8Array): string => {
    files[name] = bytes
    return name
  }
  bad.set(put('first.xml', spoilt), 'no document, the first file')
  for (const [place, [what, make]] of Object.entries(errors).entries()) {
    const { bytes } = scene.invoice()
    good.push(put(`a/${place}.xml`, bytes))
    bad.set(put(`b/${place}.xml`, make(scene, bytes)), what)
  }
  good.push(put('last.xml', scene.invoice().bytes))
  const { settled, referenceNumber } = await sendBatch(api, await packBatch(files))
  return { settled, referenceNumber, good, bad }
}

test(
  ...familyRule('sessions.batch.errors-isolated', 'error in a package', 'of each kind'),
  async ({ login, invoice, rng, target }) => {
    const { api } = await login()
    const { settled, referenceNumber, good, bad } = await sendMixed(api, { invoice, rng, target })
    expect(settled).toHaveSucceeded('batchSession')
    const rows = await listInvoices(api, referenceNumber)
    expect(rows.length, 'invoices of the session').toBe(good.length + bad.size)
    for (const row of rows) {
      const name = String(row.invoiceFileName)
      const what = bad.get(name)
      const outcome = outcomeOfCode(row.status.code)
      if (what === undefined) expect.soft(row, `${name}, valid`).toHaveSucceeded('invoice')
      else expect.soft(outcome, `${name}: ${what}`).toBe('failure')
    }
  },
)

test(
  ...familyRule('sessions.batch.failed-list', 'error in a package', 'of each kind'),
  async ({ login, invoice, rng, target }) => {
    const { api } = await login()
    const { referenceNumber, bad } = await sendMixed(api, { invoice, rng, target })
    const all = await listInvoices(api, referenceNumber)
    const failed = await listInvoices(api, referenceNumber, 'sessions.failed')
    expect(failed.map((row) => String(row.invoiceFileName)).toSorted(), 'failed files').toEqual(
      [...bad.keys()].toSorted(),
    )
    for (const row of failed) {
      const what = bad.get(String(row.invoiceFileName))
      expect.soft(row.status.description, `description of the failure: ${what}`).toMatch(/\S/)
      const same = all.find((one) => one.referenceNumber === row.referenceNumber)
      const [stated, among] = [
        meaningOfRow('sessions.failed', 'invoices', row),
        meaningOfRow('sessions.invoices', 'invoices', same ?? {}),
      ]
      expect.soft(stated['status'], `its status among all: ${what}`).toEqual(among['status'])
    }
  },
)
