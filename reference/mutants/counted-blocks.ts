import type { Mutant } from './mutant.ts'

/** A context that was blocked twice is unblocked by the second call. */
export const countedBlocks = (): Mutant => {
  const blocks = new Map<string, number>()
  return {
    at: ['testdata.blockContext', 'testdata.unblockContext'],
    call(call, next) {
      const key = JSON.stringify(call.body)
      const step = call.operation === 'testdata.blockContext' ? 1 : -1
      const left = (blocks.get(key) ?? 0) + step
      blocks.set(key, left)
      return step < 0 && left > 0 ? {} : next(call)
    },
  }
}
