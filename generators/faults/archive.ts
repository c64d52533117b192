import { deflateRawSync, gzipSync } from 'node:zlib'
import type { RefusalId } from '../../contract/errors.ts'
import type { RuleId } from '../../contract/rules.ts'
import { limits } from '../../contract/limits.ts'
import type { Draw } from '../draw/draw.ts'
import type { Fault, Malformation } from './malformation.ts'
import { concatBytes } from '../../lib/codec.ts'
import { drawBytes } from '../draw/draw.ts'
import type { ZipEntry } from '../requests/zip.ts'
import { zip } from '../requests/zip.ts'
import type { Documents } from '../requests/package.ts'
import { entriesOf, goodArchive } from '../requests/package.ts'

interface BrokenArchive {
  /** What is sent as the archive of a batch package. */
  readonly archive: Uint8Array
  readonly fault: Fault
}

export interface ArchiveMalformation extends Malformation {
  readonly of: 'archive'
  readonly apply: (documents: Documents, draw: Draw) => BrokenArchive
}

/** One extra entry beside the valid ones. */
const beside = (entry: (first: Uint8Array) => ZipEntry) => (documents: Documents) => {
  const good = entriesOf(documents)
  return zip([...good, entry(good[0]!.content)])
}

const named = (name: string) => beside((content) => ({ name, content }))

/** The first entry with other fields. */
const first = (change: (entry: ZipEntry) => ZipEntry) => (documents: Documents) => {
  const [head, ...rest] = entriesOf(documents)
  return zip([change(head!), ...rest])
}

/** More than most programs unpack at once. */
const largeBytes = 1_200_000

const bombBytes = 200_000_000
let bomb: Uint8Array | undefined

type Make = (documents: Documents, draw: Draw) => Uint8Array

const rows: readonly (readonly [id: string, summary: string, make: Make])[] = [
  ['empty-file', 'nothing at all', () => new Uint8Array(0)],
  ['random', 'random bytes', (_, draw) => drawBytes(draw, 512)],
  ['xml', 'a document instead of an archive', (documents) => Object.values(documents)[0]!],
  [
    'gzip',
    'one compressed document instead of an archive',
    (documents) => gzipSync(Object.values(documents)[0]!),
  ],
  [
    'seven-zip',
    'the first bytes of another kind of archive',
    (_, draw) => Buffer.concat([Buffer.from('377abcaf271c0004', 'hex'), drawBytes(draw, 256)]),
  ],
  ['no-entries', 'an archive without entries', () => zip([])],
  [
    'cut',
    'the second half is missing',
    (documents) => goodArchive(documents).slice(0, goodArchive(documents).length >> 1),
  ],
  ['cut-end', 'the last byte is missing', (documents) => goodArchive(documents).slice(0, -1)],
  [
    'no-directory',
    'no directory at the end',
    (documents) => zip(entriesOf(documents), { withoutDirectory: true }),
  ],
  [
    'count-more',
    'more entries announced than there are',
    (documents) =>
      zip(entriesOf(documents), { declaredEntries: Object.keys(documents).length + 1 }),
  ],
  ['traversal', 'a name that leads upwards', named('../faktura.xml')],
  ['traversal-deep', 'a name that leads upwards from within', named('a/../../faktura.xml')],
  ['absolute', 'an absolute name', named('/etc/faktura.xml')],
  ['drive', 'a name with a drive', named('C:\\faktura.xml')],
  ['backslashes', 'a name that leads upwards with backslashes', named('..\\..\\faktura.xml')],
  ['nul', 'a name with NUL', named('faktura\u0000.xml')],
  [
    'symbolic-link',
    'a symbolic link',
    beside(() => ({
      name: 'link.xml',
      content: Buffer.from('/etc/passwd'),
      method: 0,
      external: 0o120777 << 16,
    })),
  ],
  ['encrypted', 'an entry with a password', first((entry) => ({ ...entry, flags: 0x801 }))],
  ['crc', 'an entry with a wrong check sum', first((entry) => ({ ...entry, crc: 1 }))],
  [
    'crc-of-a-large-entry',
    'an entry of more than a megabyte with a wrong check sum',
    first(({ name, content }) => ({
      name,
      content: concatBytes([content, new Uint8Array(largeBytes).fill(0x20)]),
      crc: 1,
    })),
  ],
  [
    'method',
    'an entry under a method that does not exist',
    first((entry) => ({ ...entry, method: 99 })),
  ],
  [
    'garbled',
    'compressed bytes that do not unfold',
    first((entry) => ({
      ...entry,
      raw: deflateRawSync(entry.content).map((byte, i) => (i % 7 === 3 ? byte ^ 0x55 : byte)),
    })),
  ],
  [
    'size-lies',
    'an entry that unfolds to more than it says',
    first((entry) => ({ ...entry, declaredSize: 16 })),
  ],
  [
    'nested',
    'an archive within the archive',
    beside((content) => ({ name: 'wewnatrz.zip', content: zip([{ name: 'a.xml', content }]) })),
  ],
  [
    'bomb',
    'an entry that unfolds to two hundred million bytes',
    (documents) => {
      bomb ??= deflateRawSync(new Uint8Array(bombBytes), { level: 9 })
      const entry = {
        name: 'bomba.xml',
        content: new Uint8Array(0),
        raw: bomb,
        declaredSize: bombBytes,
      }
      return zip([...entriesOf(documents), entry])
    },
  ],
]

const hostile = {
  layer: 'archive',
  of: 'archive',
  rule: 'sessions.batch.hostile-archive' satisfies RuleId,
  refusedAs: 'archive-refused' satisfies RefusalId,
} as const

/** An archive that is declared with a size of 0 is refused before it is opened. */
const announced = {
  rule: 'transport.malformed-body' satisfies RuleId,
  refusedAs: 'invalid-input' satisfies RefusalId,
} as const

/** Content that is not an archive, and archives that are broken or misleading. */
export function archives(): ArchiveMalformation[] {
  const max = limits['session.invoices'].value
  return [
    ...rows.map(([id, summary, make]): ArchiveMalformation => ({
      ...hostile,
      ...(id === 'empty-file' && announced),
      id: `archive:${id}`,
      summary,
      apply: (documents, draw) => ({
        archive: make(documents, draw),
        fault: { path: '(archive)', new: summary },
      }),
    })),
    {
      ...hostile,
      id: 'archive:one-too-many',
      rule: 'sessions.batch.ten-thousand',
      refusedAs: 'session-full',
      summary: 'one entry more than a session takes',
      apply: (documents) => {
        const [content] = Object.values(documents)
        // The copies alone would be refused one by one as duplicates; their number refuses the whole package.
        const entries = Array.from({ length: max + 1 }, (_, i) => ({
          name: `${i}.xml`,
          content: content!,
          method: 0,
        }))
        return { archive: zip(entries), fault: { path: '(archive)', new: `${max + 1} entries` } }
      },
    },
  ]
}
