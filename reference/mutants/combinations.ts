import { refuse } from '../base/refusals.ts'
import type { Authentication } from '../model/entities.ts'
import { keyOf } from '../model/entities.ts'
import { policy } from '../policy/policy.ts'
import { permissionsOfLogin } from '../rights/rights.ts'
import type { Mutant } from './mutant.ts'
import { answers, bodies, calls, refuses, responses } from './rewrite.ts'

/** Defects that show only where two things meet: a second attempt, a later moment, another spelling. */

/** What a continuation token encodes, as far as it is text. */
const tokenText = (headers: Readonly<Record<string, string>>): string =>
  Buffer.from(headers['x-continuation-token'] ?? '', 'base64').toString()

/** A login as if its author had signed it. */
const withoutToken = ({ token: _, ...login }: Authentication): Authentication => login

/** Waiting as long as the second takes suffices, though the minute is full as well. */
const secondFirst = (): Mutant => {
  let isSecondFull = false
  return {
    policy: {
      roomIn(log, threshold, now, decisions) {
        const left = policy.roomIn(log, threshold, now, decisions)
        if (threshold.span > 1_000) return isSecondFull ? undefined : left
        isSecondFull = left !== undefined
        return left
      },
    },
  }
}

/** The size of a document is that of its text. */
const sizeInCharacters = (): Mutant => {
  let characters = 0
  return {
    policy: {
      encodingFault(bytes) {
        characters = Buffer.from(bytes).toString().length
        return policy.encodingFault(bytes)
      },
      plainInvoiceFits: (_bytes, limit) => characters <= limit,
    },
  }
}

/** The digest of the key info, which is compared after that of the properties, is not looked at. */
const keyInfoUnverified = (): Mutant => {
  let isSigned = false
  let compared = 0
  return {
    policy: {
      idsUnique(ids) {
        isSigned = ids.some((id) => id.includes('KeyInfo'))
        compared = 0
        return policy.idsUnique(ids)
      },
      digestFits(found, stated) {
        compared += 1
        return (isSigned && compared === 2) || policy.digestFits(found, stated)
      },
    },
  }
}

/** Every page after the first one has the high-water mark of the last first page, whatever the query. */
const markOfAnyQuery = (): Mutant => {
  let mark: unknown
  return bodies<{ readonly permanentStorageHwmDate?: unknown }>(
    ['queries.metadata'],
    ({ permanentStorageHwmDate }, { query }) => {
      if (query['pageOffset'] === 0) mark = permanentStorageHwmDate
      return { permanentStorageHwmDate: mark }
    },
  )
}

/** By how many hundredths the net amounts of a document are too much when `1.5` is read as 1.05. */
const misread = (bytes: Uint8Array): bigint =>
  [
    ...Buffer.from(bytes)
      .toString()
      .matchAll(/<P_13_\d+>(-?)\d+\.(\d)</g),
  ].reduce((sum, [, sign, digit = '']) => sum + (sign === '-' ? -9n : 9n) * BigInt(digit), 0n)

export const combinationsMutants = {
  'transport.media-type/charset-in-lower-case': {
    exchange(running, next) {
      const charset = /charset=(\S+)/.exec(running.headers['content-type'] ?? '')?.[1]
      if (charset !== undefined && charset !== 'utf-8') throw refuse('media-type')
      return next(running)
    },
  },
  'transport.malformed-parameter/token-of-nothing-fails': {
    exchange(running, next) {
      if (tokenText(running.headers) === 'null') throw new Error('null has no elements')
      return next(running)
    },
  },
  'transport.wrong-method/allows-one-method': responses((response) => {
    const allow = response.headers.get('allow')
    if (allow !== null) response.headers.set('allow', allow.split(', ').slice(-1).join(''))
    return response
  }),
  'auth.challenge.ten-minutes/forgotten-by-the-next': {
    tables: {
      challenges: {
        write(next, before, { challenges }) {
          for (const { value, issuedAt } of challenges.values())
            if (before === undefined && issuedAt + 300_000 < next.issuedAt) challenges.delete(value)
          return next
        },
      },
    },
  },
  'auth.challenge.single-use/freed-by-a-refusal': {
    at: ['auth.xades', 'auth.token'],
    tables: {
      challenges: {
        read(found, _key, { challenges }) {
          if (found?.spent === true) challenges.put({ ...found, spent: false })
          return found
        },
      },
    },
  },
  'auth.redeem.once/refusal-ends-the-login': calls(['auth.redeem'], (call) => {
    const { authentications } = call.service.state
    const login = authentications.get(call.caller?.authentication.referenceNumber ?? '')
    if (login?.redeemedAt !== undefined) authentications.put({ ...login, revokedAt: call.now })
    return call
  }),
  'auth.token.wrong-timestamp-refused/held-against-the-challenge': {
    at: ['authentication'],
    tables: {
      authentications: {
        read: (found) =>
          found?.envelope !== undefined && 'challengeIssuedAt' in found.envelope
            ? { ...found, startedAt: found.envelope.challengeIssuedAt }
            : found,
      },
    },
  },
  'transport.openapi-agrees/prefix-twice': answers(
    ['transport.openapi'],
    (answer, { service }) => ({
      ...answer,
      bytes: Buffer.from(
        String(answer.bytes).replaceAll(
          `"url":"${service.publicUrl}"`,
          `"url":"${service.publicUrl}${service.dialect.prefix}"`,
        ),
      ),
    }),
  ),
  'auth.access-token.jwt-lifetime/dated-from-the-first-refresh': calls(
    ['auth.refresh'],
    (call) => ({
      ...call,
      now: call.caller?.authentication.refreshedAt ?? call.now,
    }),
  ),
  'invoices.submit.hash-mismatch/unchecked-offline': {
    also: ['invoices.submit.size-mismatch'],
    at: ['invoices.submit'],
    tables: {
      invoices: {
        write(next, _before, { contents }) {
          const content = contents.get(next.referenceNumber)
          if (next.offline && content !== undefined) contents.put({ ...content, declared: false })
          return next
        },
      },
    },
  },
  'invoices.duplicate.triple/joined': {
    policy: { tripleOf: ({ seller, kind, number }) => [seller.nip, kind, number].join('_') },
  },
  'invoices.duplicate.triple/same-look': {
    policy: {
      tripleOf: ({ number, ...facts }) =>
        policy.tripleOf({ ...facts, number: number.normalize('NFKC') }),
    },
  },
  'invoices.size.without-attachments/in-characters': sizeInCharacters(),
  'invoices.correction/used-up-by-a-rejection': refuses(
    ['invoices.submit'],
    'correction-unavailable',
    ({ body, service }) => {
      const { hashOfCorrectedInvoice } = body as { readonly hashOfCorrectedInvoice?: string | null }
      return (
        typeof hashOfCorrectedInvoice === 'string' &&
        [...service.state.invoices.values()].some(
          ({ corrects }) => corrects === hashOfCorrectedInvoice,
        )
      )
    },
  ),
  'receipts.session.verifies/summer-time-in-winter': {
    policy: {
      receiptText: (...given) => policy.receiptText(...given).replaceAll('+01:00<', '+02:00<'),
    },
  },
  'queries.metadata.described/one-decimal-digit': {
    tables: {
      contents: {
        write(next, _before, { issued }) {
          const found = [...issued.values()].find(({ invoice }) => invoice === next.invoice)
          if (next.form === 'plain' && found !== undefined) {
            const { facts } = found
            issued.put({ ...found, facts: { ...facts, net: facts.net - misread(next.bytes) } })
          }
          return next
        },
      },
    },
  },
  'queries.metadata.paging/mark-of-any-query': markOfAnyQuery(),
  'testdata.limit-simulation/none-as-default': {
    tables: {
      contextLimits: {
        write({ context, limits: { online, batch } }) {
          const some = (of: typeof online) => ({ ...of, maxInvoices: of.maxInvoices || 10_000 })
          return { context, limits: { online: some(online), batch: some(batch) } }
        },
      },
    },
  },
  'limits.rate.retry-after/of-the-second': secondFirst(),
  'operations.status.kept/outcome-forgotten': bodies(['operations.status'], (_body, call) => {
    const operation = call.service.state.operations.get(call.path['referenceNumber'] ?? '')
    return call.now - (operation?.startedAt ?? call.now) > 24 * 3_600_000
      ? { status: { code: 100, description: 'in progress' } }
      : {}
  }),
  'auth.xades.certificate-dates/of-the-document-alone': {
    at: ['authentication'],
    tables: {
      certificates: { find: (found) => found.map((one) => ({ ...one, validTo: Infinity })) },
    },
  },
  'auth.xades.tampered-refused/longer-digests-unread': {
    policy: {
      digestFits: (found, stated) => found.length > 44 || policy.digestFits(found, stated),
    },
  },
  'auth.xades.incomplete-signature-refused/key-info-unverified': keyInfoUnverified(),
  'tokens.create.within-rights/all-of-the-author': calls(['tokens.create'], (call) => {
    if (call.caller === undefined) return call
    const author = withoutToken(call.caller.authentication)
    const permissions = () => permissionsOfLogin(call.service, author)
    return { ...call, caller: { ...call.caller, permissions } }
  }),
  'tokens.create.within-rights/carries-all': {
    at: ['queries.metadata'],
    tables: {
      tokens: { read: (found) => found && { ...found, permissions: ['InvoiceRead'] } },
    },
  },
  'tokens.revoke.logins/of-every-token': refuses(
    ['auth.refresh'],
    'refresh-refused',
    ({ caller, service: { state } }) => {
      const token = state.tokens.get(caller?.authentication.token ?? '')
      return (
        token !== undefined &&
        [...state.tokens.values()].some(
          ({ status, author }) => status === 'Revoked' && keyOf(author) === keyOf(token.author),
        )
      )
    },
  ),
} as const satisfies Readonly<Record<string, Mutant>>
