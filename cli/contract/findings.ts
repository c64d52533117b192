import type { DifferenceKind } from '../../contract/dialect.ts'
import type { SarifResult } from '../../reports/sarif.ts'
import type { Difference } from './diff.ts'

/** Differences of a description as remarks about its file. */

/** What a difference of each kind asks for. */
export const differenceHelp: Readonly<Record<DifferenceKind, string>> = {
  'operation-removed': 'Clients that call the operation fail: keep it, or announce its removal.',
  'operation-added': 'Add the operation to the contract when clients may call it.',
  'status-changed': 'Clients that expect the status of the contract take the answer for a failure.',
  'media-changed': 'Clients cannot read or write the body: keep the media type of the contract.',
  'bearer-changed': 'Calls with the bearer of the contract may be refused.',
  'field-removed': 'Clients that read or send the field fail: keep it.',
  'field-added': 'Clients have to ignore unknown fields; nothing else follows.',
  'required-added': 'Requests without the field are refused: keep it optional.',
  'required-removed': 'Clients that rely on the field find it absent: keep sending it.',
  'type-changed': 'Clients cannot read or write the value: keep its type.',
  'format-changed': 'Check that values of the contract are still valid.',
  'enum-narrowed': 'Values of the contract are refused or no longer sent: keep them.',
  'enum-widened': 'Clients have to bear unknown values.',
  'bounds-narrowed': 'Values within the bounds of the contract are refused: keep the bounds.',
  'bounds-widened': 'Clients have to bear larger values.',
  'pattern-changed': 'Check that values of the contract still match.',
}

/** The line on which each path of an OpenAPI document in JSON begins; names in braces do not count. */
const linesOfPaths = (text: string): ReadonlyMap<string, number> => {
  const lines = new Map<string, number>()
  for (const [index, line] of text.split('\n').entries()) {
    const [, path] = /^\s*"(\/[^"]*)"\s*:/.exec(line) ?? []
    const name = path?.replaceAll(/\{[^}]*\}/g, '{}')
    if (name !== undefined && !lines.has(name)) lines.set(name, index + 1)
  }
  return lines
}

/**
 * @param file path or URL of the description
 * @param text what it holds
 */
export const remarksOf = (
  differences: readonly Difference[],
  file: string,
  text: string,
): SarifResult[] => {
  const lines = linesOfPaths(text)
  return differences.map(({ kind, breaking, where, expected, found, accepted }) => {
    const line = lines.get(where.split(' ')[1] ?? '')
    return {
      rule: kind,
      level: breaking ? 'error' : 'note',
      message: `${where}: contract ${expected ?? 'none'}, description ${found ?? 'none'}`,
      file,
      ...(line === undefined ? {} : { line }),
      place: { name: where, kind: 'member' },
      ...(accepted === undefined ? {} : { suppressed: accepted }),
    }
  })
}
