import type { OrdealResult } from '../../suites/client/examiner.ts'
import { issuedOnce } from '../../suites/client/exactly-once.ts'
import type { Nearness } from '../../suites/client/manners.ts'

/** How a client behaved over all ordeals, in numbers with their names. */

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const share = ({ calls, allowed }: Nearness): number => calls / allowed

const nearest = (all: readonly Nearness[]): string => {
  const [max] = all.toSorted((a, b) => share(b) - share(a))
  return max === undefined
    ? 'no limited call'
    : `${max.operation}, ${max.calls} of ${max.allowed} calls a ${max.window}`
}

const waited = (manners: readonly OrdealResult['manners'][]): string => {
  const refusals = sum(manners.map(({ retryAfter }) => retryAfter.refusals))
  const early = sum(manners.map(({ retryAfter }) => retryAfter.early))
  const beyond = manners.flatMap(({ retryAfter }) => retryAfter.shortest ?? [])
  if (beyond.length === 0) return `${refusals - early} of ${refusals}`
  const shortest = Math.round(Math.min(...beyond))
  return `${refusals - early} of ${refusals}; the earliest call came ${Math.abs(shortest)} ms ${shortest < 0 ? 'before' : 'after'} the end of its wait`
}

export function measuresOf(results: readonly OrdealResult[]): (readonly [string, string])[] {
  const manners = results.map((result) => result.manners)
  const documents = results.map(({ history }) => issuedOnce(history))
  const ages = manners.flatMap(({ keysAge }) => keysAge ?? [])
  const polls = manners.map((one) => one.polls).toSorted((a, b) => b.max - a.max)[0]
  return [
    ['ordeals', String(results.length)],
    ['calls', String(sum(manners.map(({ calls }) => calls)))],
    [
      'documents issued exactly once',
      `${sum(documents.map(({ once }) => once))} of ${sum(documents.map(({ of }) => of))}`,
    ],
    ['Retry-After obeyed', waited(manners)],
    ['nearest to a limit', nearest(manners.flatMap(({ nearestLimit }) => nearestLimit ?? []))],
    ['calls above the limits', String(sum(manners.map(({ limitsExceeded }) => limitsExceeded)))],
    [
      'most polls of one outcome',
      polls?.resource === undefined ? '0' : `${polls.max} (${polls.resource})`,
    ],
    [
      'oldest list of certificates used',
      ages.length === 0 ? 'none' : `${(Math.max(...ages) / 1000).toFixed(1)} s`,
    ],
    [
      'calls with a secret in the wrong place',
      String(sum(manners.map(({ misplacedSecrets }) => misplacedSecrets))),
    ],
  ]
}
