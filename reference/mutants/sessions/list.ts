import { sessionItemView } from '../../invoices/views.ts'
import { policy } from '../../policy/policy.ts'
import type { Mutant } from '../mutant.ts'
import { losesLast, onLaterPages } from '../pages.ts'
import { answers, calls, ignores, lists } from '../rewrite.ts'
import type { SessionView } from '../session-views.ts'

/** Defects of the list of sessions. */
export const sessionsListMutants = {
  'sessions.list.complete/reference-by-its-beginning': calls(['sessions.list'], (call) => {
    const { referenceNumber } = call.query as { readonly referenceNumber?: string }
    const begun = referenceNumber?.slice(0, 20)
    const found =
      begun === undefined
        ? undefined
        : [...call.service.state.sessions.values()].find((one) =>
            one.referenceNumber.startsWith(begun),
          )
    return found
      ? { ...call, query: { ...call.query, referenceNumber: found.referenceNumber } }
      : call
  }),
  'sessions.list.complete/of-anybody-by-its-reference': answers(
    ['sessions.list'],
    (answer, { query, service }) => {
      const { referenceNumber } = query as { readonly referenceNumber?: string }
      const found = service.state.sessions.get(referenceNumber ?? '')
      return found === undefined
        ? answer
        : { ...answer, body: { sessions: [sessionItemView(found)], continuationToken: null } }
    },
  ),
  'sessions.list.complete/token-of-other-filters': {
    policy: {
      linkContent: (use, subject, until) =>
        policy.linkContent(use, use === 'page' ? subject.replace(/\{.*\}/, '') : subject, until),
    },
  },
  'sessions.list.complete/outcomes-on-the-first-page-only': onLaterPages(
    ['sessions.list'],
    (later) => ({
      outcomeWanted: (wanted, outcome) => later() || policy.outcomeWanted(wanted, outcome),
    }),
  ),
  'sessions.list.complete/list-has-gaps': lists(
    ['sessions.list'],
    'sessions',
    (sessions: readonly SessionView[]) =>
      sessions.filter(({ referenceNumber }) => !/[02468]$/.test(referenceNumber)),
  ),
  'sessions.list.complete/list-filters-ignored': ignores(
    ['sessions.list'],
    'sessionType',
    'referenceNumber',
    'dateCreatedFrom',
    'dateCreatedTo',
    'dateClosedFrom',
    'dateClosedTo',
    'dateModifiedFrom',
    'dateModifiedTo',
    'statuses',
  ),
  'sessions.list.complete/list-by-first-state': {
    policy: { outcomeWanted: ([first], outcome) => outcome === first },
  },
  'sessions.list.complete/list-loses-last-of-page': losesLast('sessions.list', 'sessions'),
  'sessions.list.complete/closed-ones-not-in-progress': lists<{
    readonly status: { readonly code: number }
  }>(['sessions.list'], 'sessions', (rows) => rows.filter(({ status }) => status.code !== 170)),
  'sessions.list.complete/in-the-order-of-change': {
    at: ['sessions.list'],
    tables: {
      sessions: {
        find: (found) => found.map((session) => ({ ...session, openedAt: session.updatedAt })),
      },
    },
  },
} as const satisfies Readonly<Record<string, Mutant>>
