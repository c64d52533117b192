import type fc from 'fast-check'
import { drawn } from '../draw.ts'
import { drawInvoice } from '../invoice/invoice.ts'
import type { InvoiceOptions } from '../invoice/options.ts'
import type { Documents } from '../faults/archive.ts'
import { goodArchive } from '../faults/archive.ts'
import type { Package } from '../faults/batch.ts'
import { goodPackage } from '../faults/batch.ts'
import { drawBytes } from '../faults/payload.ts'
import type { Allocator } from '../numbers.ts'
import type { Secret } from './submission.ts'

export interface BatchPackage extends Package, Secret {
  readonly documents: Documents
}

export interface BatchOptions extends Omit<InvoiceOptions, 'number' | 'seller'> {
  /** Gives each invoice its seller and number. */
  readonly allocator: Allocator
  /** Invoices at most. */
  readonly most: number
}

const documentsOf = (
  { allocator, most, ...options }: BatchOptions,
  draw: Parameters<Parameters<typeof drawn>[0]>[0],
): Documents =>
  Object.fromEntries(
    Array.from({ length: draw.int(1, most) }, (_, i) => {
      const { seller, number } = allocator.next(options.kind)
      return [`faktura-${i + 1}.xml`, drawInvoice({ ...options, seller, number }, draw).bytes]
    }),
  )

/** Valid batch packages: some invoices in a ZIP archive, cut into parts of any size, each encrypted on its own. */
export function batchPackage(options: BatchOptions): fc.Arbitrary<BatchPackage> {
  return drawn((draw) => {
    const documents = documentsOf(options, draw)
    const archive = goodArchive(documents)
    const parts = draw.int(1, Math.min(8, archive.length))
    const secret = { key: drawBytes(draw, 32), iv: drawBytes(draw, 16) }
    const partBytes = Math.ceil(archive.length / parts)
    return { documents, ...secret, ...goodPackage({ archive, ...secret, partBytes }) }
  })
}
