/**
 * The characters that generated text is made of. All are legal in XML 1.0 and none is discouraged there, so
 * that a document is never refused for a character unless a malformation put it in.
 */

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i))

const digits = range(0x30, 0x39)
const letters = [...range(0x61, 0x7a), ...range(0x41, 0x5a)]
const marks = Array.from(' -.,:;/_+*\'"&<>()[]{}@#%!?=$^|~`\\')
const polish = Array.from('ąćęłńóśźżĄĆĘŁŃÓŚŹŻ')
const latin = Array.from('äöüßéèñçÅØ§£€°½')
const others = Array.from('αβγжийщאבגمرح中文字ไทย')
const astral = ['\u{1F4A1}', '\u{1F600}', '\u{20BB7}', '\u{1D11E}']

/** What patterns draw from. Only ASCII digits: `\d` means any digit, but no service reads the others as one. */
export const pool: readonly string[] = [
  ...letters,
  ...digits,
  ...marks,
  ...polish,
  ...latin,
  ...others,
  ...astral,
]

/** Kinds of text, plainest first. Combining marks stand after a letter each. */
export const alphabets = {
  ascii: letters,
  words: [...letters, ...letters, ' ', ' ', ...digits],
  marks: [...letters, ...marks],
  polish: [...letters, ...polish],
  latin: [...letters, ...latin],
  combining: ['e\u0301', 'a\u0328', 'o\u0308', 'n\u0303', 'x'],
  'right-to-left': Array.from('אבגדהمرحباسلام '),
  'beyond-bmp': ['a', ...astral],
  apostrophes: ["'", '\u2019', '"', 'a', 'b', '`'],
} as const satisfies Record<string, readonly string[]>
export type AlphabetId = keyof typeof alphabets

export const alphabetIds = Object.keys(alphabets) as readonly AlphabetId[]
