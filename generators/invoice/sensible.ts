import { drawInternalId } from '../../lib/identifiers/internal-id.ts'
import { drawNip } from '../../lib/identifiers/nip.ts'
import { drawServiceNumber } from '../../lib/identifiers/service-number.ts'
import type { Draw } from '../draw/draw.ts'
import type { Steering } from '../schema/arbitrary.ts'
import { freely } from '../schema/arbitrary.ts'

/** Values that mean something beyond their type, by the name of the element. */
const byName: Readonly<Record<string, (draw: Draw) => string>> = {
  NIP: drawNip,
  IDWew: (draw) => drawInternalId(draw, drawNip(draw)),
  NrKSeFFaKorygowanej: (draw) => drawServiceNumber(draw, drawNip(draw), '2026-03-02'),
  NrKSeFFaZaliczkowej: (draw) => drawServiceNumber(draw, drawNip(draw), '2026-03-02'),
  // Not before it is issued: a service refuses an invoice from the future.
  P_1: (draw) => `2026-0${draw.int(2, 5)}-1${draw.int(0, 9)}`,
}

/** Draws identifiers with right check digits, and everything else as the schema says. */
export const sensibly: Steering = {
  ...freely,
  value: (type, path, draw) => {
    const make = byName[path.slice(path.lastIndexOf('/') + 1)]
    return make ? make(draw) : freely.value(type, path, draw)
  },
}

/** Whether the value at a path means something beyond its type. */
export const isSensible = (path: string): boolean =>
  Object.hasOwn(byName, path.slice(path.lastIndexOf('/') + 1))
