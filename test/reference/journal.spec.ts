import { expect, test } from '@playwright/test'
import { createJournal, redact } from '../../reference/model/journal.ts'

test('the journal keeps no tokens, keys or URL signatures', () => {
  const journal = createJournal(() => 0)
  journal.add('exchange', {
    path: '/api/v2/exports/X/parts/1?sig=abc.SECRET&part=1',
    answer: {
      accessToken: { token: 'SECRET', validUntil: 'then' },
      refreshToken: 'SECRET',
      parts: [{ url: 'http://host/part?sig=SECRET' }],
    },
    request: { encryptedToken: 'SECRET', encryptedSymmetricKey: 'SECRET', challenge: 'kept' },
  })
  const [entry] = journal.after(0)
  const text = JSON.stringify(entry)
  expect(text).not.toContain('SECRET')
  expect(text).toContain('kept')
  expect(text).toContain('sig=***&part=1')
  expect(text).toContain('then')
})

test('the journal states the length of shortened content, also when it was shortened before', () => {
  const journal = createJournal(() => 0)
  const long = { encryptedInvoiceContent: 'A'.repeat(6656), note: 'n'.repeat(5000) }
  journal.add('exchange', { request: long })
  journal.add('exchange', { request: redact(long) })
  const expected = {
    encryptedInvoiceContent: '(6656 characters)',
    note: '(5000 characters)',
  }
  for (const entry of journal.after(0)) expect(entry['request']).toEqual(expected)
})
