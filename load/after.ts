/**
 * Continues with a value, synchronously where it is there already: to await what is no promise takes k6 longer than to
 * read a document.
 */
export const after = <T, R>(
  value: T | Promise<T>,
  use: (value: T) => R | Promise<R>,
): R | Promise<R> => (value instanceof Promise ? value.then(use) : use(value))
