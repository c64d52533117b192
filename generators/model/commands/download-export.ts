import fc from 'fast-check'
import { downloadExport as download } from '../../../lib/flows/export.ts'
import { readZip } from '../../../lib/node/archive.ts'
import type { Files } from '../../../lib/node/archive.ts'
import { command, named } from '../command.ts'
import { agree, Divergence } from '../divergence.ts'
import { settleAll, settlePackage } from '../settling.ts'
import { ahead, clear, invoicesFor, isRecent, over } from '../state.ts'
import type { ExportState, Model } from '../state.ts'
import type { World } from '../world.ts'

const comparePackage = (model: Model, world: World, one: ExportState, files: Files): void => {
  const rule = 'exports.package.content'
  const wanted = one.holds.map(({ svcNumber }) => `${svcNumber}.xml`).toSorted()
  const found = Object.keys(files).filter((name) => name.endsWith('.xml'))
  const missing = wanted.filter((name) => !found.includes(name))
  agree(
    world,
    rule,
    missing.length === 0,
    'every accepted invoice',
    `none of ${missing.join(', ')}`,
  )
  // What was accepted while the package was being made may be in it or not.
  const allowed = new Set(
    invoicesFor(model, { context: one.party.context, role: one.role }).map(
      ({ svcNumber }) => `${svcNumber}.xml`,
    ),
  )
  const others = found.filter((name) => !allowed.has(name))
  if (world.shared !== true)
    agree(world, rule, others.length === 0, 'nothing else', others.join(', '))
  for (const invoice of one.holds) {
    const bytes = Buffer.from(files[`${invoice.svcNumber}.xml`] ?? [])
    const same = bytes.equals(world.handles.invoices.get(invoice)?.bytes ?? new Uint8Array())
    agree(world, rule, same, `${invoice.svcNumber} byte for byte`, `${bytes.length} other bytes`)
  }
}

const fetchFiles = async (model: Model, world: World, one: ExportState): Promise<Files> => {
  const started = world.handles.exports.get(one)
  const settled = await settlePackage(model, world, one)
  if (started === undefined || settled === undefined) return {}
  try {
    return readZip(await download(await world.observer(one.party.context), started, settled))
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    throw new Divergence('exports.package.content', 'a package that can be read', said)
  }
}

/** Downloads the package of an export and compares it; once it has expired there is none. */
export const downloadExport = () =>
  fc.nat(7).map((drawn) =>
    command<ExportState>({
      name: 'download an export',
      find: (model) =>
        model.choices.pick(
          model.exports.filter(
            ({ askedAt, expiresAt }) =>
              isRecent(model, askedAt) && (expiresAt === undefined || clear(model, expiresAt)),
          ),
          drawn,
        ),
      says: (model, one) =>
        `${one.party.name} downloads ${named('export', model.exports, one)}${
          one.expiresAt !== undefined && over(model, one.expiresAt) ? ' after its expiry' : ''
        }`,
      async act(model, world, one) {
        if (one.expiresAt === undefined || ahead(model, one.expiresAt)) {
          const files = await fetchFiles(model, world, one)
          await settleAll(model, world)
          return comparePackage(model, world, one, files)
        }
        const settled = await settlePackage(model, world, one)
        const code = settled?.status.code
        const look = settled?.exchanges.at(-1)
        agree(
          world,
          'exports.expiry',
          code === 210,
          'an expired export (210)',
          `state ${code}`,
          look,
        )
      },
    }),
  )
