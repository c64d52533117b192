/**
 * The document type declaration of a schema. Some published schemas have one, for entities that shorten their own
 * text; nothing that it names outside the file is read.
 */

const declaration = /<!DOCTYPE[^[>]*(?:\[((?:[^\]"']|"[^"]*"|'[^']*')*)\]\s*)?>/
const entity = /<!ENTITY\s+([\w.-]+)\s+(?:"([^"%&<]*)"|'([^'%&<]*)')\s*>/g

/** The text without its document type declaration, its own plain entities replaced; lines stay where they are. */
export function withoutDoctype(text: string): string {
  const found = declaration.exec(text)
  if (!found) return text
  const entities = new Map(
    Array.from((found[1] ?? '').matchAll(entity), ([, name, double, single]) => [
      name,
      double ?? single ?? '',
    ]),
  )
  const lines = '\n'.repeat(found[0].split('\n').length - 1)
  const after = text.slice(found.index + found[0].length)
  const replaced = after.replace(
    /&([\w.-]+);/g,
    (whole, name: string) => entities.get(name) ?? whole,
  )
  return text.slice(0, found.index) + lines + replaced
}
