import type { Malformation } from './malformation.ts'

/** Bodies that are not a JSON object: for any operation that takes JSON. */
export const jsonTexts: readonly (Malformation & {
  readonly of: 'json'
  readonly write: (json: string) => string
})[] = (
  [
    ['empty', 'an empty body', () => ''],
    ['blank', 'nothing but blanks', () => '   '],
    ['cut', 'a body that ends in the middle', (json) => json.slice(0, json.length >> 1)],
    ['trailing-comma', 'a comma before the closing brace', (json) => json.replace(/\}\s*$/, ',}')],
    ['single-quotes', 'single quotes', (json) => json.replaceAll('"', "'")],
    ['unquoted', 'names without quotes', (json) => json.replace(/"(\w+)":/g, '$1:')],
    ['comment', 'a comment', (json) => `/* x */${json}`],
    ['two-values', 'two values', (json) => `${json}${json}`],
    ['text-behind', 'text behind the value', (json) => `${json} x`],
    ['xml', 'XML instead of JSON', () => '<a/>'],
    ['form', 'a form instead of JSON', () => 'a=1&b=2'],
    ['nan', 'a number that JSON does not have', (json) => json.replace(/\}\s*$/, ',"x":NaN}')],
    [
      'deep',
      'ten thousand arrays within each other',
      () => '['.repeat(10_000) + ']'.repeat(10_000),
    ],
  ] as const satisfies readonly (readonly [string, string, (json: string) => string])[]
).map(([id, summary, write]) => ({
  id: `json-text:${id}`,
  layer: 'json',
  of: 'json',
  rule: 'transport.malformed-body',
  refusedAs: id === 'deep' ? 'invalid-input' : 'unreadable-body',
  summary,
  write,
}))
