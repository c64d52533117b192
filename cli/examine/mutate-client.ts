import { availableParallelism } from 'node:os'
import { dialects } from '../../contract/dialects.ts'
import { variants } from '../../examples/client/variants.ts'
import { runOrdeal } from '../../suites/client/examiner.ts'
import type { OrdealId } from '../../suites/client/ordeals.ts'
import { ordeal } from '../../suites/client/ordeals.ts'
import type { VariantRow } from '../../suites/client/variant-trials.ts'
import { convictionsOf, sideBySide, tryVariant } from '../../suites/client/variant-trials.ts'
import type { Io } from '../io.ts'
import { exits, printJson, usageError } from '../io.ts'
import { didYouMean } from '../nearest.ts'
import { modelClient } from './model-client.ts'

/** `assay mutate --client`: the broken variants of the model client are the mutants of the examination. */

export interface ClientMutation {
  readonly mutants: readonly string[]
  readonly seed: number
  /** How many seeds the sound client is acquitted with. */
  readonly seeds: number
  readonly json: boolean
}

interface SoundTrial {
  readonly ordeal: OrdealId
  readonly seed: number
}

const chosen = (asked: readonly string[]) => {
  const ids = variants.map(({ id }) => id)
  for (const id of asked)
    if (!ids.includes(id))
      throw usageError(
        `no variant of the client is called ${JSON.stringify(id)}.${didYouMean(id, ids)}`,
      )
  return asked.length === 0 ? variants : variants.filter(({ id }) => asked.includes(id))
}

/** What became of one variant; nothing is known of one whose ordeals did not come to their end. */
type Row = VariantRow & { readonly notRun?: true }

const notRun = ({ id, breaks, title }: (typeof variants)[number]): Row => ({
  id,
  breaks: [breaks],
  title,
  killed: false,
  by: [],
  others: [],
  notRun: true,
  ms: 0,
})

const line = ({ id, breaks, killed, by, others, inconclusive, notRun: left, ms }: Row): string => {
  if (left === true) return `${'not run'.padEnd(8)} ${id.padEnd(34)} its ordeals did not end\n`
  const why = killed
    ? `by ${by.join(', ')}`
    : others.length > 0
      ? `breaks ${breaks.join(', ')}, and was convicted under ${others.join(', ')} too`
      : `breaks ${breaks.join(', ')}${inconclusive === undefined ? '' : `: ${inconclusive}`}`
  return `${(killed ? 'killed' : 'SURVIVED').padEnd(8)} ${id.padEnd(34)} ${why} (${ms} ms)\n`
}

export async function mutateClient(asked: ClientMutation, io: Io): Promise<number> {
  const picked = chosen(asked.mutants)
  const options = (seed: number, variant?: string) => ({
    drive: modelClient(io, variant),
    dialect: dialects.svc,
    seed,
    signal: io.signal,
  })
  const workers = availableParallelism() * 3
  const rows: Row[] = []
  await sideBySide(picked, workers, async (variant) => {
    if (io.signal.aborted) return
    const row = await tryVariant(variant, options(asked.seed, variant.id))
    // An interruption ends the client too: what its ordeals show then says nothing of it.
    if (io.signal.aborted) return
    rows.push(row)
    io.err(line(row))
  })
  const used = [...new Set(picked.flatMap(({ ordeals }) => ordeals))] as OrdealId[]
  const trials = Array.from({ length: asked.seeds }, (_, place) => asked.seed + place).flatMap(
    (seed) => used.map((id): SoundTrial => ({ ordeal: id, seed })),
  )
  let tried = 0
  const convictions: (SoundTrial & { readonly rules: readonly string[] })[] = []
  await sideBySide(trials, workers, async (trial) => {
    if (io.signal.aborted) return
    const result = await runOrdeal(trial.ordeal, ordeal(trial.ordeal), options(trial.seed))
    if (io.signal.aborted) return
    tried += 1
    const rules = convictionsOf(result)
    if (rules.length > 0 || result.inconclusive !== undefined)
      convictions.push({
        ...trial,
        rules: [...rules, ...(result.inconclusive === undefined ? [] : [result.inconclusive])],
      })
  })
  const ordered = picked.map(
    (variant) => rows.find(({ id }) => id === variant.id) ?? notRun(variant),
  )
  const killed = ordered.filter((row) => row.killed).length
  const left = ordered.filter((row) => row.notRun === true).length
  const survived = picked.length - killed - left
  const judged = survived > 0 || convictions.length > 0 ? exits.mutantsSurvived : exits.conformant
  const exit = io.signal.aborted ? exits.interrupted : judged
  const soundLeft = trials.length - tried
  const sound = { seeds: asked.seeds, ordeals: tried, notRun: soundLeft, convictions }
  if (asked.json) printJson(io, { mutants: ordered, killed, survived, notRun: left, sound, exit })
  else {
    for (const row of ordered) io.out(line(row))
    for (const { ordeal: id, seed, rules } of convictions)
      io.out(`WRONG    the sound client in ${id}, seed ${seed}: ${rules.join(', ')}\n`)
    io.out(
      `\n${killed} of ${picked.length} variants convicted under their rule and no other${incomplete(left)}; the sound client: ${convictions.length} convictions in ${tried} ordeals${incomplete(soundLeft)} with ${asked.seeds} seeds, from ${asked.seed} on\n`,
    )
  }
  return exit
}

const incomplete = (left: number): string => (left === 0 ? '' : `, ${left} not run (incomplete)`)
