/** Texts that only a careless comparison takes for the right digest. */

/** The same letters with upper and lower case swapped: another value in Base64. */
export const swapCase = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )

/** The same text with one character replaced by another of the same alphabet. */
export const otherAt = (text: string, at: number): string =>
  text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
