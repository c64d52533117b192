import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { rngFor } from '../../lib/random.ts'
import { readBeliefs } from './beliefs.ts'
import type { Act, Condition } from './conditions/condition.ts'
import { openFront } from './conditions/front.ts'
import { createSchedule } from './conditions/schedule.ts'
import type { History, HistoryEvent, TaskFacts } from './history.ts'
import { notInTime } from './history.ts'
import { referenceIn, verdictIn } from './journal-facts.ts'
import { judgeHistory } from './judge.ts'
import type { Manners } from './manners.ts'
import { mannersOf } from './manners.ts'
import type { Opinion } from './opinion.ts'
import type { Ordeal } from './ordeal.ts'
import { createRecorder } from './recorder.ts'
import { createRoutes } from './routes.ts'
import { prepare } from './task-file.ts'
import type { World } from './world.ts'
import { inOrder } from './steps.ts'
import { createWorld } from './world.ts'
import { sleep } from '../../lib/poll.ts'
import type { ExamineOptions, Runs, Setting, Timeline } from './client-runs.ts'
import { createTimeline, deadline, runClient } from './client-runs.ts'

/** Runs one ordeal: a fresh service, the conditions before it, the client, and the judge over what happened. */

export interface OrdealResult {
  readonly id: string
  readonly title: string
  readonly seed: number
  readonly conditions: readonly Condition[]
  readonly opinions: readonly Opinion[]
  readonly history: History
  readonly manners: Manners
  readonly ms: number
  /** Why nothing can be said: the client never called, or could not be started. */
  readonly inconclusive?: string | undefined
  /** How each run of the client ended, and the end of its standard error. */
  readonly ends: readonly string[]
}

export async function runOrdeal(
  id: string,
  ordeal: Ordeal,
  options: ExamineOptions,
): Promise<OrdealResult> {
  const begun = performance.now()
  const draw = rngFor({ seed: options.seed, rule: ordeal.rules[0], variant: id })
  const seed = draw.int32()
  const conditions = ordeal.conditions?.(draw) ?? []
  const folder = mkdtempSync(path.join(tmpdir(), `assay-${id}-`))
  const world = await createWorld(options.dialect, ordeal, seed)
  try {
    return await examined({ id, ordeal, options, seed, conditions, folder, world, begun })
  } catch (error) {
    // One ordeal that cannot be set up says nothing about the client, and nothing about the other ordeals.
    const history: History = { source: 'journal', steps: [], events: [] }
    return {
      id,
      title: ordeal.title,
      seed,
      conditions,
      opinions: [],
      history,
      manners: mannersOf([]),
      ms: Math.round(performance.now() - begun),
      inconclusive: `the ordeal itself went wrong: ${error instanceof Error ? error.message : String(error)}`,
      ends: [],
    }
  } finally {
    await world.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The task of a client, and what was at the service before it. */
interface Given {
  readonly task: TaskFacts
  readonly known: ReadonlySet<string>
}

/** Prepares the documents of a task, and has the service hold the originals of duplicates. */
async function givenTo(setting: Setting, origin: string) {
  const { ordeal, options, world } = setting
  const documents = prepare({ ...setting, dialect: options.dialect.id }, origin)
  const originals = documents.filter(({ expect }) => expect === 'duplicate')
  const numbers =
    originals.length === 0 ? [] : await world.issueOwn(originals.map(({ bytes }) => bytes))
  const known = world.references()
  const waiting = await arrivals(ordeal, world)
  /** What the client was to do, seen from the end: more may have arrived meanwhile. */
  return (): Given => ({
    known,
    task: {
      documents: documents.map(({ id, hash, number, expect }) => ({
        id,
        hash,
        number,
        expect,
        ...(expect === 'duplicate' && {
          svcNumber: numbers[originals.findIndex((one) => one.id === id)],
        }),
      })),
      ...(ordeal.receive && { toReceive: [...new Set([...waiting, ...world.arrived])] }),
    },
  })
}

/** Does what the conditions of the ordeal ask for: kills the client, or changes the service. */
const actor =
  (world: World, timeline: Timeline, runs: Runs) =>
  async (act: Act): Promise<void> => {
    if (act.kind === 'kill') {
      timeline.note({ kind: 'client-killed', words: 'the examiner killed the client' })
      runs.subject?.kill()
      // The answer must not be quicker than the end of its reader.
      await sleep(50)
      return
    }
    const kind = await world.act(act)
    if (kind !== undefined)
      timeline.note({
        kind,
        words: kind.replaceAll('-', ' '),
        ...('usage' in act && { subject: act.usage }),
      })
  }

async function examined(setting: Setting): Promise<OrdealResult> {
  const { id, ordeal, seed, conditions, folder, world, begun } = setting
  const recorder = createRecorder(world.dialect)
  const references = new Map<number, string>()
  const runs: Runs = { start: 0, subject: undefined }
  const timeline = createTimeline()
  const { journal, clock, control } = world.running
  const epoch = clock.now()
  const front = await openFront({
    dialect: world.dialect,
    route: createRoutes(world.dialect),
    schedule: createSchedule(conditions),
    serve: async (request) => world.running.fetch(request, { address: '127.0.0.1' }),
    verdict: (request) => verdictIn(journal, request),
    act: actor(world, timeline, runs),
    run: () => runs.start,
    now: timeline.now,
    record(exchange, truth) {
      const step = recorder.add(exchange)
      const reference = truth && referenceIn(step.operation, truth.body)
      if (reference !== undefined) references.set(step.n, reference)
    },
  })
  try {
    control.publish(front.origin)
    const given = await givenTo(setting, front.origin)
    const listensAfter = ordeal.service?.listensAfterMs
    if (listensAfter !== undefined) await front.hide(listensAfter)
    const ends = await runClient(setting, front.origin, timeline, runs)
    // What the service still has in hand belongs to the outcome.
    await sleep(ordeal.service?.latency ? 1500 : 50)
    await clock.settle()

    const steps = inOrder(
      recorder.steps.map((step) => {
        const reference = references.get(step.n)
        const number = reference === undefined ? undefined : world.numberOf(reference)
        return number === undefined ? step : { ...step, number }
      }),
    )
    const { task, known } = given()
    const history: History = {
      source: 'journal',
      epoch,
      environment: ordeal.service?.environment ?? 'test',
      steps,
      events: timeline.events,
      task,
      beliefs: readBeliefs(path.join(folder, 'beliefs.ndjson')),
      held: world.held(known),
      blames: ordeal.rules[0],
      ...(ordeal.variant !== undefined && { variant: ordeal.variant }),
      ...(ordeal.service?.rates && { simulatedLimits: true }),
    }
    return {
      id,
      title: ordeal.title,
      seed,
      conditions,
      history,
      opinions: steps.length === 0 ? [] : judgeHistory(history),
      manners: mannersOf(steps),
      ms: Math.round(performance.now() - begun),
      ends,
      ...silence(steps.length, timeline.events, ends),
    }
  } finally {
    runs.subject?.kill()
    await front.close()
  }
}

/** Why an ordeal says nothing, where it does. */
function silence(
  steps: number,
  events: readonly HistoryEvent[],
  ends: readonly string[],
): { inconclusive?: string } {
  if (steps === 0)
    return { inconclusive: `the client made no call (${ends.at(-1) ?? 'it was not started'})` }
  if (events.some(({ words }) => words === notInTime))
    return { inconclusive: `the client did not end within ${deadline / 1000} s` }
  return {}
}

/** What waits for the client before it starts. */
async function arrivals({ receive }: Ordeal, world: World): Promise<readonly string[]> {
  if (receive === undefined || receive.waiting === 0) return []
  const numbers = await world.arrive(receive.waiting)
  if (receive.sameInstant) world.storeAtOnce(numbers)
  // The high-water mark passes them.
  await sleep(20)
  return numbers
}
