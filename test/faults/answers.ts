import { gzipSync } from 'node:zlib'
import { challenges, all, header, bodied } from './behaviours.ts'
import { transport } from './fault.ts'
import type { Fault } from './fault.ts'
import { withJson } from './proxy.ts'

/** Targets with some wrong answers. */
export const answers: readonly Fault[] = [
  {
    name: 'a deep challenge',
    behaviour: challenges((answer) =>
      bodied(answer, `${'['.repeat(100_000)}${']'.repeat(100_000)}`),
    ),
    exits: [3],
    verdicts: ['not started'],
  },
  {
    name: 'a challenge in UTF-16',
    behaviour: challenges((answer) =>
      bodied(answer, Buffer.from(answer.body.toString('utf8'), 'utf16le')),
    ),
    exits: [3],
    verdicts: ['not started'],
  },
  {
    name: 'a challenge of random bytes',
    behaviour: challenges((answer) =>
      bodied(answer, Buffer.from(Array.from({ length: 300 }, (_, at) => (at * 89) % 256))),
    ),
    exits: [3],
    verdicts: ['not started'],
  },
  {
    name: 'a compressed challenge',
    behaviour: challenges((answer) =>
      header(bodied(answer, gzipSync(answer.body)), 'content-encoding', 'gzip'),
    ),
    exits: [3],
    verdicts: ['not started'],
  },
  {
    name: 'a gzip bomb',
    behaviour: challenges((answer) =>
      header(bodied(answer, gzipSync(Buffer.alloc(50_000_000))), 'content-encoding', 'gzip'),
    ),
    exits: [3],
    verdicts: ['not started'],
  },
  {
    name: 'a challenge that is a number',
    behaviour: challenges((answer) => withJson(answer, (body) => ({ ...body, challenge: 5 }))),
    exits: [3],
    verdicts: ['not started'],
  },
  {
    name: 'a challenge without its field',
    behaviour: challenges((answer) => withJson(answer, () => ({}))),
    exits: [3],
    verdicts: ['not started'],
  },
  {
    name: 'no Content-Type',
    behaviour: all((answer) => header(answer, 'content-type', undefined)),
    exits: [1],
    verdicts: ['not conformant'],
    fails: transport,
  },
  {
    name: 'text/plain everywhere',
    behaviour: all((answer) => header(answer, 'content-type', 'text/plain')),
    exits: [1],
    verdicts: ['not conformant'],
    fails: /^transport\.|\.(error|refus)/,
  },
  {
    name: 'text/plain for challenges',
    behaviour: challenges((answer) => header(answer, 'content-type', 'text/plain')),
    exits: [1],
    verdicts: ['not conformant'],
    fails: transport,
  },
  {
    name: '201 instead of 200',
    behaviour: challenges((answer) => ({ ...answer, status: 201 })),
    exits: [0],
    verdicts: ['conformant'],
    fails: transport,
  },
]
