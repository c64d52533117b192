import { limits } from '../../contract/limits.ts'
import type { LimitId } from '../../contract/limits.ts'
import type { AnyCall, Answer } from '../call/call.ts'
import type { Running } from '../call/exchange.ts'
import type { Service } from '../call/service.ts'
import type { Handle, Mutant, Place, Respond } from '../mutants/mutant.ts'
import { usedIn } from '../mutants/mutant.ts'
import type { Parts } from '../mutants/vary.ts'
import { vary } from '../mutants/vary.ts'

/** A service whose parts are replaced where mutants are installed. Fields, not getters, which are slow to look up. */
export type Varied = { -readonly [Part in keyof Parts]: Parts[Part] } & Service

/** Where mutants are installed: the parts of the service, and around calls and exchanges. Nothing else knows them. */
export interface Seams {
  readonly installed: readonly string[]
  /** Adds a mutant, or puts it last where it is installed already. */
  install(id: string, defect: Mutant): void
  uninstall(): void
  /** Begins to note which parts of the service are used: places, decisions and limits. */
  record(): void
  /** What was used since. */
  used(): ReadonlySet<string>
  /** The service as it shows in one place. */
  at(place: Place): Service
  call(call: AnyCall, handle: Handle): Promise<Answer>
  exchange(running: Running, respond: Respond): Promise<Response>
}

const limitIds = Object.keys(limits) as LimitId[]

const partsOf = (service: Service): Parts => {
  const { policy, environment, limit, state, schedule, verifier } = service
  return { policy, environment, limit, state, schedule, verifier }
}

/** A mutant that changes nothing and notes which decisions are taken and which limits are read, and in which place. */
const recorder = (sound: Parts, used: Set<string>, place?: Place): Mutant => {
  const note = (name: string): void => {
    used.add(name)
    if (place !== undefined) used.add(usedIn(place, name))
  }
  return {
    policy: Object.fromEntries(
      Object.entries(sound.policy as Readonly<Record<string, (...given: never[]) => unknown>>).map(
        ([name, decide]) => [
          name,
          (...given: never[]) => {
            note(name)
            return decide(...given)
          },
        ],
      ),
    ) as Partial<Parts['policy']>,
    limits: Object.fromEntries(
      limitIds.map((id) => [
        id,
        (value: number) => {
          note(id)
          return value
        },
      ]),
    ),
  }
}

/**
 * The seams of a service, with no mutant installed.
 * @param own mutants without ids that are always installed
 */
export const createSeams = (service: Varied, own: readonly Mutant[] = []): Seams => {
  const sound = partsOf(service)
  let installed: readonly (readonly [id: string, defect: Mutant])[] = []
  let defects: readonly Mutant[] = own
  let used: Set<string> | undefined
  let local = new Map<Place, Service>()
  // Kept apart, because a sound service, which has none, passes here with every call.
  let aroundCalls: readonly Mutant[] = []
  let aroundExchanges: readonly Mutant[] = []

  const apply = (): void => {
    local = new Map()
    aroundCalls = defects.filter(({ call }) => call !== undefined)
    aroundExchanges = defects.filter(({ exchange }) => exchange !== undefined)
    Object.assign(service, sound)
    const everywhere = defects.filter(({ at }) => at === undefined)
    for (const defect of used === undefined ? everywhere : [recorder(sound, used), ...everywhere])
      Object.assign(service, vary(partsOf(service), defect))
    for (const defect of defects)
      for (const place of defect.at ?? []) {
        const here = local.get(place) ?? service
        const varied = Object.assign(Object.create(here) as Service, vary(partsOf(here), defect))
        local.set(place, varied)
      }
  }

  apply()
  return {
    get installed() {
      return installed.map(([id]) => id)
    },
    install(id, defect) {
      installed = [...installed.filter(([one]) => one !== id), [id, defect]]
      defects = [...own, ...installed.map(([, one]) => one)]
      apply()
    },
    uninstall() {
      installed = []
      used = undefined
      defects = own
      apply()
    },
    record() {
      used = new Set()
      apply()
    },
    used: () => used ?? new Set(),
    at(place) {
      const here = local.get(place)
      if (used === undefined) return here ?? service
      used.add(place)
      if (here !== undefined) return here
      const noting = vary(sound, recorder(sound, used, place))
      const varied = Object.assign(Object.create(service) as Service, noting)
      local.set(place, varied)
      return varied
    },
    call: (call, handle) =>
      aroundCalls.reduce<Handle>(
        (next, { at, call: around }) =>
          around === undefined || at?.includes(call.operation) === false
            ? next
            : async (given) => around(given, next),
        handle,
      )(call),
    exchange: (running, respond) =>
      aroundExchanges.reduce<Respond>(
        (next, { at, exchange: around }) =>
          around === undefined ||
          (at !== undefined && !at.some((place) => place === running.exchange.operation))
            ? next
            : async (given) => around(given, next),
        respond,
      )(running),
  }
}
