import type { LimitId } from '../../contract/limits.ts'

/** Sizes on request: the management port makes pages and packages small, so that a few invoices fill several. */
export interface Sizes {
  set(id: SizeId, value: number): void
  of(id: LimitId): number | undefined
  clear(): void
}

export const sizeIds = [
  'receipt.documentsPerPage',
  'exports.partBytes',
  'exports.invoices',
  'query.records',
] as const satisfies readonly LimitId[]

export type SizeId = (typeof sizeIds)[number]

export const isSize = (value: string): value is SizeId => sizeIds.some((id) => id === value)

export const createSizes = (): Sizes => {
  const given = new Map<LimitId, number>()
  return {
    set: (id, value) => void given.set(id, value),
    of: (id) => given.get(id),
    clear: () => given.clear(),
  }
}
