/**
 * Values that are available now or later. Most calls wait for nothing; those are answered synchronously, which costs a
 * fraction of an answer through a promise.
 */
export type Soon<T> = T | Promise<T>

/** Continues with a value, now or when it is available. */
export const soon = <A, B>(value: Soon<A>, use: (value: A) => Soon<B>): Soon<B> =>
  value instanceof Promise ? value.then(use) : use(value)

/** Does work; a failure of it, now or later, becomes what `failed` makes of it. */
export const attempt = <T>(work: () => Soon<T>, failed: (error: unknown) => T): Soon<T> => {
  try {
    const done = work()
    return done instanceof Promise ? done.catch(failed) : done
  } catch (error) {
    return failed(error)
  }
}
