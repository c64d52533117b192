import { sha256Base64, sha256Hex } from '../base/crypto.ts'
import { refuse } from '../base/refusals.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import type { Mutant } from './mutant.ts'
import { answers, behindLogin, bodies, hidesPaths, responses, succeeds } from './rewrite.ts'

/** Defects of paths, methods, media types and descriptions. */

/** Documents with another hash in their header. */
const hashes = (at: readonly OperationId[], hash: (bytes: Uint8Array) => string): Mutant =>
  answers(at, (answer) => ({
    ...answer,
    headers: { 'x-ms-meta-hash': hash(answer.bytes ?? new Uint8Array()) },
  }))

/** A description without the operations of sessions. */
const withoutSessions = (text: string): unknown =>
  JSON.parse(text, (_, value: unknown) =>
    String((value as { operationId?: unknown } | null)?.operationId).startsWith('sessions.')
      ? undefined
      : value,
  )

/** Another description than that of the service. */
const describedAs = (change: (text: string) => unknown): Mutant =>
  answers(['transport.openapi'], (answer) => ({
    ...answer,
    bytes: Buffer.from(JSON.stringify(change(String(answer.bytes)))),
  }))

export const transportMutants = {
  'transport.path-prefix/prefix-optional': succeeds(
    'unknown-path',
    (path) => !/\/v\d+\//.test(path),
  ),
  'transport.path-prefix/prefix-only': hidesPaths((path) => path.startsWith('/limits/')),
  'transport.media-type/media-ignored': {
    policy: { mediaTypeFits: () => true },
  },
  'transport.media-type/charset-refused': {
    exchange(running, next) {
      if (running.headers['content-type']?.includes(';') === true) throw refuse('media-type')
      return next(running)
    },
  },
  'transport.media-type/answers-as-text': responses((response, { refusal }) =>
    refusal === undefined && response.body !== null
      ? new Response(response.body, {
          status: response.status,
          headers: { ...Object.fromEntries(response.headers), 'content-type': 'text/plain' },
        })
      : response,
  ),
  'transport.answers.schema/empty-health': bodies(['transport.health'], { status: '' }),
  'transport.answers.no-server-error/health-fails': {
    at: ['transport.health'],
    call() {
      throw new Error('the health check fails')
    },
  },
  'transport.unknown-is-404/finds-every-path': succeeds('unknown-path'),
  'transport.wrong-method/accepts-any-method': {
    also: ['sessions.batch.part-checked'],
    ...succeeds('method-not-allowed'),
  },
  'transport.health/health-behind-login': behindLogin('transport.health'),
  'transport.unknown-version/version-ignored': succeeds('unknown-path', (path) =>
    /^(\/api)?\/v\d+\//.test(path),
  ),
  'transport.malformed-body/schema-unchecked': {
    policy: { violationsRefuse: () => false },
  },
  'transport.malformed-body/unreadable-as-empty': succeeds('unreadable-body'),
  'transport.malformed-parameter/broken-escapes-ignored': {
    exchange: (running, next) =>
      /%(?![\da-f]{2})/i.test(running.exchange.path)
        ? new Response(null, { status: 200 })
        : next(running),
  },
  'transport.malformed-parameter/query-unchecked': succeeds('invalid-input', (path) =>
    /\/(sessions|tokens)$/.test(path),
  ),
  'transport.malformed-parameter/any-continuation-token': succeeds('continuation-token-malformed'),
  'transport.trailing-slash/slash-matters': hidesPaths((path) => path.endsWith('/')),
  'transport.export-alias/one-export-spelling': hidesPaths((path) =>
    /\/invoices\/export(\/|$)/.test(path),
  ),
  'transport.export-alias/another-status': responses(async (response, { path, refusal }) =>
    refusal === undefined && /\/invoices\/export\//.test(path)
      ? new Response((await response.text()).replace(/"partSize":/, '$&1'), response)
      : response,
  ),
  'transport.openapi-agrees/description-lacks-sessions': describedAs(withoutSessions),
  'transport.openapi-agrees/description-behind-login': behindLogin('transport.openapi'),
  'transport.openapi-agrees/gone-not-described': describedAs((text) =>
    JSON.parse(text, (name, value: unknown) => (name === '410' ? undefined : value)),
  ),
  'transport.media-type/same-beginning': {
    policy: { mediaTypeFits: (given, wanted) => given.startsWith(wanted) },
  },
  'transport.error-shape/stack-in-details': responses(async (response, { refusal }) => {
    if (refusal === undefined) return response
    const stack = ['Error: refused', '    at handle (/srv/app/dist/server.js:12:7)']
    const body = JSON.stringify(await response.json(), (name, value: unknown) =>
      name === 'details' ? stack : value,
    )
    return new Response(body, response)
  }),
  'transport.document-hash/of-nothing': hashes(['invoices.byNumber', 'invoices.bySvcNumber'], () =>
    sha256Base64(new Uint8Array()),
  ),
  'transport.document-hash/in-hex': hashes(
    ['receipts.session', 'receipts.invoice', 'receipts.invoiceBySvcNumber', 'receipts.link'],
    sha256Hex,
  ),
  'transport.document-hash/before-encryption': hashes(['exports.part'], (bytes) =>
    sha256Base64(bytes.subarray(16)),
  ),
  'transport.openapi-agrees/null-not-described': answers(['transport.openapi'], (answer) => ({
    ...answer,
    bytes: Buffer.from(String(answer.bytes).replaceAll(',{"type":"null"}', '')),
  })),
} as const satisfies Readonly<Record<string, Mutant>>
