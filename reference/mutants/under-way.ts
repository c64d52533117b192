/** Milliseconds that a call is under way, so that calls overlap. */
const underWayMs = 40

/** Delays a call until the other calls of a burst have arrived. */
export const underWay = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, underWayMs)
  })
