import { limits } from '../../../contract/limits.ts'
import type { History, Step } from '../history.ts'
import { notInTime } from '../history.ts'
import type { Opinion } from '../opinion.ts'
import { convicted, notExercised, notVerifiable, passed } from '../opinion.ts'

/** Whether the client receives everything once, and not too often. */

const isQuery = ({ operation, outcome }: Step): boolean =>
  operation === 'queries.metadata' && outcome === 'ok'

/** First queries of each synchronization: a query that follows a page with more to come belongs to the one before. */
function beginnings(steps: readonly Step[]): Step[] {
  const going = new Map<string, boolean>()
  return steps.filter(isQuery).filter(({ facts, run }) => {
    const subject = `${run} ${String(facts['subjectType'])}`
    const continues = going.get(subject) === true
    going.set(subject, facts['hasMore'] === true || facts['isTruncated'] === true)
    return !continues
  })
}

export function syncInterval({ steps, environment }: History): Opinion[] {
  const rule = 'client.sync.interval'
  if (environment !== 'production')
    return [notExercised(rule, 'the interval binds in production only')]
  const starts = beginnings(steps)
  const minIntervalMs = limits['sync.interval'].value * 1000
  for (const [place, start] of starts.entries()) {
    const before = starts
      .slice(0, place)
      .findLast(({ facts }) => facts['subjectType'] === start.facts['subjectType'])
    if (before === undefined) continue
    if (start.at - before.at < minIntervalMs)
      return [
        convicted(
          rule,
          `the client synchronized again after ${Math.round((start.at - before.at) / 1000)} s; in production at least ${minIntervalMs / 60_000} minutes lie between`,
          [before.n, start.n],
          { advice: 'remember the time of the last synchronization across runs' },
        ),
      ]
  }
  if (starts.length === 0) return [notExercised(rule, 'the client did not synchronize')]
  return [
    passed(
      rule,
      'the client kept the interval',
      starts.map(({ n }) => n),
    ),
  ]
}

/** How many pages past a truncated answer a client may have read before it noticed. */
const pagesBehindTruncation = 5

/** The first truncated answer and the queries that went on in the same range. */
function afterTruncation(steps: readonly Step[]): Step[] {
  const queries = steps.filter(isQuery)
  const truncated = queries.findIndex(({ facts }) => facts['isTruncated'] === true)
  if (truncated < 0) return []
  const { facts } = queries[truncated]!
  return queries
    .slice(truncated)
    .filter(
      (one) =>
        one.facts['from'] === facts['from'] && one.facts['subjectType'] === facts['subjectType'],
    )
}

export function syncComplete({ steps, task, beliefs, events }: History): Opinion[] {
  const rule = 'client.sync.complete'
  const wanted = task?.toReceive
  if (wanted === undefined || wanted.length === 0)
    return [notExercised(rule, 'the client had nothing to receive')]
  const stuck = afterTruncation(steps)
  if (stuck.length > pagesBehindTruncation)
    return [
      convicted(
        rule,
        `after a truncated answer the client turned ${stuck.length - 1} more pages of the same range, where nothing follows`,
        stuck.slice(0, 3).map(({ n }) => n),
        { advice: 'go on from the date of the last record of a truncated answer' },
      ),
    ]
  if (events.some(({ words }) => words === notInTime))
    return [notExercised(rule, 'the client did not end in time')]
  if (beliefs === undefined && steps.some(({ operation }) => operation === 'exports.part'))
    return [
      notVerifiable(
        rule,
        'the client exported, and wrote no beliefs: what it took in cannot be seen',
      ),
    ]
  const pages = steps.filter(({ listed }) => listed !== undefined)
  const listed = new Set(pages.flatMap((step) => step.listed ?? []))
  const got = beliefs
    ?.filter(({ outcome }) => outcome === 'accepted')
    .map(({ document, number }) => number ?? document)
  const missing = wanted.filter((number) => !(got ?? [...listed]).includes(number))
  const last = pages.at(-1)
  const shown = [...pages.slice(0, 2), ...(last === undefined ? [] : [last])].map(({ n }) => n)
  const proof = [...new Set(shown)]
  if (missing.length > 0)
    return [
      convicted(
        rule,
        `${missing.length} of ${wanted.length} invoices were not received, first ${missing[0]}${listed.has(missing[0]!) ? ', which was on a page that the client read' : ''}`,
        proof,
        {
          advice:
            'go on from the high-water mark, by date of permanent storage, until a page promises no more; a truncated answer goes on from its last date',
        },
      ),
    ]
  const repeated = got?.filter((number, place) => got.indexOf(number) !== place) ?? []
  if (repeated.length > 0)
    return [
      convicted(
        rule,
        `${repeated.length} invoices were received more than once, first ${repeated[0]}`,
        proof,
        {
          advice:
            'keep the service numbers of what was received: equal timestamps and overlapping ranges bring an invoice twice',
        },
      ),
    ]
  return [passed(rule, `${wanted.length} invoices, each once`, proof)]
}
