import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Dialect } from '../../contract/dialect.ts'
import { rngFor } from '../../lib/random.ts'
import { readBeliefs } from './beliefs.ts'
import type { Act, Condition } from './conditions/condition.ts'
import { openFront } from './conditions/front.ts'
import { createSchedule } from './conditions/schedule.ts'
import type { History, HistoryEvent } from './history.ts'
import { notInTime } from './history.ts'
import { referenceIn, verdictIn } from './journal-facts.ts'
import { judgeHistory } from './judge.ts'
import type { Manners } from './manners.ts'
import { mannersOf } from './manners.ts'
import type { Opinion } from './opinion.ts'
import type { Ordeal } from './ordeal.ts'
import { createRecorder } from './recorder.ts'
import { createRoutes } from './routes.ts'
import { startSubject } from './subject.ts'
import type { Subject } from './subject.ts'
import { environmentOf, prepare } from './task-file.ts'
import type { World } from './world.ts'
import { inOrder } from './steps.ts'
import { createWorld } from './world.ts'

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

export interface ExamineOptions {
  readonly command: readonly [string, ...string[]]
  readonly dialect: Dialect
  readonly seed: number
  readonly cwd: string
  /** Environment of the client besides that of the ordeal. */
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly signal?: AbortSignal | undefined
}

/** The whole time that a client has for one ordeal, ms. */
export const deadline = 58_000
/** How long after it was killed the client is started again, ms. */
const restartAfter = 300
/** Starts of the client at most: what is killed is started again. */
const startsAtMost = 6

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(), ms)
  })

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

interface Setting {
  readonly id: string
  readonly ordeal: Ordeal
  readonly options: ExamineOptions
  readonly seed: number
  readonly conditions: readonly Condition[]
  readonly folder: string
  readonly world: World
  readonly begun: number
}

async function examined(setting: Setting): Promise<OrdealResult> {
  const { id, ordeal, options, seed, conditions, folder, world, begun } = setting
  const events: HistoryEvent[] = []
  const recorder = createRecorder(world.dialect)
  const references = new Map<number, string>()
  let subject: Subject | undefined
  let run = 0
  const zero = performance.now()
  const now = () => Math.round((performance.now() - zero) * 10) / 10
  const epoch = world.running.clock.now()

  const act = async (one: Act): Promise<void> => {
    if (one.kind === 'kill') {
      events.push({ at: now(), kind: 'client-killed', words: 'the examiner killed the client' })
      subject?.kill()
      // The answer must not be quicker than the end of its reader.
      await pause(50)
      return
    }
    const kind = await world.act(one)
    if (kind !== undefined)
      events.push({
        at: now(),
        kind,
        words: kind.replaceAll('-', ' '),
        ...('usage' in one && { subject: one.usage }),
      })
  }
  const { journal } = world.running
  const front = await openFront({
    dialect: world.dialect,
    route: createRoutes(world.dialect),
    schedule: createSchedule(conditions),
    serve: async (request) => world.running.fetch(request, { address: '127.0.0.1' }),
    verdict: (request) => verdictIn(journal, request),
    act,
    run: () => run,
    now,
    record(exchange, truth) {
      const step = recorder.add(exchange)
      const reference = truth && referenceIn(step.operation, truth.body)
      if (reference !== undefined) references.set(step.n, reference)
    },
  })
  try {
    world.running.control.publish(front.origin)
    const documents = prepare({ ...setting, dialect: options.dialect.id }, front.origin)
    const before = world.references()
    const originals = documents.filter(({ expect }) => expect === 'duplicate')
    const numbers =
      originals.length === 0 ? [] : await world.issueOwn(originals.map(({ bytes }) => bytes))
    const known = originals.length === 0 ? before : world.references()
    const waiting = await arrivals(ordeal, world)

    const listensAfter = ordeal.service?.listensAfterMs
    if (listensAfter !== undefined) await front.hide(listensAfter)
    const ends: string[] = []
    const wanted = ordeal.runs ?? 1
    let finished = 0
    for (let start = 1; start <= startsAtMost && finished < wanted; start += 1) {
      const left = deadline - (performance.now() - begun)
      if (left < 500 || options.signal?.aborted === true) break
      run = start
      const kills = events.filter(({ kind }) => kind === 'client-killed').length
      events.push({ at: now(), kind: 'client-started', words: `start ${start} of the client` })
      subject = startSubject(
        options.command,
        { ...options.env, ...environmentOf(front.origin, folder, world) },
        options.cwd,
      )
      const own = subject
      const timer = setTimeout(() => own.kill(), left)
      const end = await own.ended
      clearTimeout(timer)
      const killed = events.filter(({ kind }) => kind === 'client-killed').length > kills
      const late = performance.now() - begun >= deadline - 100
      events.push({
        at: now(),
        kind: 'client-ended',
        words: late ? notInTime : end.words,
      })
      ends.push(
        `${late ? 'stopped after its time was over' : killed ? 'killed by the examiner' : end.words}${end.stderr === '' ? '' : `: ${end.stderr.trim()}`}`,
      )
      if (killed) await pause(restartAfter)
      else finished += 1
    }
    // What the service still has in hand belongs to the outcome.
    await pause(ordeal.service?.latency ? 1500 : 50)
    await world.running.clock.settle()

    const steps = inOrder(
      recorder.steps.map((step) => {
        const reference = references.get(step.n)
        const number = reference === undefined ? undefined : world.numberOf(reference)
        return number === undefined ? step : { ...step, number }
      }),
    )
    const history: History = {
      source: 'journal',
      epoch,
      environment: ordeal.service?.environment ?? 'test',
      steps,
      events,
      task: {
        documents: documents.map(({ id: document, hash, number, expect }) => ({
          id: document,
          hash,
          number,
          expect,
          ...(expect === 'duplicate' && {
            svcNumber: numbers[originals.findIndex((one) => one.id === document)],
          }),
        })),
        ...(ordeal.receive && { toReceive: [...new Set([...waiting, ...world.arrived])] }),
      },
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
      ...silence(steps.length, events, ends),
    }
  } finally {
    subject?.kill()
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
  await pause(20)
  return numbers
}
