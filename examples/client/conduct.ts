import type { Exchange } from '../../lib/exchange.ts'
import type { KeyUsage, PublicKey } from '../../lib/flows/keys.ts'
import { chooseKey } from '../../lib/flows/keys.ts'
import type { Submission } from '../../lib/flows/session.ts'

/**
 * The decisions of the client, each small and named, so that they can be read in one place. The broken variants in
 * `variants.ts` each replace one of them: these are the ones that real clients get wrong.
 */
export interface Conduct {
  /** How long to wait after a 429, ms, given what Retry-After said. */
  waitAfterLimit(retryAfterMs: number): number
  /** Whether calls wait for room in the windows of the rate table. */
  readonly paces: boolean
  /** How long to wait before repeating a call that failed for the n-th time, ms; undefined gives up. */
  waitAfterFailure(failures: number, exchange: Exchange | undefined): number | undefined
  /** Whether a call that got no answer is repeated, where repeating it is safe. */
  readonly repeatsUnanswered: boolean
  chooseKey(keys: readonly PublicKey[], usage: KeyUsage, now: number): PublicKey | undefined
  /** Whether the list of certificates is read again when the service refuses a key. */
  readonly readsKeysAgain: boolean
  /** What to do with a document whose submission got no answer. */
  readonly afterSilence: 'find out' | 'send again' | 'send under another number'
  /** Whether a service token whose creation got no answer is looked for and revoked. */
  readonly revokesLostTokens: boolean
  /** Whether what was begun before a crash is looked up. */
  readonly remembers: boolean
  /** What a 440 means. */
  readonly duplicate: 'done' | 'rejected' | 'send again' | 'send under another number'
  /** Which number a duplicate has, given what the service told. */
  duplicateNumber(reported: string | undefined, reference: string): string | undefined
  /** Which number is written down for a document, given its own and those of the documents before it. */
  recordedNumber(
    own: string | undefined,
    before: readonly (string | undefined)[],
  ): string | undefined
  /** Whether an answer to a submission alone counts as acceptance. */
  readonly trustsSubmission: boolean
  /** Pause before the n-th look at an outcome, ms. */
  pollAfter(look: number): number
  /** How many more looks after the outcome is known. */
  readonly looksAfterTheEnd: number
  /** How long before its end an access token is renewed, ms; undefined: never. */
  readonly renewsBefore: number | undefined
  /** Whether a refused access token is replaced. */
  readonly replacesRefusedToken: boolean
  /** Whether the client logs in anew when the refresh token is refused. */
  readonly logsInAnew: boolean
  /** Whether an authentication that ran out is started again. */
  readonly startsAuthenticationAgain: boolean
  /** The bearer for an upload to a signed address. */
  uploadBearer(access: string): string | null
  /** The address of a receipt, given the link of the status. */
  receiptAddress(link: string, access: string): string
  /** The token for reading the rate limits. */
  bearerForLimits(tokens: { readonly access: string; readonly authentication: string }): string
  /** The body of a submission as it is sent. */
  submission(body: Submission): Record<string, unknown>
  /** The IV to encrypt with, given that of the session. */
  vector(iv: Uint8Array): Uint8Array
  readonly closesSessions: boolean
  readonly fetchesReceipts: boolean
  /** Whether a receipt link that was refused is asked for anew. */
  readonly asksForFreshLink: boolean
  /** Whether an answer with this body is accepted. */
  understands(body: unknown): boolean
  /** What an unknown code below 200 counts as. */
  readonly unknownCode: 'pending' | 'error' | 'success'
  /** Whether received numbers are remembered, so that none is taken twice. */
  readonly dropsRepeats: boolean
  readonly followsPages: boolean
  readonly followsTruncation: boolean
  /** Where the next synchronization begins, given the high-water mark that the service told and the time now. */
  nextFrom(highWaterMark: string | undefined, now: string): string
  readonly keepsSyncInterval: boolean
}

const oneMinute = 60_000

/** How a sound client decides. */
export const sound: Conduct = {
  waitAfterLimit: (ms) => ms + 20,
  paces: true,
  waitAfterFailure: (failures) => (failures > 10 ? undefined : Math.min(250 * 2 ** failures, 4000)),
  repeatsUnanswered: true,
  chooseKey,
  readsKeysAgain: true,
  afterSilence: 'find out',
  revokesLostTokens: true,
  remembers: true,
  duplicate: 'done',
  duplicateNumber: (reported) => reported,
  recordedNumber: (own) => own,
  trustsSubmission: false,
  pollAfter: (look) => Math.min(300 * 1.5 ** look, 2000),
  looksAfterTheEnd: 0,
  renewsBefore: oneMinute,
  replacesRefusedToken: true,
  logsInAnew: true,
  startsAuthenticationAgain: true,
  uploadBearer: () => null,
  receiptAddress: (link) => link,
  bearerForLimits: ({ access }) => access,
  submission: (body) => ({ ...body }),
  vector: (iv) => iv,
  closesSessions: true,
  fetchesReceipts: true,
  asksForFreshLink: true,
  understands: () => true,
  unknownCode: 'pending',
  dropsRepeats: true,
  followsPages: true,
  followsTruncation: true,
  nextFrom: (highWaterMark, now) => highWaterMark ?? now,
  keepsSyncInterval: true,
}
