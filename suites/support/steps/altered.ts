/** The beginning, the middle and the end of a reference. */
export const placesOf = ({ length }: string): readonly number[] => [
  0,
  Math.floor(length / 2),
  length - 1,
]

/** A reference with another character at this place, or the next one that is a letter or digit. */
export const altered = (reference: string, at: number): string => {
  const [before, rest] = [reference.slice(0, at), reference.slice(at)]
  return before + rest.replace(/[\dA-Za-z]/, (character) => (character === '0' ? '1' : '0'))
}
