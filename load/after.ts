/**
 * Goes on with a value, at once where it is there already. To await a value that is no promise takes k6 longer than to
 * read a document.
 */
export const after = <T, R>(
  value: T | Promise<T>,
  use: (value: T) => R | Promise<R>,
): R | Promise<R> => (value instanceof Promise ? value.then(use) : use(value))
