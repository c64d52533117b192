import { X509Certificate } from 'node:crypto'
import { dayOf } from '../base/identifiers.ts'
import { policy } from '../policy/policy.ts'
import type { Mutant } from './mutant.ts'
import { readsSession } from './operators/document-decisions.ts'
import { refuses } from './rewrite.ts'

/** Defects that refuse what is legal: ahead of its end, in one form of several, or to a caller who may. */

const margin = 2 * 60_000

/** The certificate in a signed document. */
const certificateIn = (bytes: Uint8Array): X509Certificate | undefined => {
  const [, text] = /X509Certificate>([^<]+)</.exec(Buffer.from(bytes).toString()) ?? []
  return text === undefined ? undefined : new X509Certificate(Buffer.from(text, 'base64'))
}

/** Certificates whose subject has its number in a form that the service does not read. */
const cannotRead = (form: RegExp): Mutant =>
  refuses(['auth.xades'], 'certificate-without-identifier', ({ bytes }) =>
    form.test(certificateIn(bytes)?.subject ?? ''),
  )

/** Documents in a spelling that the service does not take. */
const spelled = (form: RegExp): Mutant =>
  refuses(['auth.xades'], 'signature-invalid', ({ bytes }) =>
    form.test(Buffer.from(bytes).toString()),
  )

/** A session is read by the very login that opened it; by its opener's other logins it is not. */
const ownLoginOnly = (): Mutant => {
  const openers = new Map<string, string>()
  return {
    at: ['sessions.openOnline', 'sessions.openBatch', ...readsSession],
    async call(call, next) {
      const login = call.caller?.authentication.referenceNumber ?? ''
      if (call.operation.startsWith('sessions.open')) {
        const answer = await next(call)
        openers.set((answer.body as { readonly referenceNumber: string }).referenceNumber, login)
        return answer
      }
      const reference = call.path['referenceNumber'] ?? ''
      const isOther = (openers.get(reference) ?? login) !== login
      if (!isOther || call.caller?.permissions().has('Introspection') === true) return next(call)
      return next({ ...call, path: { ...call.path, referenceNumber: '' } })
    },
  }
}

/** Statuses of sessions are gone with those of exports. */
const sessionsForgotten = refuses(
  ['sessions.status', 'sessions.invoices'],
  'resource-gone',
  ({ service, path, now }) => {
    const session = service.state.sessions.get(path['referenceNumber'] ?? '')
    const days = service.limit('retention.statusDays')
    return session !== undefined && !policy.statusKept(now - session.openedAt, days)
  },
)

/** Refuses submissions in FA(2) after a day, whenever their session was opened. */
const takesFa2Until = (lastDay: string): Mutant =>
  refuses(
    ['invoices.submit'],
    'session-state-forbids',
    ({ service, path, now }) =>
      service.state.sessions.get(path['referenceNumber'] ?? '')?.schema === 'fa2' &&
      dayOf(now) > lastDay,
  )

export const overStrictMutants = {
  'auth.redeem.not-after-expiry/two-minutes-early': {
    policy: { authenticationTokenAlive: (until, now) => now < until - margin },
  },
  'auth.refresh.seven-days/two-minutes-early': {
    policy: { refreshTokenAlive: (until, now) => now < until - margin },
  },
  'auth.token.sunset/documents-too': refuses(
    ['auth.xades'],
    'challenge-invalid',
    ({ now }) => !policy.tokenLoginOpen(now, '2026-12-31'),
  ),
  'auth.xades.accepted/pnopl-unread': cannotRead(/PNOPL-/),
  'auth.xades.accepted/pesel-unread': cannotRead(/PESEL-/),
  'auth.xades.accepted/seal-unseparated-unread': cannotRead(/VATPL\d/),
  'auth.xades.accepted/seal-with-a-colon-unread': cannotRead(/VATPL:/),
  'auth.xades.accepted/tinpl-unseparated-unread': cannotRead(/TINPL\d/),
  'auth.xades.accepted/pnopl-unseparated-unread': cannotRead(/PNOPL\d/),
  'auth.xades.accepted/comment-within-refused': spelled(/<AuthTokenRequest[^]*<!--[^]*<\/Auth/),
  'auth.xades.accepted/comment-before-refused': spelled(/^\s*<!--/),
  'auth.xades.accepted/comment-behind-refused': spelled(/-->\s*$/),
  'auth.xades.accepted/declaration-refused': spelled(/^<\?xml/),
  'auth.xades.accepted/encoding-in-lower-case-refused': spelled(/^<\?xml.* encoding=.utf-8/),
  'auth.xades.accepted/apostrophes-unread': spelled(/^<\?xml version='/),
  'auth.xades.accepted/namespace-in-apostrophes-refused': spelled(/<AuthTokenRequest xmlns='/),
  'auth.xades.accepted/request-with-a-prefix-refused': spelled(/<\w+:AuthTokenRequest/),
  'auth.xades.accepted/indented-refused': spelled(/<AuthTokenRequest[^>]*>\s/),
  'auth.xades.accepted/earlier-namespace-refused': spelled(/auth\/token\/2\.0/),
  'auth.xades.enveloped/certificate-over-lines-refused': spelled(/X509Certificate>[^<]*\n/),
  'auth.xades.enveloped/certificate-indented-refused': spelled(/X509Certificate>[^<]*\n +\S/),
  'auth.xades.enveloped/value-over-lines-refused': spelled(/SignatureValue>[^<]*\n/),
  'auth.xades.enveloped/without-a-prefix-refused': spelled(/<Auth[^]*<Signature /),
  'auth.xades.enveloped/other-prefix-refused': spelled(/<(?!ds:)\w+:Signature /),
  'auth.xades.enveloping/without-a-prefix-refused': spelled(/^<Signature /),
  'operations.status.kept/sessions-forgotten': sessionsForgotten,
  'sessions.online.schema-calendar/schema-of-the-submission': takesFa2Until('2026-01-31'),
  'sessions.online.schema-calendar/documents-a-day-short': takesFa2Until('2026-01-30'),
  'sessions.online.of-subject/own-login-only': ownLoginOnly(),
} as const satisfies Readonly<Record<string, Mutant>>
