import { expect, test } from '@playwright/test'
import fc from 'fast-check'
import { crc8, crc8Hex } from '../../lib/identifiers/crc8.ts'
import { drawInternalId, internalId, isInternalId } from '../../lib/identifiers/internal-id.ts'
import { drawNip, hasNipForm, isNip, withWrongCheckDigit } from '../../lib/identifiers/nip.ts'
import { drawPesel, isPesel } from '../../lib/identifiers/pesel.ts'
import { drawReference, referenceKind } from '../../lib/identifiers/reference-number.ts'
import { createRng, rngFor } from '../../lib/random.ts'
import { parseServiceNumber, serviceNumberFaults } from '../../lib/identifiers/service-number.ts'

const label = fc.string({ maxLength: 20 })

test('CRC-8 yields its published check value', () => {
  expect(crc8('123456789')).toBe(0xf4)
})

test('published service numbers have a correct checksum', () => {
  for (const number of [
    '5265877635-20250826-0100001AF629-AF',
    '5265877635-20250626-010080DD2B5E-26',
    '5265877635-20250916-010040741B3E-46',
    '5265877635-20250916-0200A0D6723E-C2',
    '5555555555-20250828-010080615740-E4',
  ]) {
    expect(serviceNumberFaults(number), number).toEqual([])
    expect(parseServiceNumber(number)?.nip).toBe(number.slice(0, 10))
  }
})

test('detects one changed character in a service number', () => {
  const number = '5265877635-20250826-0100001AF629-AF'
  for (const place of [0, 9, 18, 20, 31, 33, 34]) {
    const other = number[place] === '7' ? '8' : '7'
    const changed = number.slice(0, place) + other + number.slice(place + 1)
    expect(serviceNumberFaults(changed), changed).not.toEqual([])
  }
  expect(serviceNumberFaults('5265877635-20250231-0100001AF629-00')[1]).toContain('is no day')
})

test('tax numbers', () => {
  for (const nip of ['5265877635', '7980332920', '3755747347', '6824515772', '1111111111']) {
    expect(isNip(nip), nip).toBe(true)
    expect(isNip(withWrongCheckDigit(nip)), nip).toBe(false)
    expect(hasNipForm(withWrongCheckDigit(nip)), nip).toBe(true)
  }
  for (const wrong of ['0265877635', '5005877635', '526587763', '52658776355', '']) {
    expect(isNip(wrong), wrong).toBe(false)
  }
  fc.assert(fc.property(label, (text) => isNip(drawNip(createRng(text)))))
})

test('personal numbers', () => {
  for (const pesel of ['30112206276', '38092277125', '88102341294']) {
    expect(isPesel(pesel), pesel).toBe(true)
  }
  expect(isPesel('30112206277')).toBe(false)
  fc.assert(fc.property(label, (text) => isPesel(drawPesel(createRng(text)))))
})

test('identifiers of units', () => {
  expect(internalId('6824515772', '1234')).toBe('6824515772-12343')
  expect(isInternalId('5265877635-12345')).toBe(false)
  fc.assert(
    fc.property(label, (text) => isInternalId(drawInternalId(createRng(text), '5265877635'))),
  )
})

test('references', () => {
  fc.assert(
    fc.property(label, (text) => {
      const reference = drawReference(createRng(text), 'onlineSession', '2026-06-15')
      expect(reference).toHaveLength(36)
      expect(referenceKind(reference)).toBe('SO')
      expect(crc8Hex(reference.slice(0, 33))).toBe(reference.slice(34))
    }),
  )
})

test('draws depend on the seed and the place only', () => {
  const draw = (place: Partial<Parameters<typeof rngFor>[0]>) =>
    rngFor({ seed: 1, rule: 'auth.challenge.public', ...place })
      .bytes(8)
      .join()
  expect(draw({})).toBe(draw({}))
  const others = [
    draw({}),
    draw({ seed: 2 }),
    draw({ seed: -1 }),
    draw({ rule: 'auth.challenge.individual' }),
    draw({ variant: 'x' }),
    draw({ namespace: 'x' }),
  ]
  expect(new Set(others).size).toBe(others.length)
})

test('draws do not change between versions', () => {
  const rng = createRng('assay')
  expect([rng.uint32(), rng.int(1, 6), rng.digits(6)]).toEqual([2492774716, 5, '528171'])
})

test('integers are drawn uniformly', () => {
  const rng = createRng('even')
  const counts = [0, 0, 0, 0, 0, 0]
  for (let draw = 0; draw < 6000; draw += 1) {
    const side = rng.int(0, 5)
    counts[side] = (counts[side] ?? 0) + 1
  }
  // Chi-squared with five degrees of freedom: 20.5 is exceeded once in a thousand seeds, and this seed is fixed.
  const chi = counts.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0)
  expect(chi).toBeLessThan(20.5)
})
