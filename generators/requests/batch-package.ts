import type fc from 'fast-check'
import { drawn } from '../draw/arbitrary.ts'
import type { Draw } from '../draw/draw.ts'
import { drawBytes } from '../draw/draw.ts'
import { drawInvoice } from '../invoice/invoice.ts'
import type { Allocator } from '../invoice/numbers.ts'
import type { InvoiceOptions } from '../invoice/options.ts'
import type { Documents, Package } from './package.ts'
import { goodArchive, goodPackage } from './package.ts'
import type { Secret } from './payload.ts'

export interface BatchPackage extends Package, Secret {
  readonly documents: Documents
}

export interface BatchOptions extends Omit<InvoiceOptions, 'number' | 'seller'> {
  /** Gives each invoice its seller and number. */
  readonly allocator: Allocator
  readonly maxInvoices: number
}

const documentsOf = ({ allocator, maxInvoices, ...options }: BatchOptions, draw: Draw): Documents =>
  Object.fromEntries(
    Array.from({ length: draw.int(1, maxInvoices) }, (_, i) => {
      const { seller, number } = allocator.next(options.kind)
      return [`faktura-${i + 1}.xml`, drawInvoice({ ...options, seller, number }, draw).bytes]
    }),
  )

/** Valid batch packages: invoices in a ZIP archive, split into parts of any size, each part encrypted separately. */
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
