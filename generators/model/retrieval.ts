import type { Client } from '../../lib/client.ts'
import { retrieveStored } from '../../lib/flows/retrieve.ts'
import { agree, agreeOk, isRefusedAs } from './divergence.ts'
import type { InvoiceState } from './state.ts'
import type { World } from './world.ts'

const rule = 'invoices.get.by-service-number'

/** A party of an accepted invoice retrieves it, byte for byte. */
export const agreeRetrieved = async (
  world: World,
  caller: Client,
  invoice: InvoiceState,
): Promise<void> => {
  const path = { svcNumber: invoice.svcNumber ?? '' }
  const got = await retrieveStored(caller, 'invoices.bySvcNumber', path, (answer, id) =>
    isRefusedAs(world, answer, id),
  )
  agreeOk(world, rule, got)
  const sent = world.handles.invoices.get(invoice)?.bytes ?? new Uint8Array()
  const same = Buffer.from(got.bytes).equals(Buffer.from(sent))
  agree(world, rule, same, 'the invoice byte for byte', `${got.bytes.length} other bytes`, got)
}
