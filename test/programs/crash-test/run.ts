import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Unreachable } from '../../../lib/node/fetch.ts'
import { serve } from '../../served.ts'
import type { Served } from '../../served.ts'
import { enrol, grant, makeToken } from './rights.ts'
import { exportInvoices, sendBatch, sendInvoices } from './sending.ts'
import type { Fact, Owner, Tell, World } from './world.ts'
import { enter, opens } from './world.ts'

/** A service is killed again and again while it works, and each time it has to confirm what it answered before. */

type Work = (world: World, tell: Tell) => Promise<void>

const works: readonly Work[] = [
  sendInvoices,
  sendInvoices,
  sendInvoices,
  sendBatch,
  exportInvoices,
  grant,
  makeToken,
  enrol,
]

/** Maximum number of applications per round: the contract allows few certificates per subject. */
const maxEnrolments = 2

/** When the service of a round is killed. */
export interface Moment {
  /** Is called at every answer. */
  readonly answered: () => void
  readonly reached: Promise<void>
}

export interface CrashOptions {
  readonly data: string
  readonly rounds: number
  readonly moment: (round: number) => Moment
  /** Facts of earlier rounds that a round checks again; after the last round all are checked. */
  readonly sample: (facts: readonly Fact[]) => readonly Fact[]
  readonly say: (line: string) => void
}

export interface CrashReport {
  readonly crashes: number
  readonly facts: number
  readonly checks: number
  readonly differences: readonly string[]
}

const ownerOf = ({ profile }: Served): Owner => {
  const [context] = profile.contexts
  if (context === undefined) throw new Error('the service made no context')
  return {
    nip: context.value,
    token: context.token,
    credentials: {
      certificate: new X509Certificate(readFileSync(context.certificate)).raw,
      privateKey: createPrivateKey(readFileSync(context.key)),
    },
  }
}

/** Whether an error only says that the service was killed, as intended. */
const died = (error: unknown): boolean =>
  error instanceof Unreachable ||
  (error instanceof Error && error.cause !== undefined && died(error.cause))

const load = async (world: World, killed: () => boolean, tell: Tell): Promise<string[]> => {
  const wrong: string[] = []
  const repeat = async (work: Work): Promise<void> => {
    for (let n = 0; !killed(); n++) {
      if (work === enrol && n === maxEnrolments) return
      try {
        await work(world, tell)
      } catch (error) {
        if (!died(error)) wrong.push(`under load: ${(error as Error).message}`)
        return
      }
    }
  }
  await Promise.all(works.map(repeat))
  return wrong
}

/** Checks facts, several at a time; returns those that no longer hold. */
const verify = async (world: World, facts: readonly Fact[]): Promise<string[]> => {
  const wrong: string[] = []
  const left = [...facts]
  const hand = async (): Promise<void> => {
    for (let fact = left.shift(); fact !== undefined; fact = left.shift()) {
      try {
        await fact.check(world)
      } catch (error) {
        wrong.push(`${fact.what}: ${(error as Error).message}`)
      }
    }
  }
  await Promise.all(Array.from({ length: 4 }, hand))
  if (!(await opens(world, world.owner.token))) wrong.push('the first token opens no more')
  return wrong
}

/** Kills, starts again and compares, as often as asked. */
export const crashRepeatedly = async (options: CrashOptions): Promise<CrashReport> => {
  const facts: Fact[] = []
  const differences: string[] = []
  let checks = 0
  let served = await serve('--data', options.data, '--seed', '11')
  const owner = ownerOf(served)
  try {
    for (let round = 1; round <= options.rounds; round++) {
      const fresh: Fact[] = []
      const moment = options.moment(round)
      let killed = false
      const world = await enter(served, owner)
      const working = load(
        world,
        () => killed,
        (fact) => {
          fresh.push(fact)
          moment.answered()
        },
      )
      await Promise.race([moment.reached, working])
      killed = true
      await served.kill()
      differences.push(...(await working).map((line) => `round ${round}: ${line}`))
      world.close()

      served = await serve('--data', options.data, '--seed', '11')
      const after = await enter(served, owner)
      const old = round === options.rounds ? facts : options.sample(facts)
      const wrong = await verify(after, [...fresh, ...old])
      after.close()
      checks += fresh.length + old.length
      differences.push(...wrong.map((line) => `after kill ${round}: ${line}`))
      facts.push(...fresh)
      options.say(
        `kill ${round}: ${fresh.length} new facts, ${old.length} old ones, ${wrong.length} differences`,
      )
    }
  } finally {
    await served.kill()
  }
  return { crashes: options.rounds, facts: facts.length, checks, differences }
}
