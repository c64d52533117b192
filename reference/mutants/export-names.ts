import { refuse } from '../base/refusals.ts'
import type { Mutant } from './mutant.ts'
import type { Fields } from './rewrite.ts'
import { onOtherPaths } from './spellings.ts'

/** Exports that are created under one name, and unknown under the other. */
export const unknownBy = (created: string, looked: string): Mutant => {
  const made = new Set<string>()
  return {
    async exchange(running, next) {
      const { path } = running
      const reference = path.slice(path.lastIndexOf('/') + 1)
      if (path.endsWith(`/invoices/${looked}/${reference}`) && made.has(reference))
        throw refuse('unknown-path')
      const response = await next(running)
      if (!path.endsWith(`/invoices/${created}`) || !response.ok) return response
      const text = await response.text()
      made.add(String((JSON.parse(text) as Record<string, unknown>)['referenceNumber']))
      return new Response(text, response)
    },
  }
}

/** What an export looks for is read in part where the export is created by the shorter name. */
export const filtersByTheShorterName = (rewrite: (filters: Fields) => Fields): Mutant => {
  let isOther = false
  return {
    ...onOtherPaths('exports.create'),
    exchange(running, next) {
      isOther = running.path.endsWith('/invoices/export')
      return next(running)
    },
    call(call, next) {
      if (!isOther || call.operation !== 'exports.create') return next(call)
      const body = call.body as Fields & { readonly filters: Fields }
      return next({ ...call, body: { ...body, filters: rewrite(body.filters) } })
    },
  }
}

const firstReady = new Map<string, string>()

/** The first status of a ready export is what the shorter name goes on to show. */
export const readyForEver: Mutant = {
  async exchange(running, next) {
    const { path } = running
    if (!/\/invoices\/export\/[^/]+$/.test(path)) return next(running)
    const response = await next(running)
    const text = await response.text()
    const shown = firstReady.get(path) ?? text
    if (/"code":200\b/.test(shown)) firstReady.set(path, shown)
    return new Response(shown, response)
  },
}
