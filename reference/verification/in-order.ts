/** Items that finish in any order and are released in the order in which they were added. */
export interface InOrder<T> {
  /** @returns the number of the item */
  add(item: T): number
  /** The item of a number that is not yet released. */
  get(number: number): T | undefined
  /** Marks items as finished, and releases those that nothing before them holds up. */
  finish(numbers: readonly number[]): void
  /** Resolves when everything added until now is released. */
  idle(): Promise<void>
}

export const createInOrder = <T>(release: (item: T) => void): InOrder<T> => {
  const queue: { readonly item: T; finished: boolean }[] = []
  /** Number of the first item in the queue. */
  let first = 0
  let idlers: { readonly until: number; readonly resolve: () => void }[] = []

  const releaseFinished = (): void => {
    let count = 0
    for (; queue[count]?.finished; count++) release(queue[count]!.item)
    queue.splice(0, count)
    first += count
    const released = idlers.filter(({ until }) => until <= first)
    idlers = idlers.filter(({ until }) => until > first)
    for (const { resolve } of released) resolve()
  }

  return {
    add: (item) => first + queue.push({ item, finished: false }) - 1,
    get: (number) => queue[number - first]?.item,
    finish(numbers) {
      for (const number of numbers) {
        const entry = queue[number - first]
        if (entry !== undefined) entry.finished = true
      }
      releaseFinished()
    },
    idle: () =>
      queue.length === 0
        ? Promise.resolve()
        : new Promise((resolve) => idlers.push({ until: first + queue.length, resolve })),
  }
}
