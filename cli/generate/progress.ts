import type { Io } from '../io.ts'

/** Documents between two lines of progress, where nobody watches. */
const linesEvery = 500
/** Milliseconds between two pictures of the bar. */
const drawnEvery = 100
const width = 30

/**
 * Tells how far a stream has come: a bar that moves for a person, a line now and then for a file.
 * @param expected how many documents there will be, where that is known
 * @param from how many were there before
 */
export function progress(
  io: Io,
  expected: number | undefined,
  from = 0,
): { readonly at: (done: number) => void; readonly end: () => void } {
  const started = Date.now()
  const of = expected === undefined ? '' : ` of ${expected}`
  if (!io.interactive) {
    const at = (done: number) => {
      if (done % linesEvery === 0) io.err(`${done}${of}\n`)
    }
    return { at, end: () => {} }
  }
  let drawn = 0
  const draw = (done: number, now: number) => {
    drawn = now
    const rate = (1000 * (done - from)) / Math.max(1, now - started)
    const filled = expected === undefined ? 0 : Math.floor((width * done) / Math.max(1, expected))
    const bar = expected === undefined ? '' : `[${'#'.repeat(filled).padEnd(width, '.')}] `
    const left = expected === undefined ? '' : `, ${Math.ceil((expected - done) / rate)} s left`
    io.err(`\r${bar}${done}${of}, ${Math.round(rate)}/s${left}\u001B[K`)
  }
  let last = from
  return {
    at: (done) => {
      last = done
      const now = Date.now()
      if (now - drawn >= drawnEvery) draw(done, now)
    },
    end: () => {
      if (drawn === 0) return
      draw(last, Date.now())
      io.err('\n')
    },
  }
}
