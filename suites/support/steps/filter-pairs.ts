import type { Exchange } from '../../../lib/exchange.ts'
import { expect } from '../judging/matchers.ts'

/** Filters of a list, alone and in pairs: a pair finds what both filters find. */

/** One value of a filter, and the names of the rows that it leaves. */
interface Choice {
  readonly given: Readonly<Record<string, unknown>>
  readonly leaves: readonly string[]
}

/** A choice, which leaves the rows of these names. */
export const choice = (given: Choice['given'], ...leaves: readonly string[]): Choice => ({
  given,
  leaves,
})

/** The values of each filter, by its name. */
type Choices = Readonly<Record<string, readonly Choice[]>>

/** Every choice, and every two choices of different filters together. */
const combined = (choices: Choices): Choice[] => {
  const filters = Object.values(choices)
  const pairs = filters.flatMap((ones, place) =>
    ones.flatMap((one) =>
      filters.slice(place + 1).flatMap((others) =>
        others.map((other) => ({
          given: { ...one.given, ...other.given },
          leaves: one.leaves.filter((row) => other.leaves.includes(row)),
        })),
      ),
    ),
  )
  return [...filters.flat(), ...pairs]
}

/** Whether a list says that another page follows, although a filtered list fits on one page. */
const goesOn = ({ body }: Exchange): boolean =>
  ((body ?? {}) as { readonly hasMore?: unknown }).hasMore === true

/**
 * Expects that the filters of a list keep the right rows, alone and in pairs.
 * @param send asks for the list with a filter
 * @param namesIn the names of the rows in an answer
 * @param how who asks, where several do
 */
export const expectFiltered = async (
  send: (given: Readonly<Record<string, unknown>>) => Promise<Exchange>,
  namesIn: (answer: Exchange) => readonly string[],
  choices: Choices,
  how?: string,
): Promise<void> => {
  const wrong: string[] = []
  for (const { given, leaves } of combined(choices)) {
    const answer = await send(given)
    const found =
      answer.status > 299
        ? [`refused with ${answer.status}`]
        : [...namesIn(answer), ...(goesOn(answer) ? ['a further page'] : [])]
    if (JSON.stringify(found.toSorted()) !== JSON.stringify(leaves.toSorted()))
      wrong.push(`${JSON.stringify(given)}: ${found.join(', ')}; not ${leaves.join(', ')}`)
  }
  const what = 'filters that leave other rows than they should'
  expect(wrong, how === undefined ? what : `${what}, ${how}`).toEqual([])
}
