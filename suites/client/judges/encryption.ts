import { hashesByReference, heldIn, isIssued } from '../documents.ts'
import type { History, Step } from '../history.ts'
import { groupedBy } from '../manners.ts'
import type { Opinion } from '../opinion.ts'
import { convicted, notExercised, passed } from '../opinion.ts'

/** Whether the service could decrypt what the client encrypted, and whether it matched its description. */

/** Codes of documents and packages that cannot be decrypted or do not match their description. */
const documentCodes: Readonly<Record<number, string>> = {
  430: 'it does not match its declared hash or size',
  435: 'it does not decrypt with the key and IV of its session',
}
const answerCodes: Readonly<Record<number, string>> = {
  21402: 'the encrypted content is not of the declared size',
  21403: 'the encrypted content does not match the declared hash',
}
const batchCodes: Readonly<Record<number, string>> = {
  405: 'the package does not match its description',
  430: 'the archive cannot be unpacked',
  435: 'a part does not decrypt',
}
const refusals: ReadonlySet<string> = new Set([
  'invalid-input',
  'content-not-base64',
  'encrypted-size-mismatch',
  'encrypted-hash-mismatch',
])

const rule = 'client.encryption.right'
const advice =
  'encrypt with the plain AES key and IV of the session, PKCS#7; hash the bytes that are sent; Base64 in one line'

const answered = (step: Step): string | undefined => {
  if (step.operation !== 'invoices.submit' || step.fault !== undefined) return undefined
  if (step.facts['lineBreaks'] === true) return 'the Base64 text has line breaks'
  if (step.malformed !== undefined) return undefined
  if (step.refusal !== undefined && refusals.has(step.refusal))
    return step.details?.[0] ?? step.refusal
  return step.outcome === 'fail' ? answerCodes[step.code ?? 0] : undefined
}

export function encryptionRight(history: History): Opinion[] {
  const { steps } = history
  const hashes = hashesByReference(steps)
  const wrong: Opinion[] = steps.flatMap((step) => {
    const reason = answered(step)
    return reason === undefined
      ? []
      : [convicted(rule, `a submission was refused: ${reason}`, [step.n], { advice })]
  })
  wrong.push(...misencrypted(steps))
  for (const held of heldIn(history)) {
    const reason = documentCodes[held.code]
    if (reason === undefined) continue
    const sent = steps.filter(
      ({ operation, hash }) => operation === 'invoices.submit' && hash === held.hash,
    )
    wrong.push(
      convicted(
        rule,
        `the service rejected ${held.number ?? held.reference} with ${held.code}: ${reason}`,
        [...sent.map(({ n }) => n), ...tellers(steps, held.reference, hashes)].slice(0, 4),
        { advice },
      ),
    )
  }
  // A part that the conditions altered on its way is not the client's doing.
  const altered = steps.some(
    ({ operation, fault }) => operation === 'sessions.uploadPart' && fault !== undefined,
  )
  if (!altered)
    for (const step of steps) {
      const reason = step.operation === 'sessions.status' ? batchCodes[step.code ?? 0] : undefined
      if (reason === undefined || !isBatch(steps, step.session)) continue
      wrong.push(
        convicted(rule, `the service rejected a package with ${step.code}: ${reason}`, [step.n], {
          advice,
        }),
      )
      break
    }
  wrong.push(...repeatedVectors(steps))
  if (wrong.length > 0) return wrong
  const issued = heldIn(history).filter(isIssued)
  if (issued.length === 0) return [notExercised(rule, 'the service accepted no document')]
  return [passed(rule, `${issued.length} documents opened and matched`, [])]
}

/** Keys and tokens that were encrypted for the right certificate, but cannot be decrypted. */
const misencrypted = (steps: readonly Step[]): Opinion[] =>
  steps
    // A token that was sent unencrypted was disclosed, not encrypted wrongly.
    .filter(({ isMisencrypted, misplaced }) => isMisencrypted === true && misplaced.length === 0)
    .map(({ n, operation, details }) =>
      convicted(
        rule,
        `the service could not open what the client encrypted for ${operation}: ${details?.join('; ') ?? 'no explanation'}`,
        [n],
        {
          advice: `encrypt ${operation === 'auth.token' ? 'the text "TOKEN|TIME", with the time of the challenge in milliseconds,' : 'the 32 bytes of the key, not their Base64 text,'} by RSA-OAEP with SHA-256, for MGF1 too; some libraries take SHA-1 by default`,
        },
      ),
    )

const carriesDocuments: ReadonlySet<string> = new Set(['invoices.submit', 'sessions.closeBatch'])

/** Sessions that took documents under the same IV: each session needs a fresh one. */
function repeatedVectors(steps: readonly Step[]): Opinion[] {
  const used = new Set(
    steps.flatMap(({ operation, outcome, session }) =>
      operation !== undefined && carriesDocuments.has(operation) && outcome === 'ok'
        ? [session]
        : [],
    ),
  )
  const opened = steps.filter(
    ({ facts }) => typeof facts['initVector'] === 'string' && used.has(String(facts['opened'])),
  )
  const groups = groupedBy(opened, ({ facts }) => String(facts['initVector']))
  return [...groups.values()]
    .filter(({ length }) => length > 1)
    .map((group) =>
      convicted(
        rule,
        `${group.length} sessions were opened with the same IV`,
        group.map(({ n }) => n),
        { advice: 'draw 32 random bytes of key and 16 of IV for each session' },
      ),
    )
}

const isBatch = (steps: readonly Step[], session: string | undefined): boolean =>
  steps.some(
    ({ operation, facts }) => operation === 'sessions.openBatch' && facts['opened'] === session,
  )

const tellers = (
  steps: readonly Step[],
  reference: string | undefined,
  hashes: ReadonlyMap<string, string>,
): number[] =>
  reference === undefined || !hashes.has(reference)
    ? []
    : steps
        .filter(({ sightings }) =>
          sightings.some((one) => one.reference === reference && (one.code ?? 0) >= 200),
        )
        .slice(0, 1)
        .map(({ n }) => n)
