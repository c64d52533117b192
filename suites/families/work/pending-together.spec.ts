import type { RuleId } from '../../../contract/rules.ts'
import type { Lifecycle } from '../../../contract/types.ts'
import type { Client } from '../../../lib/client.ts'
import { closeBatch, openBatch, uploadParts } from '../../../lib/flows/batch.ts'
import { createExport } from '../../../lib/flows/export.ts'
import { fetchChallenge, readStarted, startWithToken } from '../../../lib/flows/login.ts'
import { closeOnline, drawSecret, openOnline, submit } from '../../../lib/flows/session.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import { expectOk, expectText } from '../../../lib/outcome.ts'
import { forward } from '../../support/judging/contradictions.ts'
import { delay, hold } from '../../support/scenes/delayed.ts'
import { applyFor, listCertificates, obtainCertificate } from '../../support/callers/enrolment.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import type { Fixtures } from '../../support/harness/fixtures.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { grantPerson, listGranted, personGrant, revoke } from '../../support/callers/grants.ts'
import { orLost } from '../../support/scenes/neighbours.ts'
import { packed } from '../../support/steps/packages.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { mintToken, tokenState } from '../../support/callers/service-token.ts'
import { accept, reported } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/**
 * Several pieces of work of one kind and one owner that are pending at the same time all come to their end, and stay
 * there when another is begun with an equal request.
 */

/** How a piece of work stands: a code or the name of its state. */
type Look = () => Promise<unknown>

interface Row {
  readonly rule: RuleId
  /** Whose states the pieces go through, where they have codes. */
  readonly of?: Lifecycle
  /** The kind of work that takes time meanwhile. */
  readonly kind: string
  /** How each of them ends. */
  readonly ends: unknown
  /** Prepares as many pieces of work; what it returns starts that of a place, or another with the same request. */
  readonly prepare: (fixtures: Fixtures) => Promise<(place: number) => Promise<Look>>
}

const count = 3

const times = async <T>(make: (place: number) => Promise<T>): Promise<T[]> => {
  const all: T[] = []
  while (all.length < count) all.push(await make(all.length))
  return all
}

type Status = 'auth.status' | 'certificates.enrollment' | 'exports.status' | 'operations.status'

const codeOf =
  (api: Client, operation: Status | 'sessions.status', referenceNumber: string): Look =>
  async () =>
    reported(await api.call(operation, { path: { referenceNumber } })).status.code

/** A look at each of the things that were made before. */
const ofEach =
  <T>(made: readonly T[], use: (one: T) => Promise<Look>) =>
  async (place: number): Promise<Look> =>
    use(made[place] as T)

const rows: Readonly<Record<string, Row>> = {
  'applications for certificates': {
    rule: 'certificates.enrol',
    of: 'application',
    kind: 'enrollment',
    ends: 200,
    async prepare({ login }) {
      const { api } = await login()
      return async () => {
        const started = await applyFor(api)
        const reference = expectText(started, 'apply for a certificate', 'referenceNumber')
        return codeOf(api, 'certificates.enrollment', reference)
      }
    },
  },
  'revocations of certificates': {
    rule: 'certificates.revoke',
    kind: 'certificate',
    ends: 'Revoked',
    async prepare({ login }) {
      const { api } = await login()
      const issued = await times(() => obtainCertificate(api))
      return ofEach(issued, async ({ serialNumber }) => {
        const path = { certificateSerialNumber: serialNumber }
        expectOk(await api.call('certificates.revoke', { path, body: {} }), 'revoke a certificate')
        return async () =>
          (await listCertificates(api)).find((one) => one.certificateSerialNumber === serialNumber)
            ?.status
      })
    },
  },
  grants: {
    rule: 'operations.status.reports',
    of: 'operation',
    kind: 'operation',
    ends: 200,
    async prepare({ login, rng }) {
      const { api } = await login()
      const bodies = await times(() =>
        Promise.resolve(personGrant({ type: 'Nip', value: drawNip(rng) }, ['Introspection'])),
      )
      return async (place) => {
        const body = bodies[place]
        const started = await api.call('permissions.grantPerson', { body })
        return codeOf(api, 'operations.status', expectText(started, 'grant', 'referenceNumber'))
      }
    },
  },
  'revocations of permissions': {
    rule: 'permissions.revoke.effective',
    kind: 'operation',
    ends: 'absent',
    async prepare({ login, rng }) {
      const { api } = await login()
      await times(() => grantPerson(api, { type: 'Nip', value: drawNip(rng) }, ['Introspection']))
      return ofEach(await listGranted(api), async ({ id }) => {
        expectOk(await revoke(api, id), 'revoke a permission')
        return async () =>
          (await listGranted(api)).some((one) => one.id === id) ? 'listed' : 'absent'
      })
    },
  },
  exports: {
    rule: 'exports.create.accepted',
    of: 'export',
    kind: 'export',
    ends: 200,
    async prepare({ login, clock }) {
      const { api } = await login()
      const [filters, secret] = [issuedAround(clock.now()), drawSecret()]
      return async () => {
        const started = await createExport(api, { filters, secret })
        return codeOf(api, 'exports.status', started.referenceNumber)
      }
    },
  },
  'invoices of a session': {
    rule: 'invoices.submit.accepted',
    of: 'invoice',
    kind: 'invoice',
    ends: 200,
    async prepare({ open, invoice }) {
      const { api, session } = await open()
      const documents = await times(() => Promise.resolve(invoice()))
      return async (place) => {
        const sent = await submit(api, session, documents[place]!.bytes)
        const path = {
          referenceNumber: session.referenceNumber,
          invoiceReferenceNumber: sent.referenceNumber,
        }
        return async () => reported(await api.call('invoices.inSession', { path })).status.code
      }
    },
  },
  'interactive sessions that were closed': {
    rule: 'sessions.online.side-by-side',
    of: 'onlineSession',
    kind: 'session',
    ends: 200,
    async prepare({ login, invoice }) {
      const { api } = await login()
      const secret = drawSecret()
      return async () => {
        const session = await openOnline(api, { formCode: formCodes.fa3, secret })
        // One whose invoice is still pending ends when that does.
        await accept({ api, session }, invoice().bytes)
        await closeOnline(api, session)
        return codeOf(api, 'sessions.status', session.referenceNumber)
      }
    },
  },
  'batch sessions': {
    rule: 'sessions.batch.close',
    of: 'batchSession',
    kind: 'batch',
    ends: 200,
    async prepare({ login, invoice }) {
      const { api } = await login()
      const packages = await times(() => packed([invoice()]))
      return async (place) => {
        const made = packages[place]!
        const session = await openBatch(api, made, { formCode: formCodes.fa3 })
        await uploadParts(api, session, made.parts)
        await closeBatch(api, session)
        return codeOf(api, 'sessions.status', session.referenceNumber)
      }
    },
  },
  'service tokens': {
    rule: 'tokens.status.moves-forward',
    kind: 'token',
    ends: 'Active',
    async prepare({ login }) {
      const { api } = await login()
      return async () => {
        const body = { permissions: ['InvoiceRead'], description: 'a token of a check' }
        const made = await api.call('tokens.create', { body })
        const reference = expectText(made, 'create a service token', 'referenceNumber')
        return () => tokenState(api, reference)
      }
    },
  },
  'sign-ins by document': {
    rule: 'auth.status.moves-forward',
    of: 'authentication',
    kind: 'authentication',
    ends: 200,
    async prepare({ api, own }) {
      return async () => {
        const body = await own.document((await fetchChallenge(api)).challenge)
        return lookAtLogin(api, readStarted(await api.call('auth.xades', { body }), 'sign in'))
      }
    },
  },
  'sign-ins by service token': {
    rule: 'auth.token.accepted',
    of: 'authentication',
    kind: 'authentication',
    ends: 200,
    async prepare({ api, login }) {
      const { token, context } = await mintToken(await login())
      const { type, value } = context
      return async () =>
        lookAtLogin(api, await startWithToken(api, { context: { type, value }, token }))
    },
  },
}

const lookAtLogin =
  (api: Client, started: ReturnType<typeof readStarted>): Look =>
  async () => {
    const path = { referenceNumber: started.referenceNumber }
    const bearer = started.authenticationToken
    return reported(await api.call('auth.status', { path, bearer })).status.code
  }

for (const [name, { rule, kind, ends, prepare }] of Object.entries(rows))
  test(
    ...familyRule(rule, 'pending together', name),
    async ({ api, own, login, open, invoice, target, clock, rng }) => {
      const fixtures = { api, own, login, open, invoice, target, clock, rng } as Fixtures
      const start = await prepare(fixtures)
      const done = await hold(fixtures, kind)
      const looks = await times(start)
      for (const look of looks) expect(await look(), 'before they are done').not.toBe(ends)
      await done()
      const states: unknown[] = []
      for (const look of looks) states.push(await look())
      const expected = looks.map(() => ends)
      expect(states, 'how they ended, in the order in which they started').toEqual(expected)
      // A service may refuse what it has done before.
      await start(0).catch(orLost)
      const still: unknown[] = []
      for (const look of looks) still.push(await look())
      expect(still, 'when another was begun with the request of the first').toEqual(expected)
    },
  )

for (const [name, { of, kind, ends, prepare }] of Object.entries(rows))
  if (of !== undefined)
    test(
      ...familyRule(forward[of], 'pending together', `one after another, ${name}`),
      async ({ api, own, login, open, invoice, target, clock, rng }) => {
        const fixtures = { api, own, login, open, invoice, target, clock, rng } as Fixtures
        const start = await prepare(fixtures)
        await hold(fixtures, kind)
        const looks: Look[] = []
        const seen: number[][] = []
        const lookAtAll = async () => {
          for (const [place, look] of looks.entries())
            (seen[place] ??= []).push(Number(await look()))
        }
        // Each begins while those before it are pending, and ends before those after it.
        for (let step = 0; step < 2 * count; step += 1) {
          if (step < count) looks.push(await start(step))
          await lookAtAll()
          await clock.advance(delay / count)
        }
        await lookAtAll()
        for (const [place, states] of seen.entries()) {
          expect(states, `states of piece ${place + 1}`).toMoveAlong(of)
          expect(states.at(-1), `how piece ${place + 1} ended`).toBe(ends)
        }
      },
    )
