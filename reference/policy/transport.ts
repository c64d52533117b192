/** Decisions about paths, methods and bodies. */
export const transportPolicy = {
  // transport.malformed-body: a body longer than the operation can take is refused before it is read to its end
  bodyFits: (bytes: number, limit: number): boolean => bytes <= limit,
}
