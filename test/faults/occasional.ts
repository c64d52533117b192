import { html, every, challenges, all, header, status, cachedChallenge } from './behaviours.ts'
import { transport } from './fault.ts'
import type { Fault } from './fault.ts'
import { withJson } from './proxy.ts'

/** Targets that are wrong now and then, and peculiarities that no rule forbids. */
export const occasional: readonly Fault[] = [
  {
    name: 'every ninth call is 500',
    behaviour: every(9, status(500, {})),
    exits: [1],
    verdicts: ['not conformant'],
    fails: /^transport\.|\.wrong-bearer-refused$/,
    cause: 'the service, or a gateway in front of it, answers some calls with 500',
  },
  {
    name: 'every ninth call is 503',
    behaviour: every(9, status(503, { 'retry-after': '1' })),
    exits: [1, 3],
    verdicts: ['not conformant', 'no verdict', 'incomplete'],
    fails: transport,
  },
  {
    name: "every ninth call is a gateway's 502",
    behaviour: every(9, (outgoing) => {
      outgoing.writeHead(502, { 'content-type': 'text/html' }).end(html)
    }),
    exits: [1, 3],
    verdicts: ['not conformant', 'no verdict', 'incomplete'],
    fails: transport,
  },
  {
    name: 'every ninth call is 429',
    behaviour: every(9, status(429, { 'retry-after': '1' })),
    exits: [0, 3],
    verdicts: ['conformant', 'no verdict'],
  },
  {
    name: 'the same challenge again',
    behaviour: () => cachedChallenge(),
    exits: [3],
    verdicts: ['not started'],
    fails: /^auth\./,
  },
  {
    name: 'fields that the contract does not know',
    behaviour: challenges((answer) =>
      withJson(answer, (body) => ({ ...body, more: { of: ['it'] } })),
    ),
    exits: [0],
    verdicts: ['conformant'],
  },
  {
    name: 'terminal escapes in headers and bodies',
    behaviour: challenges((answer) =>
      withJson(answer, (body) => ({ ...body, note: '\u001b[2J\u001b]0;own\u0007' })),
    ),
    exits: [0],
    verdicts: ['conformant'],
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
    verdicts: ['conformant'],
  },
  {
    name: 'connections that are closed after each answer',
    behaviour: all((answer) => header(answer, 'connection', 'close')),
    exits: [0],
    verdicts: ['conformant'],
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
    verdicts: ['conformant'],
  },
]
