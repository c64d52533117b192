import path from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Dialect } from '../../contract/dialect.ts'
import { sleep } from '../../lib/poll.ts'
import { readBeliefs } from './beliefs.ts'
import type { Act, Condition } from './conditions/condition.ts'
import type { Front, JournalVerdict } from './conditions/front.ts'
import { openFront } from './conditions/front.ts'
import { createSchedule } from './conditions/schedule.ts'
import type { History, HistoryEvent, Step, TaskFacts } from './history.ts'
import { referenceIn, verdictIn } from './journal-facts.ts'
import type { MadeDocument } from './made-documents.ts'
import type { Ordeal } from './ordeal.ts'
import { createRecorder } from './recorder.ts'
import { createRoutes } from './routes.ts'
import { inOrder } from './steps.ts'
import { environmentOf, prepare } from './task-file.ts'
import type { World } from './world.ts'

/** The service of one ordeal, the way to it with its conditions, and a record of everything that happens. */

export interface Stage {
  /** What the client is told. */
  readonly environment: Readonly<Record<string, string>>
  readonly events: readonly HistoryEvent[]
  /** The client starts; `kill` is called when the conditions require it. */
  begins(kill: () => void): void
  /** The client has ended. */
  ends(words: string): void
  /** How often the conditions killed the client. */
  kills(): number
  history(): Promise<History>
  close(): Promise<void>
}

export interface Setting {
  readonly ordeal: Ordeal
  readonly dialect: Dialect
  readonly seed: number
  readonly conditions: readonly Condition[]
  readonly folder: string
  readonly world: World
  readonly onStep?: ((step: Step) => void) | undefined
}

export async function openStage(setting: Setting): Promise<Stage> {
  const { ordeal, folder, world } = setting
  const zero = performance.now()
  const now = () => Math.round((performance.now() - zero) * 10) / 10
  const epoch = world.running.clock.now()
  const events: HistoryEvent[] = []
  const note = (kind: HistoryEvent['kind'], words: string, subject?: string) =>
    events.push({ at: now(), kind, words, ...(subject !== undefined && { subject }) })
  let run = 0
  let kill: () => void = () => undefined

  async function act(one: Act): Promise<void> {
    if (one.kind === 'kill') {
      note('client-killed', 'the examiner killed the client')
      kill()
      // The answer must not arrive before the process that reads it has ended.
      await sleep(50)
      return
    }
    const kind = await world.act(one)
    if (kind !== undefined)
      note(kind, kind.replaceAll('-', ' '), 'usage' in one ? one.usage : undefined)
  }

  const way = await openWay(setting, { now, act, run: () => run })
  try {
    const laid = await layOut(setting, way.front)
    return {
      environment: environmentOf(way.front.origin, folder, world),
      events,
      begins(end) {
        run += 1
        kill = end
        note('client-started', `start ${run} of the client`)
      },
      ends: (words) => void note('client-ended', words),
      kills: () => events.filter(({ kind }) => kind === 'client-killed').length,
      async history() {
        // Work that the service has not finished yet is part of the outcome.
        await sleep(ordeal.service?.latency ? 1500 : 50)
        await world.running.clock.settle()
        return {
          source: 'journal',
          epoch,
          environment: ordeal.service?.environment ?? 'test',
          steps: way.steps(),
          events,
          task: laid.task(),
          beliefs: readBeliefs(path.join(folder, 'beliefs.ndjson')),
          held: world.held(laid.known),
          blames: ordeal.rules[0],
          ...(ordeal.variant !== undefined && { variant: ordeal.variant }),
          ...(ordeal.service?.rates && { simulatedLimits: true }),
          ...(ordeal.service?.listensAfterMs !== undefined && {
            listensAfterMs: ordeal.service.listensAfterMs,
          }),
        }
      },
      async close() {
        kill()
        await way.front.close()
      },
    }
  } catch (error) {
    await way.front.close()
    throw error
  }
}

interface Way {
  readonly front: Front
  /** Every call, in order, with the number of the document that it submitted. */
  steps(): Step[]
}

async function openWay(
  { dialect, conditions, world, onStep }: Setting,
  {
    now,
    act,
    run,
  }: {
    readonly now: () => number
    readonly act: (one: Act) => Promise<void>
    readonly run: () => number
  },
): Promise<Way> {
  const recorder = createRecorder(world.dialect)
  const references = new Map<number, string>()
  const { journal } = world.running
  const front = await openFront({
    dialect,
    route: createRoutes(world.dialect),
    schedule: createSchedule(conditions),
    async serve(request): Promise<{ response: Response; verdict: JournalVerdict }> {
      const since = journal.last()
      const response = await world.running.fetch(request, { address: '127.0.0.1' })
      return { response, verdict: verdictIn(journal, since, request) }
    },
    act,
    run,
    now,
    record(exchange, truth) {
      const step = recorder.add(exchange)
      const reference = truth && referenceIn(step.operation, truth.body)
      if (reference !== undefined) references.set(step.n, reference)
      onStep?.(step)
    },
  })
  return {
    front,
    steps: () =>
      inOrder(
        recorder.steps.map((step) => {
          const reference = references.get(step.n)
          const number = reference === undefined ? undefined : world.numberOf(reference)
          return number === undefined ? step : { ...step, number }
        }),
      ),
  }
}

interface LaidOut {
  /** References of documents that were there before the client. */
  readonly known: ReadonlySet<string>
  task(): TaskFacts
}

/** Writes the task, and issues what the client is to find. */
async function layOut(setting: Setting, front: Front): Promise<LaidOut> {
  const { ordeal, dialect, world } = setting
  world.running.control.publish(front.origin)
  const documents = prepare({ ...setting, dialect: dialect.id }, front.origin)
  const originals = documents.filter(({ expect }) => expect === 'duplicate')
  const numbers =
    originals.length === 0 ? [] : await world.issueOwn(originals.map(({ bytes }) => bytes))
  const known = world.references()
  const waiting = await arrivals(ordeal, world)
  const listensAfter = ordeal.service?.listensAfterMs
  if (listensAfter !== undefined) await front.hide(listensAfter)
  const described = ({ id, hash, number, expect }: MadeDocument) => ({ id, hash, number, expect })
  return {
    known,
    task: () => ({
      documents: documents.map((one) => ({
        ...described(one),
        ...(one.expect === 'duplicate' && { svcNumber: numbers[originals.indexOf(one)] }),
      })),
      ...(ordeal.receive && { toReceive: [...new Set([...waiting, ...world.arrived])] }),
    }),
  }
}

/** What waits for the client before it starts. */
async function arrivals({ receive }: Ordeal, world: World): Promise<readonly string[]> {
  if (receive === undefined || receive.waiting === 0) return []
  const numbers = await world.arrive(receive.waiting)
  if (receive.sameInstant) world.storeAtOnce(numbers)
  // Until the high-water mark has passed them.
  await sleep(20)
  return numbers
}
