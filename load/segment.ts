/** Which part of a run one k6 process carries. k6 calls it an execution segment. */
export interface Segment {
  /** From 0. */
  readonly index: number
  readonly count: number
}

/** The options of k6 that give a process its segment. */
export interface SegmentOptions {
  /** For example `1/3:2/3`. */
  readonly executionSegment: string
  /** For example `0,1/3,2/3,1`. */
  readonly executionSegmentSequence: string
}

/** Segments of equal size, as k6-operator distributes them too. */
export const optionsOf = ({ index, count }: Segment): SegmentOptions => {
  const edges = Array.from({ length: count + 1 }, (_, edge) =>
    edge === 0 ? '0' : edge === count ? '1' : `${edge}/${count}`,
  )
  return {
    executionSegment: `${edges[index] ?? ''}:${edges[index + 1] ?? ''}`,
    executionSegmentSequence: edges.join(','),
  }
}

/**
 * The segment that k6 reports; the whole where it reports none.
 * @throws {Error} when the segment is not one of the sequence
 */
export const segmentOf = (options: {
  readonly executionSegment: string | null | undefined
  readonly executionSegmentSequence: string | null | undefined
}): Segment => {
  const { executionSegment: segment, executionSegmentSequence: sequence } = options
  if (!segment || !sequence) return { index: 0, count: 1 }
  const edges = sequence.split(',')
  const index = edges.findIndex((edge, at) => `${edge}:${edges[at + 1] ?? ''}` === segment)
  if (index < 0) throw new Error(`k6 reports the segment ${segment}, which is not in ${sequence}`)
  return { index, count: edges.length - 1 }
}

/**
 * k6 numbers iterations so that a segment gets every n-th one, provided that each has as many virtual users. Sessions
 * are distributed alike, so that each invoice is sent by the process that opened its session.
 */
export const segmentOfSession = (session: number, segments: number): number => session % segments

/** The context of a segment: each has its own where there are as many, else all share the first. */
export const contextOfSegment = (segment: number, contexts: number): number => segment % contexts
