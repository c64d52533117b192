import { expect, test } from '@playwright/test'
import fc from 'fast-check'
import { instantOf, utc, warsaw } from '../../reference/base/wording.ts'

const instants = fc
  .date({ min: new Date('2021-01-01'), max: new Date('2049-01-01'), noInvalidDate: true })
  .map((date) => date.getTime())

test('an instant is the same in UTC and in Warsaw', () => {
  fc.assert(
    fc.property(instants, (instant) => {
      expect(Date.parse(warsaw(instant))).toBe(instant)
      expect(instantOf(warsaw(instant))).toBe(instant)
      expect(instantOf(utc(instant))).toBe(instant)
    }),
  )
})

test('Warsaw is an hour ahead in winter, two in summer, and changes at 01:00 UTC', () => {
  expect(warsaw(Date.parse('2026-01-15T12:00:00Z'))).toBe('2026-01-15T13:00:00.000+01:00')
  expect(warsaw(Date.parse('2026-03-29T00:59:59Z'))).toBe('2026-03-29T01:59:59.000+01:00')
  expect(warsaw(Date.parse('2026-03-29T01:00:00Z'))).toBe('2026-03-29T03:00:00.000+02:00')
  expect(warsaw(Date.parse('2026-10-25T01:00:00Z'))).toBe('2026-10-25T02:00:00.000+01:00')
})

test('a time without an offset is the time in Warsaw', () => {
  fc.assert(
    fc.property(instants, (instant) => {
      const local = warsaw(instant)
      // The hour that comes twice in autumn has two instants; either is right.
      const read = instantOf(local.slice(0, -6))
      expect(read === undefined ? '' : warsaw(read).slice(0, -6)).toBe(local.slice(0, -6))
    }),
  )
})

test('what is no instant is none', () => {
  for (const text of ['', 'now', '2026-13-01T00:00:00Z', '2026-06-15T25:00:00'])
    expect(instantOf(text)).toBeUndefined()
})
