import type { FormCode } from '../../contract/environments.ts'
import { statusOf } from '../../lib/flows/settle.ts'
import { encryptAes } from '../../lib/crypto.ts'
import type { Exchange } from '../../lib/exchange.ts'
import { describeSubmission, drawSecret } from '../../lib/flows/session.ts'
import type { Secret } from '../../lib/flows/session.ts'
import { NoAnswer } from './connection.ts'
import { conclude, findOut } from './outcome.ts'
import type { OutboxDocument } from './outbox.ts'
import { formCodeOf, settled } from './session-records.ts'
import { sleep } from '../../lib/poll.ts'
import type { Issuing } from './issuing.ts'

/** Issues documents one by one, in interactive sessions. */

interface OpenSession extends Secret {
  readonly reference: string
  readonly form: string
}

/** How often a document is tried before it counts as unknown for now. */
const attemptsAtMost = 5

/** How often everything that is still unsent is gone through. */
const passesAtMost = 3

export async function issueOnline(issuing: Issuing): Promise<void> {
  const { outbox, store } = issuing
  await findOut(issuing, outbox.waiting('sending'))
  // A second pass sends what the first could not, for example because its session was cancelled.
  for (let pass = 1; pass <= passesAtMost; pass += 1) {
    const documents = outbox.waiting('new')
    const isOver = pass > 1 && documents.length === 0
    if (isOver) break
    await sendAll(issuing, documents)
    const sessions = store.entries('session ')
    for (const [key, record] of sessions)
      if (!(record as { closed: boolean }).closed) await close(issuing, key.slice(8))
    await conclude(issuing)
  }
}

const noSession = { at: 'rejected', reason: 'no session could be opened for it' } as const

async function sendAll(issuing: Issuing, documents: readonly OutboxDocument[]): Promise<void> {
  const { outbox, conduct } = issuing
  let open: OpenSession | undefined
  const refused = new Set<string>()
  for (const document of documents) {
    const form = formCodeOf(document.xml)
    // No session opens for this form: asking again for each document changes nothing.
    if (refused.has(form.systemCode)) {
      outbox.move(document, noSession)
      continue
    }
    for (let attempt = 1; attempt <= attemptsAtMost; attempt += 1) {
      if (open?.form !== form.systemCode) {
        open = await openSession(issuing, form)
        if (open === undefined) {
          refused.add(form.systemCode)
          outbox.move(document, noSession)
          break
        }
      }
      const next = await submit(issuing, open, document, attempt)
      if (next === 'done') break
      if (next === 'another session') open = undefined
      else await sleep(conduct.pollAfter(attempt))
    }
  }
}

async function openSession(
  { account, keys, store }: Issuing,
  form: FormCode,
): Promise<OpenSession | undefined> {
  const secret = drawSecret()
  const exchange = await keys.using(
    'SymmetricKeyEncryption',
    secret.key,
    account.now,
    (encryptedSymmetricKey) =>
      account.call(
        'sessions.openOnline',
        {
          body: {
            formCode: form,
            encryptedSymmetricKey,
            initVector: Buffer.from(secret.iv).toString('base64'),
          },
        },
        // A session of which nobody knows holds no invoice and ends by itself.
        'safe',
      ),
  )
  const { referenceNumber } = (exchange.body ?? {}) as { referenceNumber?: unknown }
  if (exchange.status >= 300 || typeof referenceNumber !== 'string') return undefined
  store.put(`session ${referenceNumber}`, { closed: false })
  return { ...secret, reference: referenceNumber, form: form.systemCode }
}

type Next = 'done' | 'again' | 'another session'

const described = async (
  { connection, conduct }: Issuing,
  session: OpenSession,
  document: OutboxDocument,
): Promise<Record<string, unknown>> => {
  const encrypted = await encryptAes(document.xml, session.key, conduct.vector(session.iv))
  const body = await describeSubmission(connection.client, document.xml, encrypted)
  return conduct.submission(body)
}

async function submit(
  issuing: Issuing,
  session: OpenSession,
  document: OutboxDocument,
  attempt: number,
): Promise<Next> {
  const { account, conduct, outbox } = issuing
  const before = outbox.stateOf(document)
  const isRenumbered =
    (before.at === 'new' && before.underAnotherNumber) ||
    (attempt > 1 && conduct.afterSilence === 'send under another number')
  const sent = isRenumbered ? renumbered(document, attempt) : document
  const body = await described(issuing, session, sent)
  outbox.move(document, { at: 'sending', session: session.reference })
  let exchange: Exchange
  try {
    exchange = await account.call(
      'invoices.submit',
      { path: { referenceNumber: session.reference }, body },
      'unsafe',
    )
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    if (conduct.afterSilence === 'find out') await findOut(issuing, [document])
    return outbox.stateOf(document).at === 'sent' ? 'done' : 'again'
  }
  const { referenceNumber } = (exchange.body ?? {}) as { referenceNumber?: unknown }
  if (exchange.status < 300 && typeof referenceNumber === 'string') {
    outbox.move(document, { at: 'sent', session: session.reference, reference: referenceNumber })
    return 'done'
  }
  outbox.move(document, { at: 'new' })
  // Some dialects open a session whose key they cannot read, and refuse what is sent into it.
  issuing.keys.forget()
  // What is refused twice, in two sessions, is refused for what it is.
  if (attempt > 1) {
    outbox.move(document, {
      at: 'rejected',
      reason: `the service refused it with ${exchange.status}`,
    })
    return 'done'
  }
  return 'another session'
}

const renumbered = (document: OutboxDocument, attempt: number): OutboxDocument => {
  const text = Buffer.from(document.xml).toString('utf8')
  const number = `${document.number}-${attempt}`
  return { ...document, xml: new Uint8Array(Buffer.from(text.replace(document.number, number))) }
}

/** Closes a session; it is closed as well when somebody else did it. */
export async function close(issuing: Issuing, reference: string): Promise<void> {
  const { account, conduct, store } = issuing
  if (!conduct.closesSessions) return
  const path = { referenceNumber: reference }
  const look = () => account.call('sessions.status', { path }, 'safe')
  const closed = await account.call('sessions.closeOnline', { path }, 'safe')
  // Refused: it is over already, or may not be closed by us. Nothing will come of one that is still open.
  if (closed.status >= 300 && statusOf((await look()).body)?.code === 100) return
  store.put(`session ${reference}`, { closed: true })
  await settled(conduct, 200, look)
}
