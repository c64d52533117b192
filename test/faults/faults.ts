import { gzipSync } from 'node:zlib'
import {
  html,
  always,
  raw,
  fromCall,
  every,
  challenges,
  all,
  header,
  bodied,
  status,
  destroyed,
  silent,
  endless,
  cachedChallenge,
} from './behaviours.ts'
import type { Behaviour } from './proxy.ts'
import { withJson } from './proxy.ts'

/** What can be wrong with a target, and what `assay check` has to make of it. */

export interface Fault {
  readonly name: string
  /** Made anew for each run: some faults count calls. */
  readonly behaviour: () => Behaviour
  /** Exit codes that are right. */
  readonly exits: readonly number[]
  /** Rules that may fail; no other one may. */
  readonly fails?: RegExp
  /** The one cause that findings are grouped by. */
  readonly cause?: string
  /** Differences of the profile. */
  readonly profile?: Readonly<Record<string, unknown>>
  /** The most calls that the target may see. */
  readonly maxCalls?: number
}

/** How long a call of the slow faults may take: the bounds are those of every run, only shorter. */
const impatient = { timeoutMs: 1_500 }

const transport = /^transport\./

export const faults: readonly Fault[] = [
  { name: 'resets every connection', behaviour: raw(destroyed), exits: [3] },
  { name: 'never answers', behaviour: raw(silent), exits: [3], profile: impatient, maxCalls: 4 },
  {
    name: 'dies in the middle of a run',
    behaviour: fromCall(25, destroyed),
    exits: [3],
    maxCalls: 40,
  },
  {
    name: 'hangs in the middle of a run',
    behaviour: fromCall(25, silent),
    exits: [3],
    profile: impatient,
    maxCalls: 40,
  },
  { name: 'resets every ninth call', behaviour: every(9, destroyed), exits: [3] },
  {
    name: 'an HTML page with 200',
    behaviour: always(200, { 'content-type': 'text/html' }, html),
    exits: [3],
  },
  {
    name: 'a redirect',
    behaviour: always(302, { location: 'https://example.test/login' }),
    exits: [3],
  },
  { name: '204 to everything', behaviour: always(204, {}), exits: [3] },
  { name: '401 to everything', behaviour: always(401, {}), exits: [3] },
  {
    name: "a gateway's 403",
    behaviour: always(403, { 'content-type': 'text/html' }, html),
    exits: [3],
  },
  { name: '404 to everything', behaviour: always(404, {}), exits: [3] },
  { name: '405 to everything', behaviour: always(405, { allow: 'GET' }), exits: [3] },
  { name: '500 to everything', behaviour: always(500, {}), exits: [3] },
  {
    name: "a gateway's 502",
    behaviour: always(502, { 'content-type': 'text/html' }, html),
    exits: [3],
  },
  { name: '503 with Retry-After', behaviour: always(503, { 'retry-after': '1' }), exits: [3] },
  { name: '429 to everything', behaviour: always(429, { 'retry-after': '1' }), exits: [3] },
  {
    name: 'an empty body with 200',
    behaviour: always(200, { 'content-type': 'application/json' }),
    exits: [3],
  },
  {
    name: 'null with 200',
    behaviour: always(200, { 'content-type': 'application/json' }, 'null'),
    exits: [3],
  },
  {
    name: 'a list with 200',
    behaviour: always(200, { 'content-type': 'application/json' }, '[]'),
    exits: [3],
  },
  {
    name: 'cut off JSON everywhere',
    behaviour: all((answer) => bodied(answer, answer.body.subarray(0, -2))),
    exits: [1, 3],
    fails: transport,
  },
  { name: 'a body without end', behaviour: raw(endless), exits: [3] },
  {
    name: 'headers of a megabyte',
    behaviour: all((answer) => header(answer, 'x-long', 'x'.repeat(2 ** 20))),
    exits: [3],
  },
  {
    name: 'a deep challenge',
    behaviour: challenges((answer) =>
      bodied(answer, `${'['.repeat(100_000)}${']'.repeat(100_000)}`),
    ),
    exits: [1, 3],
    fails: transport,
  },
  {
    name: 'a challenge in UTF-16',
    behaviour: challenges((answer) =>
      bodied(answer, Buffer.from(answer.body.toString('utf8'), 'utf16le')),
    ),
    exits: [1, 3],
    fails: transport,
  },
  {
    name: 'a challenge of random bytes',
    behaviour: challenges((answer) =>
      bodied(answer, Buffer.from(Array.from({ length: 300 }, (_, at) => (at * 89) % 256))),
    ),
    exits: [1, 3],
    fails: transport,
  },
  {
    name: 'a compressed challenge',
    behaviour: challenges((answer) =>
      header(bodied(answer, gzipSync(answer.body)), 'content-encoding', 'gzip'),
    ),
    exits: [1, 3],
    fails: transport,
  },
  {
    name: 'a gzip bomb',
    behaviour: challenges((answer) =>
      header(bodied(answer, gzipSync(Buffer.alloc(50_000_000))), 'content-encoding', 'gzip'),
    ),
    exits: [1, 3],
    fails: transport,
  },
  {
    name: 'a challenge that is a number',
    behaviour: challenges((answer) => withJson(answer, (body) => ({ ...body, challenge: 5 }))),
    exits: [1, 3],
    fails: transport,
  },
  {
    name: 'a challenge without its field',
    behaviour: challenges((answer) => withJson(answer, () => ({}))),
    exits: [1, 3],
    fails: transport,
  },
  {
    name: 'no Content-Type',
    behaviour: all((answer) => header(answer, 'content-type', undefined)),
    exits: [1],
    fails: transport,
  },
  {
    name: 'text/plain everywhere',
    behaviour: all((answer) => header(answer, 'content-type', 'text/plain')),
    exits: [1],
    fails: /^transport\.|\.(error|refus)/,
  },
  {
    name: 'text/plain for challenges',
    behaviour: challenges((answer) => header(answer, 'content-type', 'text/plain')),
    exits: [1],
    fails: transport,
  },
  {
    name: '201 instead of 200',
    behaviour: challenges((answer) => ({ ...answer, status: 201 })),
    exits: [0, 1],
    fails: transport,
  },
  {
    name: 'every ninth call is 500',
    behaviour: every(9, status(500, {})),
    exits: [1],
    fails: /^transport\.|\.wrong-bearer-refused$/,
    cause: 'the service, or a gateway in front of it, answers some calls with 500',
  },
  {
    name: 'every ninth call is 503',
    behaviour: every(9, status(503, { 'retry-after': '1' })),
    exits: [1, 3],
    fails: transport,
  },
  {
    name: "every ninth call is a gateway's 502",
    behaviour: every(9, (outgoing) => {
      outgoing.writeHead(502, { 'content-type': 'text/html' }).end(html)
    }),
    exits: [1, 3],
    fails: transport,
  },
  {
    name: 'every ninth call is 429',
    behaviour: every(9, status(429, { 'retry-after': '1' })),
    exits: [0, 3],
  },
  {
    name: 'the same challenge again',
    behaviour: () => cachedChallenge(),
    exits: [1, 3],
    fails: /^auth\./,
  },
  {
    name: 'fields that the contract does not know',
    behaviour: challenges((answer) =>
      withJson(answer, (body) => ({ ...body, more: { of: ['it'] } })),
    ),
    exits: [0],
  },
  {
    name: 'terminal escapes in headers and bodies',
    behaviour: challenges((answer) =>
      withJson(answer, (body) => ({ ...body, note: '\u001b[2J\u001b]0;own\u0007' })),
    ),
    exits: [0],
  },
  {
    name: 'half a second of latency',
    behaviour: () => ({
      after: async (answer) => {
        await new Promise((resolve) => setTimeout(resolve, 500))
        return answer
      },
    }),
    exits: [0],
  },
  {
    name: 'connections that are closed after each answer',
    behaviour: all((answer) => header(answer, 'connection', 'close')),
    exits: [0],
  },
  {
    name: 'header names in capitals',
    behaviour: all((answer) => ({
      ...answer,
      headers: Object.fromEntries(
        Object.entries(answer.headers).map(([name, value]) => [name.toUpperCase(), value]),
      ),
    })),
    exits: [0],
  },
]
