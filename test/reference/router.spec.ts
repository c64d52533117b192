import { expect, test } from '@playwright/test'
import fc from 'fast-check'
import { TrieRouter } from 'hono/router/trie-router'
import type { Params, Router } from 'hono/router'
import { dialects } from '../../contract/dialects.ts'
import { createRouter } from '../../reference/http/router.ts'
import { resources } from '../../reference/http/routes.ts'
import { createWire } from '../../reference/http/wire.ts'
import { sampleSize } from '../sample.ts'

interface Match {
  readonly pattern: string
  readonly params: Readonly<Record<string, string>>
}

const matchOf = (router: Router<string>, path: string): Match | undefined => {
  const [[first]] = router.match('GET', path) as [[string, Params][]]
  return first && { pattern: first[0], params: { ...first[1] } }
}

for (const dialect of Object.values(dialects)) {
  test(`finds every path of the dialect ${dialect.id} as Hono's router does`, () => {
    const patterns = resources(createWire(dialect)).map(({ pattern }) => pattern)
    expect(patterns.length).toBeGreaterThan(50)
    const ours = createRouter<string>()
    const theirs = new TrieRouter<string>()
    for (const pattern of patterns) {
      ours.add('ALL', pattern, pattern)
      theirs.add('ALL', pattern, pattern)
    }
    const words = [...new Set(patterns.flatMap((pattern) => pattern.split('/')))].filter(
      (word) => word !== '' && !word.startsWith(':'),
    )
    const segment = fc.oneof(
      fc.constantFrom(...words),
      fc.constantFrom('', 'x', '%20', 'ą', '.', '*', ':p0'),
    )
    const path = fc.oneof(
      fc.array(segment, { maxLength: 8 }).map((segments) => `/${segments.join('/')}`),
      // Similar to a pattern: its parameters are filled with words that occur elsewhere in patterns.
      fc
        .tuple(fc.constantFrom(...patterns), fc.array(segment, { minLength: 8, maxLength: 8 }))
        .map(([pattern, fill]) => pattern.replace(/:p(\d)/g, (_, at) => fill[Number(at)]!)),
    )
    fc.assert(
      fc.property(path, (one) => expect(matchOf(ours, one)).toEqual(matchOf(theirs, one))),
      { numRuns: sampleSize(2_000, 4) },
    )
  })
}
