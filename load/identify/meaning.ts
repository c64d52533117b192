import type { Identified, LimiterId } from './classify.ts'

/** What each limiter means for a client that paces itself by the contract's sliding windows. */
const meanings: Readonly<
  Record<LimiterId, { readonly differs?: string; readonly client: string }>
> = {
  'sliding-log': {
    client: 'A client that counts its own calls in sliding windows is never refused.',
  },
  'sliding-counter': {
    differs:
      'It estimates the window from two counters, so it may refuse calls within the limits or pass a few more.',
    client: 'Leave a tenth of each limit unused, or spread calls evenly over the window.',
  },
  'fixed-window-aligned': {
    differs:
      'Its windows begin at full seconds, minutes or hours: up to twice the limit passes around a boundary.',
    client:
      'Pacing by sliding windows stays legal; nothing is gained by waiting for the full minute.',
  },
  'fixed-window-from-first-call': {
    differs: 'A window begins with its first call and is emptied as a whole.',
    client: 'Pacing by sliding windows stays legal.',
  },
  'token-bucket': {
    differs: 'Places come back evenly, long before a call has left the window.',
    client:
      'Pacing by sliding windows stays legal; after a burst, even spacing at the refill rate is faster.',
  },
  'leaky-bucket': {
    differs: 'It permits no burst: calls have to be spaced evenly.',
    client: 'Space calls by the window divided by the limit; a burst within the limit is refused.',
  },
  'concurrency-cap': {
    differs: 'It limits calls under way at the same time, not calls in a window.',
    client: 'Limit parallel connections; sequential calls are never refused.',
  },
  none: {
    differs: 'Nothing limits.',
    client: 'Pace by the contract all the same: another environment does limit.',
  },
  replicas: {
    differs: 'Several replicas count for themselves, so what passes depends on where a call lands.',
    client: 'Pace by the contract: more passes at times, and no replica alone lets more through.',
  },
}

/** Where a limiter departs from the contract; empty when it does not. */
export const departuresOf = (
  { limiter, parameters }: Identified,
  declared: { readonly calls: number; readonly windowMs: number },
): readonly string[] => {
  const { differs } = meanings[limiter]
  const { calls = declared.calls, windowMs = declared.windowMs } = parameters
  return [
    ...(differs === undefined ? [] : [differs]),
    ...(calls === declared.calls || limiter === 'leaky-bucket'
      ? []
      : [`It permits ${calls} calls; ${declared.calls} are declared.`]),
    ...(windowMs === declared.windowMs
      ? []
      : [`Its window is ${windowMs} ms; ${declared.windowMs} ms are declared.`]),
  ]
}

export const adviceOf = ({ limiter }: Identified): string => meanings[limiter].client
