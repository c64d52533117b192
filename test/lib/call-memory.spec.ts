import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { callMemoryOf } from '../../lib/node/call-memory.ts'
import type { TargetProfile } from '../../lib/node/target.ts'
import { createPlaces } from '../../lib/pacer.ts'

/** Calls of one run that the target still counts in the next. */

let cache = ''
test.beforeEach(() => {
  cache = mkdtempSync(path.join(tmpdir(), 'assay-calls-'))
})
test.afterEach(() => rmSync(cache, { recursive: true }))

const minute = 60_000
const start = Date.parse('2026-06-15T08:00:00Z')
const profile: TargetProfile = {
  url: 'https://host/api/v2',
  contexts: [{ kind: 'Nip', value: '5265877635' }],
}
const key = 'Nip 5265877635 invoiceSubmit'

test('the calls of two runs are remembered for an hour, those of the contexts of the profile alone', () => {
  const first = callMemoryOf(profile, cache, () => start)
  first?.keep({
    [key]: [start, start + minute],
    'Nip 7980332920 invoiceSubmit': [start],
    'address auth.challenge': [start],
  })
  const second = callMemoryOf(profile, cache, () => start + 30 * minute)
  expect(second?.earlier).toEqual({ [key]: [start, start + minute] })
  // A pacer that was given the earlier calls counts them too.
  second?.keep({ [key]: [start, start + minute, start + 30 * minute] })
  const third = callMemoryOf(profile, cache, () => start + 60.5 * minute)
  expect(third?.earlier).toEqual({ [key]: [start + minute, start + 30 * minute] })
  expect(callMemoryOf(profile, cache, () => start + 120 * minute)?.earlier).toEqual({})
})

test('another target, a clock that can be moved and a profile without contexts remember nothing', () => {
  callMemoryOf(profile, cache, () => start)?.keep({ [key]: [start] })
  const other = { ...profile, url: 'https://other/api/v2' }
  expect(callMemoryOf(other, cache, () => start)?.earlier).toEqual({})
  const turned = { ...profile, management: 'http://host:1' }
  expect(callMemoryOf(turned, cache, () => start)).toBeUndefined()
  expect(callMemoryOf({ url: profile.url }, cache, () => start)).toBeUndefined()
})

test('a file that is cut short is none, and those of other targets go after an hour', () => {
  callMemoryOf(profile, cache, Date.now)?.keep({ [key]: [Date.now() + 1] })
  const folder = path.join(cache, 'calls')
  const [file = ''] = readdirSync(folder)
  writeFileSync(path.join(folder, file), '{"Nip')
  expect(callMemoryOf(profile, cache, Date.now)?.earlier).toEqual({})
  const stale = new Date(Date.now() - 2 * 60 * minute)
  writeFileSync(path.join(folder, 'stale.json'), '{}')
  utimesSync(path.join(folder, 'stale.json'), stale, stale)
  callMemoryOf(profile, cache, Date.now)?.keep({ [key]: [Date.now() + 1] })
  expect(readdirSync(folder)).toEqual([file])
})

test('a pacer counts the earlier calls', () => {
  const earlier = { [key]: [start - 2 * minute, start - minute] }
  const places = createPlaces({ now: () => start, marginMs: 0, earlier })
  const thresholds = { perSecond: 10, perMinute: 10, perHour: 3 }
  const reserve = () => places.reserve('Nip 5265877635', 'invoiceSubmit', thresholds).at
  expect([reserve(), reserve()]).toEqual([start, start + 58 * minute])
  expect(places.counted()[key]).toHaveLength(4)
})
