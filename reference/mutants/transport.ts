import { sha256Base64, sha256Hex } from '../base/crypto.ts'
import { refuse } from '../base/refusals.ts'
import { keyOf } from '../model/entities.ts'
import { describedAs, prefixTwice, respelled, withoutSessions } from './descriptions.ts'
import { hashes, keptForTheSession, noneOfPackages } from './document-hashes.ts'
import { leftToTheFramework, names, stackInDetails, withoutEmptyDetails } from './error-forms.ts'
import { checkedTooLate, refusesMedia } from './bodies-read.ts'
import { filtersByTheShorterName, readyForEver, unknownBy } from './export-names.ts'
import { seldomWell, unwell, unwellWithParameters } from './ill-health.ts'
import type { Mutant } from './mutant.ts'
import {
  accepts,
  answers,
  behindLogin,
  bodies,
  calls,
  hidesPaths,
  labelled,
  refuses,
  refusesTokens,
  responses,
  succeeds,
  succeedsWhere,
} from './rewrite.ts'
import { ownSession } from './session-views.ts'
import {
  namesTheSession,
  smallerWithTheSlash,
  uncomparedWithTheSlash,
  uncountedWithTheSlash,
} from './slashes.ts'
import { blockedWithTheAddress } from './limits/blocks.ts'
import { refusedFirst, saidOtherwise } from './unknown-paths.ts'

/** What a continuation token encodes, as far as it is text. */
const tokenText = (headers: Readonly<Record<string, string>>): string =>
  Buffer.from(headers['x-continuation-token'] ?? '', 'base64').toString()

/** Defects of paths, methods, media types and descriptions. */
export const transportMutants = {
  'transport.path-prefix/prefix-optional': succeeds(
    'unknown-path',
    (path) => !/\/v\d+\//.test(path),
  ),
  'transport.unknown-version/later-ones': succeeds('unknown-path', (p) => /\/v[4-9]\//.test(p)),
  'transport.path-prefix/prefix-only': hidesPaths((path) => path.startsWith('/limits/')),
  'transport.path-prefix/version-optional': succeeds(
    'unknown-path',
    (path) => path.startsWith('/api/') && !/\/v\d+/.test(path),
  ),
  'transport.media-type/media-ignored': { policy: { mediaTypeFits: () => true } },
  'transport.media-type/anything-like-json': {
    policy: {
      mediaTypeFits: (given, wanted) =>
        given === wanted || (wanted === 'application/json' && /[/+-]json$/.test(given)),
    },
  },
  'transport.media-type/anything-like-xml': {
    policy: {
      mediaTypeFits: (given, wanted) =>
        given === wanted || (wanted === 'application/xml' && /[/+-]xml$/.test(given)),
    },
  },
  'transport.media-type/receipts-by-link-as-bytes': answers(['receipts.link'], (answer) => ({
    ...answer,
    media: 'application/octet-stream',
  })),
  'transport.media-type/charset-refused': refusesMedia((media) => media.includes(';')),
  'transport.media-type/answers-as-text': responses((response, { refusal }) =>
    refusal === undefined && response.body !== null ? labelled(response, 'text/plain') : response,
  ),
  'transport.media-type/refusals-as-the-operation-answers': responses(
    (response, { path, refusal }) =>
      refusal !== undefined && /\/invoices\/svc\/[^/]+$|\/upo\b/.test(path)
        ? labelled(response, 'application/xml')
        : response,
  ),
  'transport.media-type/same-beginning': {
    policy: { mediaTypeFits: (given, wanted) => given.startsWith(wanted) },
  },
  'transport.media-type/charset-in-lower-case': refusesMedia((media) => {
    const charset = /charset=(\S+)/.exec(media)?.[1]
    return charset !== undefined && charset !== 'utf-8'
  }),
  'transport.media-type/type-in-lower-case-only': refusesMedia((media) => {
    const [type = ''] = media.split(';')
    return type !== type.toLowerCase()
  }),
  'transport.media-type/typed-without-a-body': {
    exchange(running, next) {
      const { 'content-type': media, 'content-length': length = '0' } = running.headers
      if (media === 'application/json' && length === '0') throw refuse('unreadable-body')
      return next(running)
    },
  },
  'transport.answers.schema/empty-health': bodies(['transport.health'], { status: '' }),
  'transport.answers.no-server-error/health-fails': {
    at: ['transport.health'],
    call() {
      throw new Error('the health check fails')
    },
  },
  'transport.answers.no-server-error/limits-fail': {
    at: ['limits.rates'],
    call() {
      throw new Error('the limits cannot be read')
    },
  },
  'transport.unknown-is-404/said-otherwise': saidOtherwise,
  'transport.unknown-is-404/finds-every-path': succeeds('unknown-path'),
  'transport.unknown-is-404/token-first': refusedFirst(
    'wrong-token',
    ({ headers }) => headers['authorization'] === undefined,
  ),
  'transport.unknown-is-404/token-verified-first': refusedFirst('rubbish-token', ({ headers }) =>
    /^Bearer [^.]+\.[^.]+\.[^.]{0,20}$/.test(headers['authorization'] ?? ''),
  ),
  'transport.unknown-is-404/method-first': refusedFirst(
    'method-not-allowed',
    ({ exchange }) => exchange.method !== 'GET',
  ),
  'transport.unknown-is-404/below-an-area': refusedFirst('method-not-allowed', ({ path }) =>
    /\/(sessions|permissions)\/there\//.test(path),
  ),
  'transport.unknown-is-404/invoice-of-another-session': calls(['invoices.inSession'], (call) => {
    const invoice = call.service.state.invoices.get(call.path['invoiceReferenceNumber'] ?? '')
    const session = invoice && call.service.state.sessions.get(invoice.session)
    return session !== undefined &&
      call.caller &&
      keyOf(session.context) === keyOf(call.caller.context)
      ? { ...call, path: { ...call.path, referenceNumber: session.referenceNumber } }
      : call
  }),
  'transport.unknown-is-404/nothing-to-delete': responses((response, { method }) =>
    method === 'DELETE' && response.status === 404 ? new Response(null, { status: 204 }) : response,
  ),
  'transport.unknown-is-404/session-for-an-export': accepts(
    ['exports.status'],
    ['export-unknown'],
    (call) => {
      const session = ownSession(call)
      return session && { body: { status: session.status } }
    },
  ),
  'transport.wrong-method/accepts-any-method': {
    also: ['sessions.batch.part-checked'],
    ...succeeds('method-not-allowed'),
  },
  'transport.wrong-method/allows-one-method': responses((response) => {
    const allow = response.headers.get('allow')
    if (allow !== null) response.headers.set('allow', allow.split(', ').slice(-1).join(''))
    return response
  }),
  'transport.health/health-behind-login': behindLogin('transport.health'),
  'transport.health/looks-at-a-token': refusesTokens('transport.health'),
  'transport.health/two-keys-are-an-error': unwell(
    ({ keys, policy, clock }) =>
      new Set(keys.published(policy, clock.now()).flatMap(({ usage }) => usage)).size <
      keys.published(policy, clock.now()).flatMap(({ usage }) => usage).length,
  ),
  'transport.health/no-key-is-an-error': unwell(
    ({ keys, policy, clock }) => keys.published(policy, clock.now()).length === 0,
  ),
  'transport.health/pending-work-is-an-error': unwell(({ state }) => state.tasks.size() > 2),
  'transport.health/rejected-invoices-are-an-error': unwell(({ state }) =>
    [...state.invoices.values()].some(({ status }) => status.code >= 400),
  ),
  'transport.health/twenty-times-a-minute': seldomWell(20),
  'transport.health/token-beside-a-parameter': unwellWithParameters,
  'transport.health/blocked-with-the-address': blockedWithTheAddress(['transport.health']),
  'transport.unknown-version/behind-the-login': refusedFirst(
    'wrong-token',
    ({ path, headers }) => /\/v3\//.test(path) && headers['authorization'] === undefined,
  ),
  'transport.unknown-version/version-ignored': succeeds('unknown-path', (path) =>
    /^(\/api)?\/v\d+\//.test(path),
  ),
  'transport.unknown-version/nearly-the-known': succeeds('unknown-path', (path) =>
    /^(\/api)?\/v(0+2|2\.0)\//.test(path),
  ),
  'transport.malformed-body/schema-unchecked': { policy: { violationsRefuse: () => false } },
  'transport.malformed-body/checked-too-late': checkedTooLate(['tokens.create']),
  'transport.malformed-body/unreadable-as-empty': succeeds('unreadable-body'),
  'transport.malformed-body/length-in-code-units': refuses(
    ['tokens.create'],
    'invalid-input',
    ({ body }) => (body as { readonly description: string }).description.length > 256,
  ),
  'transport.malformed-body/one-value-as-a-list': succeedsWhere(
    ({ request }) =>
      typeof (request as { permissions?: unknown } | undefined)?.permissions === 'string',
  ),
  'transport.malformed-parameter/broken-escapes-ignored': {
    exchange: (running, next) =>
      /%(?![\da-f]{2})/i.test(running.exchange.path)
        ? new Response(null, { status: 200 })
        : next(running),
  },
  'transport.malformed-parameter/query-unchecked': succeeds('invalid-input', (path) =>
    /\/(sessions|tokens)$/.test(path),
  ),
  'transport.malformed-parameter/first-value-only': succeedsWhere(({ path }) =>
    /[?&](\w+)=(?!NoSuch)[^&]*&\1=/.test(path),
  ),
  'transport.malformed-parameter/last-value-only': succeedsWhere(({ path }) =>
    /[?&](\w+)=[^&]*&\1=(?!NoSuch)/.test(path),
  ),
  'transport.malformed-parameter/any-continuation-token': succeeds('continuation-token-malformed'),
  'transport.malformed-parameter/token-of-nothing-fails': {
    exchange(running, next) {
      if (tokenText(running.headers) === 'null') throw new Error('null has no elements')
      return next(running)
    },
  },
  'transport.trailing-slash/slash-matters': hidesPaths((path) => path.endsWith('/')),
  'transport.trailing-slash/session-for-the-document': namesTheSession,
  'transport.trailing-slash/smaller-bodies': smallerWithTheSlash(),
  'transport.trailing-slash/contents-uncompared': uncomparedWithTheSlash(),
  'transport.trailing-slash/uncounted': uncountedWithTheSlash(),
  'transport.export-alias/one-export-spelling': hidesPaths((path) =>
    /\/invoices\/export(\/|$)/.test(path),
  ),
  'transport.export-alias/created-by-the-other-name': unknownBy('export', 'exports'),
  'transport.export-alias/ready-for-ever-by-one-name': readyForEver,
  'transport.export-alias/created-by-the-name': unknownBy('exports', 'export'),
  'transport.export-alias/further-filters-unread': filtersByTheShorterName(
    ({ subjectType, dateRange }) => ({ subjectType, dateRange }),
  ),
  'transport.export-alias/another-status': responses(async (response, { path, refusal }) =>
    refusal === undefined && /\/invoices\/export\//.test(path)
      ? new Response((await response.text()).replace(/"partSize":/, '$&1'), response)
      : response,
  ),
  'transport.openapi-agrees/description-lacks-sessions': describedAs(withoutSessions),
  'transport.openapi-agrees/description-behind-login': behindLogin('transport.openapi'),
  'transport.openapi-agrees/part-of-an-export-renamed': respelled(
    /"encryptedPartSize"/g,
    '"encryptedSize"',
  ),
  'transport.openapi-agrees/amount-of-an-invoice-renamed': respelled(/"netAmount"/g, '"net"'),
  'transport.openapi-agrees/documents-described-as-json': respelled(
    /"application\/xml"/g,
    '"application/json"',
  ),
  'transport.openapi-agrees/online-alone': respelled(/"Online",\s*"Offline"/g, '"Online"'),
  'transport.openapi-agrees/no-buyer-without-a-number': respelled(
    /(?<="VatUe",\s*"Other"),\s*"None"/g,
    '',
  ),
  'transport.openapi-agrees/no-grants-by-the-system': respelled(/,\s*"System"(?=\s*\])/g, ''),
  'transport.openapi-agrees/gone-not-described': describedAs((text) =>
    JSON.parse(text, (name, value: unknown) => (name === '410' ? undefined : value)),
  ),
  'transport.openapi-agrees/null-not-described': answers(['transport.openapi'], (answer) => ({
    ...answer,
    bytes: Buffer.from(String(answer.bytes).replaceAll(',{"type":"null"}', '')),
  })),
  'transport.openapi-agrees/prefix-twice': prefixTwice,
  'transport.error-shape/stack-in-details': stackInDetails,
  'transport.error-shape/no-empty-details': withoutEmptyDetails,
  'transport.error-shape/methods-left-to-the-framework': leftToTheFramework('method-not-allowed'),
  'transport.error-shape/media-types-left-to-the-framework': leftToTheFramework('media-type'),
  'transport.error-shape/sizes-left-to-the-gateway': leftToTheFramework('body-too-large'),
  'transport.error-shape/parameters-left-to-the-framework': leftToTheFramework('invalid-input'),
  'transport.error-shape/names-its-schema': names('document-schema', 'file:///x/request.xsd'),
  'transport.error-shape/names-its-parser': names('document-unreadable', '/srv/xml/parser.c'),
  'transport.error-shape/names-its-reader': names('unreadable-body', 'C:\\service\\reader.cs'),
  'transport.error-shape/unknown-format-fails': {
    exchange: (running, next) => {
      const format = running.headers['x-error-format']
      return format === undefined || format === 'problem-details'
        ? next(running)
        : new Response(null, { status: 500 })
    },
  },
  'transport.document-hash/of-nothing': hashes(['invoices.byNumber', 'invoices.bySvcNumber'], () =>
    sha256Base64(new Uint8Array()),
  ),
  'transport.document-hash/of-the-first-buffer': hashes(['invoices.bySvcNumber'], (bytes) =>
    sha256Base64(bytes.subarray(0, 65_536)),
  ),
  'transport.document-hash/in-hex': hashes(
    ['receipts.session', 'receipts.invoice', 'receipts.invoiceBySvcNumber', 'receipts.link'],
    sha256Hex,
  ),
  'transport.document-hash/none-of-packages': noneOfPackages,
  'transport.document-hash/one-for-the-invoices-of-a-session': keptForTheSession(
    'invoices.bySvcNumber',
    'invoices.byNumber',
  ),
  'transport.document-hash/one-for-a-session-by-reference': keptForTheSession('receipts.invoice'),
  'transport.document-hash/one-for-a-session-by-number': keptForTheSession(
    'receipts.invoiceBySvcNumber',
  ),
  'transport.document-hash/one-for-a-session-by-link': keptForTheSession('receipts.link'),
  'transport.document-hash/before-encryption': hashes(['exports.part'], (bytes) =>
    sha256Base64(bytes.subarray(16)),
  ),
} as const satisfies Readonly<Record<string, Mutant>>
