import type { Belief, Held, History, Step, TaskDocument } from './history.ts'

/** What a history shows of each document: how it was sent, what the service holds, what the client received. */

export interface DocumentStory {
  readonly document: TaskDocument
  /** Steps that sent it, in order. */
  readonly sent: readonly Step[]
  /** What the service holds of it, or what answers showed where nothing else does. */
  readonly held: readonly Held[]
  readonly belief: Belief | undefined
  /** Step in which the client first learned that it is a duplicate. */
  readonly reportedDuplicate: Step | undefined
  /** Steps that concern it, in order: sent, and reported. */
  readonly steps: readonly number[]
}

/** A recording has no task: the submitted documents become one, each identified by its hash. */
export function withSentDocuments(history: History): History {
  if (history.task !== undefined) return history
  const { steps } = history
  const sightings = steps.flatMap((step) => step.sightings)
  const hashes = new Set(
    steps.flatMap(({ operation, hash }) =>
      operation === 'invoices.submit' && hash !== undefined ? [hash] : [],
    ),
  )
  const documents = [...hashes].map((hash, place): TaskDocument => ({
    id: `document ${place + 1}`,
    hash,
    number:
      sightings.find((one) => one.hash === hash && one.number !== undefined)?.number ??
      `SHA-256 ${hash.slice(0, 12)}`,
    expect: 'either',
  }))
  return { ...history, task: { documents } }
}

/** Hash of a document by its reference number, from the steps. */
export function hashesByReference(steps: readonly Step[]): ReadonlyMap<string, string> {
  const hashes = new Map<string, string>()
  for (const { sightings } of steps)
    for (const { reference, hash } of sightings)
      if (reference !== undefined && hash !== undefined) hashes.set(reference, hash)
  return hashes
}

/** Documents as the answers showed them: the latest status for each reference. */
function heldByAnswers(history: History): Held[] {
  const hashes = hashesByReference(history.steps)
  const last = new Map<string, Held>()
  for (const { sightings } of history.steps)
    for (const { reference, hash, number, svcNumber, session, code } of sightings) {
      const known = hash ?? (reference === undefined ? undefined : hashes.get(reference))
      if (known === undefined || code === undefined) continue
      const key = reference ?? svcNumber ?? known
      last.set(key, { hash: known, number, svcNumber, session, reference, code })
    }
  // A query and a status describe the same issue under different keys.
  const byNumber = new Map<string, Held>()
  for (const [key, held] of last) byNumber.set(held.svcNumber ?? key, held)
  return [...byNumber.values()]
}

/** Everything that the service holds, as far as the history shows it. */
export const heldIn = (history: History): readonly Held[] => history.held ?? heldByAnswers(history)

export const isIssued = ({ code, svcNumber }: Held): boolean =>
  code === 200 && svcNumber !== undefined

const isDuplicateAnswer = ({ operation, outcome, status, code }: Step): boolean =>
  operation === 'invoices.submit' && outcome === 'fail' && (status === 440 || code === 440)

/** The stories of the documents of the task. */
export function storiesOf(history: History): DocumentStory[] {
  const held = heldIn(history)
  const hashes = hashesByReference(history.steps)
  return (history.task?.documents ?? []).map((document) => {
    const sent = history.steps.filter(
      (step) =>
        step.operation === 'invoices.submit' &&
        (step.number === undefined
          ? step.hash === document.hash
          : step.number === document.number || step.hash === document.hash),
    )
    const reporting = history.steps.filter(({ sightings }) =>
      sightings.some(
        ({ hash, reference }) =>
          hash === document.hash ||
          (reference !== undefined && hashes.get(reference) === document.hash),
      ),
    )
    const reportedDuplicate = history.steps.find(
      (step) =>
        (isDuplicateAnswer(step) && sent.includes(step)) ||
        (reporting.includes(step) &&
          step.sightings.some(
            ({ code, hash, reference }) =>
              code === 440 &&
              (hash === document.hash ||
                (reference !== undefined && hashes.get(reference) === document.hash)),
          )),
    )
    return {
      document,
      sent,
      held: held.filter((one) => one.hash === document.hash || one.number === document.number),
      belief: history.beliefs?.findLast((belief) => belief.document === document.id),
      reportedDuplicate,
      steps: [...new Set([...sent, ...reporting].map(({ n }) => n))].toSorted((a, b) => a - b),
    }
  })
}
