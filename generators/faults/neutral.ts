import type { Steering } from '../schema/arbitrary.ts'
import type { Element } from '../schema/document.ts'
import { textAt } from '../schema/document.ts'
import { checkSimple } from '../schema/check.ts'
import type { SimpleType } from '../schema/model.ts'
import { sensibly } from '../invoice/sensible.ts'

/** Values that agree with any invoice, by the name of the element. */
const byName: Readonly<Record<string, string>> = {
  KodUE: 'DE',
  NrWiersza: '1',
  P_NrWierszaNST: '1',
  NrWierszaFa: '1',
  Typ: 'txt',
  ZnacznikZaplatyCzesciowej: '1',
  KodWaluty: 'PLN',
  TKodWaluty: 'PLN',
}

/** Amounts of zero change no sum; days and instants are those of the issue. */
function neutralValue(type: SimpleType, name: string, issued: string): string | undefined {
  const named = byName[name]
  const tries = [
    ...(named === undefined ? [] : [named]),
    ...(type.kind === 'atomic' && type.primitive === 'decimal' ? ['0.00', '0'] : []),
    ...(type.kind === 'atomic' && type.primitive === 'date' ? [issued] : []),
    ...(type.kind === 'atomic' && type.primitive === 'dateTime' ? [`${issued}T12:00:00Z`] : []),
  ]
  return tries.find((value) => checkSimple(type, value) === undefined)
}

/**
 * Draws what is put into an invoice so that the rest of the invoice still agrees with it: a malformed document has one
 * fault, not a second one that came with the place for the first.
 */
export function neutrally(document: Element): Steering {
  const issued = textAt(document, 'Fa', 'P_1') ?? '2026-03-02'
  return {
    ...sensibly,
    value: (type, path, draw) => {
      const name = path.slice(path.lastIndexOf('/') + 1).replace(/^@/, '')
      return neutralValue(type, name, issued) ?? sensibly.value(type, path, draw)
    },
  }
}
