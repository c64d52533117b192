import { counted } from '../lib/words.ts'
import { rules } from '../contract/rules.ts'
import { capabilities } from '../contract/types.ts'
import type { Capability, Rule } from '../contract/types.ts'

/** How many more checks a target could verify with one more capability. */
export interface Gain {
  readonly capability: Capability
  readonly checks: number
}

/**
 * What each capability that a target lacks would add, the largest gain first: checks of the rules that lack nothing
 * else. `checks`: rule id -> number of its checks.
 */
export const capabilityGains = (
  held: ReadonlySet<Capability>,
  checks: ReadonlyMap<string, number>,
): Gain[] => {
  const gains = new Map<Capability, number>()
  for (const [id, rule] of Object.entries(rules as Readonly<Record<string, Rule>>)) {
    const [lacking, ...others] = (rule.needs ?? []).filter((need) => !held.has(need))
    if (lacking === undefined || others.length > 0) continue
    gains.set(lacking, (gains.get(lacking) ?? 0) + (checks.get(id) ?? 0))
  }
  return [...gains]
    .filter(([, count]) => count > 0)
    .map(([capability, count]) => ({ capability, checks: count }))
    .toSorted((a, b) => b.checks - a.checks)
}

/** What a user adds to a profile for a capability. */
export const howToDeclare: Readonly<Record<Capability, string>> = {
  clock: 'name the `management` port of a reference service',
  testdata: 'declare "testdata" where the test-data operations may be used',
  token: 'give a context a `token`',
  second: 'add a second context with its own credentials',
  fresh: 'use an environment that accepts self-signed seals',
  ips: 'list the source addresses of this machine under `addresses` and declare "ips"',
  long: 'declare "long" to let checks take an hour of real time',
  rotate: 'name the `management` port of a reference service and declare "rotate"',
  env: 'name the same service in other environments under `elsewhere`',
  provoke: 'declare "provoke" where limits may be exceeded and scarce things be spent',
  failures: 'name the `management` port of a reference service',
  hostile: 'declare "hostile" where hostile documents may be sent',
  bulk: 'declare "bulk" where the limits allow thousands of calls',
}

/** A gain in one sentence. */
export const gainSentence = ({ capability, checks }: Gain): string =>
  `${counted(checks, 'more check')} with ${capability} (${capabilities[capability]}): ${howToDeclare[capability]}`
