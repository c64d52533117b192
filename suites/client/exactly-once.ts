import type { RuleId } from '../../contract/rules.ts'
import type { DocumentStory } from './documents.ts'
import { heldIn, isIssued, storiesOf } from './documents.ts'
import type { History, Step, TaskDocument } from './history.ts'
import { notInTime } from './history.ts'
import type { Opinion } from './opinion.ts'
import { convicted } from './opinion.ts'

/** Was every document issued, exactly once, and does the client know? */

export type Harm = 'lost' | 'doubled' | 'believed-wrongly' | 'unknown-at-end'

export interface HarmedDocument {
  readonly document: string
  readonly harm: Harm
  readonly words: string
  readonly steps: readonly number[]
  /** The rule that it breaks, whatever the conditions put to the test. */
  readonly rule?: RuleId
}

const isDuplicateReport = ({ code, status, sightings }: Step): boolean =>
  code === 440 || status === 440 || sightings.some((one) => one.code === 440)

/** The last call that got no answer, was refused, or reported work that failed. */
const troubleIn = ({ steps }: History): Step | undefined =>
  steps.findLast(({ outcome, code }) => outcome !== 'ok' || (code ?? 0) >= 400)

const wordsOf = ({ n, operation, method, path, status, code, details, fault }: Step): string =>
  `#${n} ${operation ?? `${method} ${path}`}, ${fault ?? `answered ${status}${code === undefined || code === status ? '' : ` with code ${code}`}${details?.[0] === undefined ? '' : `: ${details[0]}`}`}`

/** A story in few steps: the first and last that sent the document, and the last that reported it. */
const shortest = ({ sent, steps }: DocumentStory): number[] =>
  [...new Set([sent[0]?.n, sent.at(-1)?.n, steps.at(-1)])]
    .filter((n) => n !== undefined)
    .toSorted((a, b) => a - b)

function beliefHarm(
  story: DocumentStory,
  issued: string | undefined,
): Omit<HarmedDocument, 'steps'> | undefined {
  const { document, belief } = story
  const { id, number, expect } = document
  // Where the outcome is left open, a client that does not know it may say so.
  if (expect === 'either' && belief?.outcome !== 'accepted' && belief?.outcome !== 'rejected')
    return undefined
  const name = `${id} (${number})`
  if (belief === undefined || belief.outcome === 'unknown')
    return {
      document: id,
      harm: 'unknown-at-end',
      words: `${name}: the client ${belief === undefined ? 'wrote no outcome' : 'still wrote "unknown"'} at the end; the service ${issued === undefined ? 'has not issued it' : `issued it as ${issued}`}`,
    }
  if (issued === undefined && belief.outcome === 'accepted')
    return {
      document: id,
      harm: 'believed-wrongly',
      words: `${name}: the client believes that it was accepted${belief.number ? ` as ${belief.number}` : ''}, the service has not issued it`,
    }
  if (issued !== undefined && belief.outcome === 'rejected')
    return {
      document: id,
      harm: 'believed-wrongly',
      words: `${name}: the client believes that it was rejected, the service issued it as ${issued}`,
    }
  if (issued !== undefined && belief.number !== undefined && belief.number !== issued)
    return {
      document: id,
      harm: 'believed-wrongly',
      words: `${name}: the client believes that it has the number ${belief.number}, the service issued it as ${issued}`,
      rule: 'client.outcome.exactly-once',
    }
  return undefined
}

/** What the client could know when it wrote its belief. */
function lastHeard({ steps }: History, { sent, steps: own }: DocumentStory): string {
  const last = steps.findLast(
    (step) => own.includes(step.n) && !sent.includes(step) && step.outcome === 'ok',
  )
  if (last === undefined) return 'the client received no answer about its outcome'
  return `the last answer about it was #${last.n} ${last.operation ?? last.path}${last.code === undefined ? '' : `, code ${last.code}`}`
}

const advices: Readonly<Record<Harm, string | undefined>> = {
  // A document can be lost for various reasons: its description names the last call that failed.
  lost: undefined,
  doubled:
    'keep what was sent on the disk, and find out what became of it before sending again, under the same number',
  'believed-wrongly':
    'take outcome and number from the status of that document only: 200 is accepted, 440 issued before, 400 and above rejected, below 200 pending',
  'unknown-at-end': 'ask for the status until its code is 200 or above, and write the outcome',
}

/** Submissions of documents that are not part of the task. */
function otherBytes(
  history: History,
): { readonly reason: string | undefined; readonly steps: readonly number[] } | undefined {
  const wanted = new Set(history.task?.documents.map(({ hash }) => hash))
  const first = history.steps.find(
    ({ operation, hash, outcome }) =>
      operation === 'invoices.submit' &&
      outcome === 'ok' &&
      hash !== undefined &&
      !wanted.has(hash),
  )
  if (first === undefined) return undefined
  const rejected = heldIn(history).find(({ hash, code }) => hash === first.hash && code >= 400)
  const reported = history.steps.find(({ sightings }) =>
    sightings.some(
      ({ reference, code }) => reference === first.facts['reference'] && (code ?? 0) >= 400,
    ),
  )
  return {
    reason: rejected?.reason ?? reported?.details?.[0],
    steps: [first.n, ...(reported === undefined ? [] : [reported.n])],
  }
}

/** Other bytes were sent than those of this document. */
const isAltered = (history: History, document: TaskDocument | undefined): boolean =>
  document !== undefined &&
  history.steps.every(({ hash }) => hash !== document.hash) &&
  otherBytes(history) !== undefined

/** Why a document was never issued, as far as the history shows it. */
function lossOf(
  history: History,
  { document, sent, held }: DocumentStory,
  steps: readonly number[],
): Pick<HarmedDocument, 'words' | 'steps'> {
  const name = `${document.id} (${document.number}): it was never issued`
  const rejected = held.at(-1)
  if (rejected !== undefined) {
    const hasOtherBytes = rejected.hash !== document.hash
    return {
      words: `${name}; the service rejected it with ${rejected.code}${rejected.reason === undefined ? '' : `: ${rejected.reason}`}${hasOtherBytes ? '. What was sent is not the document of the task: its hash differs' : ''}`,
      steps,
    }
  }
  const other = sent.length === 0 ? otherBytes(history) : undefined
  if (other !== undefined)
    return {
      words: `${name}. What the client sent is none of the documents of the task: the hash of each differs${other.reason === undefined ? '' : `. The service rejected it: ${other.reason}`}`,
      steps: other.steps,
    }
  const trouble = troubleIn(history)
  return {
    words: `${name}; ${sent.length === 0 ? 'the client did not send it' : 'none of its submissions was accepted'}${trouble === undefined ? '' : `. The last call that failed was ${wordsOf(trouble)}`}`,
    steps: [...new Set([...steps, ...(trouble === undefined ? [] : [trouble.n])])].toSorted(
      (a, b) => a - b,
    ),
  }
}

function harmOf(history: History, story: DocumentStory): HarmedDocument | undefined {
  const { document } = story
  const { id, number, expect } = document
  const issues = story.held.filter(isIssued)
  const name = `${id} (${number})`
  const steps = shortest(story)
  if (issues.length > 1)
    return {
      document: id,
      harm: 'doubled',
      words: `${name}: the service issued it ${issues.length} times, as ${issues.map(({ svcNumber }) => svcNumber).join(' and ')}`,
      steps,
    }
  const last = story.held.at(-1)
  if (expect !== 'either' && last !== undefined && last.code < 200)
    return {
      document: id,
      harm: 'unknown-at-end',
      words: `${name}: the client ended while the service was still processing it (code ${last.code})`,
      steps,
    }
  const issued = issues[0]?.svcNumber ?? (expect === 'duplicate' ? document.svcNumber : undefined)
  if (expect === 'accepted' && issues.length === 0) {
    // Answers alone do not show the outcome of a document that the client never asked about.
    if (history.held === undefined && story.sent.length > 0)
      return {
        document: id,
        harm: 'unknown-at-end',
        words: `${name}: it was sent, and no answer shows what became of it`,
        steps,
      }
    return { document: id, harm: 'lost', ...lossOf(history, story, steps) }
  }
  if (history.beliefs === undefined) return undefined
  const harm = beliefHarm(story, issued)
  return harm && { ...harm, words: `${harm.words}; ${lastHeard(history, story)}`, steps }
}

/** Issued documents that are not part of the task. */
function strangeIn(history: History, stories: readonly DocumentStory[]) {
  const known = new Set(stories.flatMap(({ held }) => held))
  return (history.held ?? []).filter((held) => isIssued(held) && !known.has(held))
}

/** Every document that came to harm: first those that the task does not name, then in the order of the task. */
export function harmedDocuments(history: History): HarmedDocument[] {
  const stories = storiesOf(history)
  // A document that a stopped client had not processed yet is not lost.
  const isStopped = history.events.some(({ words }) => words === notInTime)
  const harmed = stories
    .flatMap((story) => harmOf(history, story) ?? [])
    .filter(({ harm }) => !isStopped || harm === 'doubled' || harm === 'believed-wrongly')
  return [
    ...strangeIn(history, stories).map(({ svcNumber, number }) => ({
      document: number ?? svcNumber ?? '',
      harm: 'doubled' as const,
      words: `${number}: issued as ${svcNumber}, although the task does not name it: a document was sent a second time under another number`,
      steps: history.steps.filter((step) => step.number === number).map(({ n }) => n),
    })),
    ...harmed,
  ]
}

/** The rule that a harmed document is recorded under. */
function ruleOf(history: History, { document, harm, rule }: HarmedDocument): RuleId {
  const known = history.task?.documents.find(({ id }) => id === document)
  // Sent under a number that the task does not name: the client turned a duplicate into another document.
  if (known === undefined && history.steps.some(isDuplicateReport))
    return 'client.duplicates.never-resent'
  // Only this document was wrong: the client sent other bytes in its place.
  if (harm === 'lost' && isAltered(history, known)) return 'client.requests.well-formed'
  if (known?.expect === 'duplicate') return 'client.duplicates.kept'
  // If the client made up a number, it did not merely record the number wrongly.
  if (rule !== undefined && strangeIn(history, storiesOf(history)).length === 0) return rule
  return history.blames ?? 'client.outcome.exactly-once'
}

/** A conviction for every document that came to harm, under the rule that the conditions put to the test. */
export const exactlyOnce = (history: History): Opinion[] =>
  harmedDocuments(history).map((harmed) => {
    const rule = ruleOf(history, harmed)
    return convicted(rule, harmed.words, harmed.steps, {
      document: harmed.document,
      ...(advices[harmed.harm] !== undefined && { advice: advices[harmed.harm] }),
      ...(rule === history.blames && { variant: history.variant }),
    })
  })

/** How many documents of the task were issued exactly once, and how many should have been. */
export function issuedOnce(history: History): { readonly once: number; readonly of: number } {
  const wanted = storiesOf(history).filter(({ document }) => document.expect === 'accepted')
  const once = wanted.filter(({ held }) => held.filter(isIssued).length === 1).length
  return { once, of: wanted.length }
}
