import { gzipSync } from 'node:zlib'
import { expect, test } from '@playwright/test'
import fc from 'fast-check'
import { BadArchive, readArchive, writeArchive } from '../../reference/invoices/archive.ts'
import { sessionsPolicy } from '../../reference/policy/sessions.ts'

const bounds = {
  bytes: 1_000_000,
  entries: 100,
  nameAllowed: sessionsPolicy.archiveNameAllowed,
  expansionAllowed: sessionsPolicy.archiveExpansionAllowed,
  entryAllowed: sessionsPolicy.archiveEntryAllowed,
  checkValueFits: sessionsPolicy.archiveCheckValueFits,
}
const kinds = ['Zip', 'TarGz'] as const
const text = (content: string) => new Uint8Array(Buffer.from(content))
const at = new Date('2026-06-15T08:00:00Z')

const refusal = async (bytes: Uint8Array, kind: 'Zip' | 'TarGz', with_ = bounds) => {
  try {
    await readArchive(bytes, kind, with_)
  } catch (error) {
    if (error instanceof BadArchive) return error.message
    throw error
  }
  return undefined
}

for (const kind of kinds) {
  test(`${kind}: what is written is read, names and bytes and order`, async () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
    const entry = fc.record({
      name: name
        .map((given) => `${given.replace(/[/\\:\0]/g, '_')}.xml`)
        .filter((given) => given.trim() === given && Buffer.byteLength(given) < 90),
      bytes: fc.string({ maxLength: 300 }).map((content) => text(`<${content}`)),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 8 }), async (entries) => {
        const read = await readArchive(await writeArchive(entries, kind, at), kind, bounds)
        expect(read.map((one) => [one.name, Buffer.from(one.bytes).toString()])).toEqual(
          entries.map((one) => [one.name, Buffer.from(one.bytes).toString()]),
        )
      }),
      { numRuns: 60 },
    )
  })

  for (const name of ['../x.xml', '/etc/x.xml', 'a/../../x.xml', 'C:/x.xml']) {
    test(`${kind}: the name ${name} is refused`, async () => {
      const archive = await writeArchive([{ name, bytes: text('<x/>') }], kind, at)
      expect(await refusal(archive, kind)).toMatch(/leaves the package/)
    })
  }

  test(`${kind}: a nested archive is refused`, async () => {
    const bytes = await writeArchive([{ name: 'a.xml', bytes: text('<a/>') }], kind, at)
    const outer = await writeArchive([{ name: 'inner', bytes }], kind, at)
    expect(await refusal(outer, kind)).toMatch(/archive itself/)
  })

  test(`${kind}: an archive that unpacks to too many bytes is refused`, async () => {
    const bomb = await writeArchive([{ name: 'b.xml', bytes: new Uint8Array(3e6) }], kind, at)
    expect(await refusal(bomb, kind)).toMatch(/unpacks to more/)
  })

  test(`${kind}: reading stops one entry above the bound`, async () => {
    const entries = Array.from({ length: 20 }, (_, index) => ({
      name: `${index}.xml`,
      bytes: text('<x/>'),
    }))
    const archive = await writeArchive(entries, kind, at)
    expect(await readArchive(archive, kind, { ...bounds, entries: 5 })).toHaveLength(6)
  })

  test(`${kind}: a damaged archive is either refused or read correctly`, async () => {
    const entries = [1, 2, 3].map((n) => ({ name: `${n}.xml`, bytes: text(`<x>${n}</x>`) }))
    const whole = await writeArchive(entries, kind, at)
    const damage = fc.record({
      cut: fc.nat(whole.length),
      at: fc.nat(whole.length - 1),
      byte: fc.nat(255),
    })
    await fc.assert(
      fc.asyncProperty(damage, async (where) => {
        const bytes = Uint8Array.from(whole)
        bytes[where.at] = where.byte
        for (const damaged of [bytes, bytes.slice(0, where.cut)])
          expect(await refusal(damaged, kind)).not.toBe('')
      }),
      { numRuns: 150 },
    )
  })
}

/** One header of a tar archive, of an entry without bytes, and the end of the archive. */
const tarOf = (name: string, type: string, target = ''): Buffer => {
  const tar = Buffer.alloc(3 * 512)
  tar.write(name, 0)
  tar.write('0000777\0', 100)
  tar.write('00000000000\0', 124)
  tar.write('00000000000\0', 136)
  tar.write(`        ${type}`, 148)
  tar.write(target, 157)
  tar.write('ustar\x0000', 257)
  const sum = tar.subarray(0, 512).reduce((total, byte) => total + byte, 0)
  tar.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return tar
}

const tarTypes = {
  '1': 'link',
  '2': 'symlink',
  '3': 'character-device',
  '4': 'block-device',
  '6': 'fifo',
  '7': 'contiguous-file',
}

for (const [type, name] of Object.entries(tarTypes)) {
  test(`TarGz: a ${name} is refused`, async () => {
    const archive = gzipSync(tarOf('x.xml', type, '/etc/passwd'))
    expect(await refusal(archive, 'TarGz')).toBe(`The entry x.xml is a ${name}`)
  })
}

/** The first entry of a ZIP archive with this mode of Unix. */
const withMode = (archive: Uint8Array, mode: number): Uint8Array => {
  const bytes = Buffer.from(archive)
  bytes.writeUInt32LE(mode * 0x10000, bytes.indexOf('PK\x01\x02', 'latin1') + 38)
  return bytes
}

const modes = {
  fifo: 0o010644,
  'character device': 0o020644,
  'block device': 0o060644,
  link: 0o120777,
  socket: 0o140644,
}

for (const [what, mode] of Object.entries(modes)) {
  test(`Zip: a ${what} is refused`, async () => {
    const archive = await writeArchive([{ name: 'x.xml', bytes: text('<x/>') }], 'Zip', at)
    expect(await refusal(withMode(archive, mode), 'Zip')).toBe('The entry x.xml is no regular file')
  })
}

test('Zip: a file is accepted with and without a mode', async () => {
  const archive = await writeArchive([{ name: 'x.xml', bytes: text('<x/>') }], 'Zip', at)
  for (const mode of [0, 0o100644, 0o100000, 0o000644])
    expect(await readArchive(withMode(archive, mode), 'Zip', bounds)).toHaveLength(1)
})

test('more folders than the maximum number of entries are refused', async () => {
  const names = Array.from({ length: 2 * bounds.entries + 2 }, (_, n) => `${n}/`)
  const tar = Buffer.concat(names.map((name) => tarOf(name, '5').subarray(0, 512)))
  const folders = [
    ['TarGz', gzipSync(Buffer.concat([tar, Buffer.alloc(1024)]))],
    [
      'Zip',
      await writeArchive(
        names.map((name) => ({ name, bytes: text('') })),
        'Zip',
        at,
      ),
    ],
  ] as const
  for (const [kind, archive] of folders)
    expect(await refusal(archive, kind), kind).toBe('The package has more than 100 folders')
})
