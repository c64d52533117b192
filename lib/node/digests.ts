/** Texts that are a digest for a careless comparison only. */

/** The same letters, capital ones small and small ones capital: another value in Base64. */
export const swapCase = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )

/** The same text but for one character, which is another of its alphabet. */
export const otherAt = (text: string, at: number): string =>
  text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
