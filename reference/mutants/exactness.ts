import { refuse } from '../base/refusals.ts'
import { addressAllowed } from '../http/addresses.ts'
import { keyOf, nipOf } from '../model/entities.ts'
import type { ContextIdentifier, SubjectIdentifier } from '../model/entities.ts'
import type { AnyCall } from '../call/call.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import { policy } from '../policy/policy.ts'
import type { Mutant } from './mutant.ts'
import { answers, bodies, calls, ignores, succeeds } from './rewrite.ts'

/** Defects of exactness: minutes of grace, one length of a network, a name that is nearly right. */

const minute = 60_000

/** A network whose size is computed with 32 bits, where the longest come out negative or as one address. */
const byShift = (mask: string, address: string): boolean => {
  const numberOf = (dotted: string) =>
    dotted.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
  const [base = '', bits = '32'] = mask.split('/')
  const size = 1 << (32 - Number(bits))
  return Math.floor(numberOf(base) / size) === Math.floor(numberOf(address) / size)
}

const certificatesWithin = (from: number, to: number): Mutant => ({
  at: ['authentication'],
  policy: {
    certificateInDates: (begins, ends, at) =>
      policy.certificateInDates(begins + from, ends + to, at),
  },
})

/** A resource is found in whatever context its owner works at present. */
const ofTheSubject = (
  at: readonly OperationId[],
  find: (
    call: AnyCall,
  ) => { readonly context: ContextIdentifier; readonly by?: SubjectIdentifier } | undefined,
): Mutant =>
  calls(at, (call) => {
    const found = find(call)
    const { caller } = call
    if (caller === undefined || found?.by === undefined) return call
    if (keyOf(found.by) !== keyOf(caller.subject)) return call
    return { ...call, caller: { ...caller, context: found.context } }
  })

const reference = ({ path }: AnyCall): string => path['referenceNumber'] ?? ''

/** The address by which a caller is counted and restricted is the one that it states. */
const forwardedAddress = (operation: OperationId): Mutant => ({
  exchange: (running, next) =>
    running.exchange.operation === operation
      ? next({ ...running, address: running.headers['x-forwarded-for'] ?? running.address })
      : next(running),
})

/** The parameter means what it says only by being there. */
const chainByName = (): Mutant => {
  let isNamed = false
  return {
    exchange(running, next) {
      isNamed = running.exchange.path.includes('verifyCertificateChain=')
      return next(running)
    },
    call: (call, next) =>
      next(
        call.operation === 'auth.xades' && isNamed
          ? { ...call, query: { ...call.query, verifyCertificateChain: true } }
          : call,
      ),
  }
}

export const exactnessMutants = {
  'auth.xades.self-signed-by-environment/chain-by-name': chainByName(),
  'auth.xades.self-signed-by-environment/chain-unread': ignores(
    ['auth.xades'],
    'verifyCertificateChain',
  ),
  'auth.challenge.client-address/as-stated': bodies(['auth.challenge'], (_body, { headers }) =>
    headers['x-forwarded-for'] === undefined ? {} : { clientIp: headers['x-forwarded-for'] },
  ),
  'auth.address-policy/as-stated': forwardedAddress('limits.context'),
  'auth.xades.incomplete-signature-refused/digest-in-any-case': {
    policy: {
      certificateDigestFits: (found, stated) => found.toLowerCase() === stated.toLowerCase(),
    },
  },
  'auth.xades.tampered-refused/digest-in-any-case': {
    policy: { digestFits: (found, stated) => found.toLowerCase() === stated.toLowerCase() },
  },
  'tokens.list.scope/of-the-author-anywhere': ofTheSubject(['tokens.status'], (call) => {
    const found = call.service.state.tokens.get(reference(call))
    return found && { context: found.context, by: found.author }
  }),
  'sessions.online.isolated/of-the-subject-anywhere': ofTheSubject(['sessions.status'], (call) => {
    const found = call.service.state.sessions.get(reference(call))
    return found && { context: found.context, by: found.subject }
  }),
  'exports.isolated/of-the-subject-anywhere': ofTheSubject(['exports.status'], (call) => {
    const found = call.service.state.exports.get(reference(call))
    return found && { context: found.context, by: found.subject }
  }),
  'operations.status.isolated/of-the-subject-anywhere': ofTheSubject(
    ['operations.status'],
    (call) => {
      const found = call.service.state.operations.get(reference(call))
      const [grant] = found?.task.kind === 'grant' ? found.task.grants : []
      const author = grant?.author
      return found && author !== undefined && 'value' in author
        ? { context: found.context, by: author }
        : undefined
    },
  ),
  'tokens.status.described/used-by-refused-logins': {
    at: ['authentication'],
    tables: {
      tokens: {
        find(found, _index, _value, table) {
          for (const token of found)
            if (token.lastUseAt === undefined) table.put({ ...token, lastUseAt: token.createdAt })
          return found
        },
      },
    },
  },
  'permissions.grant.effective/clients-of-the-day-of-the-grant': {
    tables: {
      grants: {
        find: (found, _index, _value, table) =>
          found.filter(
            ({ kind, target, grantedIn, startsAt }) =>
              kind !== 'indirect' ||
              target?.value !== undefined ||
              [...table.values()].every(
                (base) => base.subject.value !== grantedIn.value || base.startsAt <= startsAt,
              ),
          ),
      },
    },
  },
  'permissions.query.narrowed/contexts-of-the-taxpayer': calls(
    ['permissions.queryPersonal'],
    (call) => {
      const { contextIdentifier } = call.body as { contextIdentifier?: ContextIdentifier }
      if (contextIdentifier?.type !== 'InternalId') return call
      const whole = { type: 'Nip', value: nipOf(contextIdentifier) }
      return { ...call, body: { ...(call.body as object), contextIdentifier: whole } }
    },
  ),
  'transport.media-type/type-in-lower-case-only': {
    exchange(running, next) {
      const [type = ''] = (running.headers['content-type'] ?? '').split(';')
      if (type !== type.toLowerCase()) throw refuse('media-type')
      return next(running)
    },
  },
  'keys.rotation.served/named-as-the-first': answers(['keys.list'], (answer) => {
    const keys = answer.body as readonly { usage: readonly string[]; publicKeyId: string }[]
    const first = (usage: string) => keys.find((key) => key.usage.includes(usage))?.publicKeyId
    return { ...answer, body: keys.map((key) => ({ ...key, publicKeyId: first(key.usage[0]!) })) }
  }),
  'testdata.entities/other-number-unknown': {
    at: ['authentication'],
    tables: { persons: { read: () => undefined, find: () => [] } },
  },
  'certificates.enrol/key-once-only': {
    policy: { keyMayBeCertified: (_owner, holders) => holders.length === 0 },
  },
  'certificates.listed/used-together': {
    at: ['authentication'],
    tables: {
      certificates: {
        write(next, before, { certificates }) {
          const { lastUseAt, subject } = next
          if (lastUseAt !== undefined && lastUseAt !== before?.lastUseAt)
            for (const one of certificates.by('subject', keyOf(subject)))
              certificates.put({ ...one, lastUseAt })
          return next
        },
      },
    },
  },
  'certificates.listed/in-the-own-context-only': bodies(
    ['certificates.query'],
    (_body, { caller }) =>
      caller !== undefined && caller.context.value !== caller.subject.value
        ? { certificates: [], hasMore: false }
        : {},
  ),
  'auth.address-policy/networks-by-shift': {
    policy: {
      addressAllowed: (address, { masks, ...rest }) =>
        masks.some((mask) => byShift(mask, address)) ||
        (rest.addresses.length + rest.ranges.length + masks.length > 0
          ? addressAllowed(address, { ...rest, masks: ['0.0.0.0/32'] })
          : true),
    },
  },
  'auth.xades.certificate-dates/grace-before': certificatesWithin(-5 * minute, 0),
  'auth.xades.certificate-dates/grace-after': certificatesWithin(0, 5 * minute),
  'auth.xades.certificate-dates/not-in-the-first-minutes': certificatesWithin(5 * minute, 0),
  'auth.xades.certificate-dates/not-in-the-last-minutes': certificatesWithin(0, -10 * minute),
  'auth.redeem.issues-pair/used-up-by-an-early-attempt': {
    at: ['auth.redeem'],
    call(call, next) {
      const login = call.caller?.authentication
      if (login?.status.code === 100)
        call.service.state.authentications.put({ ...login, redeemedAt: call.now })
      return next(call)
    },
  },
  'transport.unknown-version/nearly-the-known': succeeds('unknown-path', (path) =>
    /^(\/api)?\/v(0+2|2\.0)\//.test(path),
  ),
  'auth.token.wrong-encryption-refused/name-unread': ignores(['auth.token'], 'publicKeyId'),
} as const satisfies Readonly<Record<string, Mutant>>
