/**
 * Continues with a value, synchronously if it is there already: awaiting what is no promise takes k6 longer than
 * reading a document.
 */
export const after = <T, R>(
  value: T | Promise<T>,
  use: (value: T) => R | Promise<R>,
): R | Promise<R> => (value instanceof Promise ? value.then(use) : use(value))
