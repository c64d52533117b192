import { expect, test } from '@playwright/test'
import fc from 'fast-check'
import { accountOf } from '../../load/trace/account.ts'
import type { ListedInvoice } from '../../load/trace/account.ts'
import { formatLine, parseLine } from '../../load/trace/line.ts'
import type { TraceLine } from '../../load/trace/line.ts'

/** The account of a run names every invoice that is not in order, and no other. */

const outcomes = [
  'well',
  'lost',
  'doubled',
  'wrong hash',
  'rejected',
  'no receipt',
  'refused',
  'ghost',
  'unknown, found',
  'unknown, not found',
  'not sent',
] as const
type InvoiceOutcome = (typeof outcomes)[number]

const numberOf = (i: number) => `N/${i + 1}`
const hashOf = (i: number) => `hash ${i}`

/** A run in which each invoice meets an outcome. */
const runOf = (drawn: readonly InvoiceOutcome[]) => {
  const trace: TraceLine[] = []
  const listed: ListedInvoice[] = []
  const receipted: { number: string; hash: string }[] = []
  for (const [i, outcome] of drawn.entries()) {
    const record = { number: numberOf(i), hash: hashOf(i), referenceNumber: `R${i}`, status: 200 }
    const call = { t: 'call', op: 'invoices.submit', i, due: i, begun: i, ended: i + 1 } as const
    const refused = outcome === 'refused' || outcome === 'ghost'
    if (outcome === 'not sent') trace.push({ t: 'drop', i, due: i, at: i })
    else if (outcome.startsWith('unknown')) trace.push({ ...call, status: 0 })
    else if (refused) trace.push({ ...call, status: 429, code: 429 })
    else trace.push({ ...call, status: 202, ref: `R${i}` })
    if (['lost', 'refused', 'unknown, not found', 'not sent'].includes(outcome)) continue
    if (outcome === 'rejected') {
      listed.push({ ...record, status: 435 })
      continue
    }
    listed.push(outcome === 'wrong hash' ? { ...record, hash: 'another' } : record)
    if (outcome === 'doubled')
      listed.push({ ...record, referenceNumber: `again ${i}`, status: 440 })
    if (outcome !== 'no receipt') receipted.push({ number: numberOf(i), hash: hashOf(i) })
  }
  const planned = drawn.map((_, i) => ({ number: numberOf(i), hash: hashOf(i), session: 0 }))
  return { planned, trace, listed, receipted, sessionsRead: new Set([0]) }
}

test('lists the invoice numbers of each outcome', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...outcomes), { maxLength: 60 }), (drawn) => {
      const account = accountOf(runOf(drawn))
      const numbers = (outcome: InvoiceOutcome) =>
        drawn.flatMap((one, i) => (one === outcome ? [numberOf(i)] : []))
      expect(account).toMatchObject({
        planned: drawn.length,
        lost: numbers('lost'),
        doubled: numbers('doubled'),
        wrongHash: numbers('wrong hash'),
        rejected: numbers('rejected'),
        withoutReceipt: numbers('no receipt'),
        unexpected: numbers('ghost'),
        notSent: numbers('not sent'),
        unknown: { found: numbers('unknown, found'), notFound: numbers('unknown, not found') },
      })
      const refusals = drawn.filter(
        (outcome) => outcome === 'refused' || outcome === 'ghost',
      ).length
      expect(account.refused).toEqual(refusals === 0 ? {} : { 429: refusals })
      expect(account.sent).toBe(drawn.filter((outcome) => outcome !== 'not sent').length)
    }),
  )
})

test('an invoice in flight at an interruption is accounted for', () => {
  const { trace, ...run } = runOf(['well', 'ghost', 'not sent', 'well'])
  // The last call left, and its answer came after k6 had ended.
  const cut = trace.filter((line) => !('i' in line) || line.i !== 3)
  expect(accountOf({ ...run, trace: cut })).toMatchObject({
    sent: 2,
    unknown: { found: [] },
    unexpected: [numberOf(1), numberOf(3)],
  })
  expect(accountOf({ ...run, trace: cut, endedEarly: true })).toMatchObject({
    sent: 3,
    unknown: { found: [numberOf(3)] },
    unexpected: [numberOf(1)],
    notSent: [numberOf(2)],
  })
})

test('an invoice of a session that was not read is neither lost nor found', () => {
  const { planned, listed, ...run } = runOf(['lost', 'unknown, not found', 'refused', 'lost'])
  const inTwo = planned.map((invoice, i) => ({ ...invoice, session: i === 3 ? 1 : 0 }))
  expect(listed).toEqual([])
  const account = accountOf({ ...run, planned: inTwo, listed, sessionsRead: new Set([1]) })
  expect(account).toMatchObject({
    accepted: 2,
    unread: [numberOf(0), numberOf(1)],
    unknown: { found: [], notFound: [] },
    lost: [numberOf(3)],
  })
})

test('a trace line is found among other output of k6', () => {
  const line: TraceLine = { t: 'drop', i: 3, due: 1, at: 2 }
  expect(parseLine(formatLine(line))).toEqual(line)
  expect(parseLine(`time="now" msg="${formatLine(line)}`)).toEqual(line)
  expect(parseLine('level=warning msg="something else"')).toBeUndefined()
  expect(parseLine('@assay {cut')).toBeUndefined()
})
