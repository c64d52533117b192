import type { RefusalId } from '../../contract/errors.ts'
import type { RuleId } from '../../contract/rules.ts'
import type { Draw } from '../draw/draw.ts'
import type { Element } from '../schema/document.ts'
import { serializeText } from '../schema/serialize.ts'
import type { Fault, InvoiceMalformation, Judge } from './malformation.ts'
import { everySchema } from './malformation.ts'

/** What the layers share that change a document after it was written. */

export const utf8 = new TextEncoder()

/** The written document cut at one place: the text before it, the thing itself, and the text after it. */
export interface Cut {
  readonly before: string
  readonly at: string
  readonly behind: string
}

/** Cuts around the text of the first element of a name below another. */
export function cutText(text: string, ...names: readonly string[]): Cut {
  let from = 0
  for (const name of names) {
    const found = text.indexOf(`<${name}`, from)
    from = text.indexOf('>', found) + 1
  }
  const end = text.indexOf('<', from)
  return { before: text.slice(0, from), at: text.slice(from, end), behind: text.slice(end) }
}

export interface TextClass {
  readonly id: string
  readonly summary: string
  readonly rule?: RuleId
  readonly refusedAs?: RefusalId
  /** The text, or the bytes where the fault is no text. */
  readonly write: (text: string, draw: Draw) => string | Uint8Array
  readonly fault?: Fault
}

/** Turns changes of the written document into malformations. */
export function textMalformations(
  layer: string,
  seenBy: Judge,
  refusedAs: RefusalId,
  rule: RuleId,
  classes: readonly TextClass[],
): InvoiceMalformation[] {
  return classes.map(({ id, summary, write, fault, ...own }) => ({
    id,
    layer,
    of: 'invoice',
    rule: own.rule ?? rule,
    refusedAs: own.refusedAs ?? refusedAs,
    seenBy,
    schemas: everySchema,
    summary,
    prepare: (document: Element) => document,
    apply: (document: Element, draw: Draw) => {
      const made = write(serializeText(document), draw)
      return {
        bytes: typeof made === 'string' ? utf8.encode(made) : made,
        fault: fault ?? { path: '(document)' },
      }
    },
  }))
}
