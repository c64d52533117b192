import { refuse } from '../base/refusals.ts'
import type { Mutant } from './mutant.ts'

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
