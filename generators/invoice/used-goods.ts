import type { Item, Shop } from './item.ts'
import { item } from './item.ts'

/** Shops that sell what was owned before, at a margin: no two of it are the same. */

const secondHand = { margin: 'P_PMarzy_3_1', max: 1 } as const
const art = { margin: 'P_PMarzy_3_2', max: 1 } as const
const antique = { margin: 'P_PMarzy_3_3', max: 1 } as const

const atMargin = (...margin: readonly Item[]): Shop => ({
  kind: 'goods',
  agreed: [],
  loads: ['crate'],
  retail: true,
  at: { margin },
})

export const usedGoods: readonly Shop[] = [
  atMargin(
    item('Aparat fotograficzny, używany', 'szt.', [20_000, 250_000], secondHand),
    item('Rower miejski, używany', 'szt.', [30_000, 150_000], secondHand),
    item('Gitara, używana', 'szt.', [40_000, 300_000], secondHand),
  ),
  atMargin(
    item('Obraz olejny „Zmierzch”', 'szt.', [80_000, 900_000], art),
    item('Grafika, odbitka 7/50', 'szt.', [20_000, 120_000], art),
  ),
  atMargin(
    item('Komoda dębowa, XIX w.', 'szt.', [80_000, 900_000], antique),
    item('Moneta kolekcjonerska', 'szt.', [10_000, 400_000], { ...antique, max: 3 }),
    item('Zegar kominkowy, ok. 1900', 'szt.', [60_000, 300_000], antique),
  ),
]
