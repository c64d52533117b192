/**
 * Characters that a terminal obeys instead of showing: control characters (line breaks and tabs aside), and marks
 * that change the direction of the text around them.
 */
const obeyed = new RegExp(
  String.raw`\r(?!\n)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]`,
  'g',
)

/**
 * A text that may come from a stranger, safe to show: characters that a terminal would obey are written as `\u001b`. In
 * a JSON document the same notation is an escape, so that the document keeps its meaning.
 */
export const visible = (text: string): string =>
  text.replace(obeyed, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
