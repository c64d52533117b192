/** Milliseconds that a call is under way, so that calls overlap. */
const underWayMs = 40

/** Keeps a call under way so long that the others of a burst come in. */
export const underWay = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, underWayMs)
  })
