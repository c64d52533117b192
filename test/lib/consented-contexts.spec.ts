import { expect, test } from '@playwright/test'
import { dialects } from '../../contract/dialects.ts'
import type { Dialect } from '../../contract/dialect.ts'
import { createCallerContexts } from '../../lib/caller-contexts.ts'
import { guarded } from '../../lib/consent.ts'
import type { Consent, Guard } from '../../lib/consent.ts'
import type { Send } from '../../lib/exchange.ts'
import { openBatch, uploadPart } from '../../lib/flows/batch.ts'
import { loginWithDocument, loginWithToken, refreshAccess } from '../../lib/flows/login.ts'
import { openOnline } from '../../lib/flows/session.ts'
import { nodeCodec } from '../../lib/node/codec.ts'
import { createReference } from '../../reference/service/reference.ts'
import { selfSigned } from '../../suites/support/service/contexts.ts'
import { formCodes } from '../../suites/support/checks/forms.ts'
import { packed } from '../../suites/support/steps/packages.ts'
import { openInProcess, startedInProcess } from '../../suites/support/service/target.ts'
import { clientInProcess } from '../client-in-process.ts'

/** A consent for one context lets no writing call out for another, nor for a caller whose login was not seen. */

const consented = '5265877635'
const other = '7980332920'

/** A reference that is written to only for one context. */
const atReference = async (
  dialect: Dialect,
  work: (given: Awaited<ReturnType<typeof opened>>) => Promise<void>,
): Promise<void> => {
  const given = await opened(dialect)
  try {
    await work(given)
  } finally {
    await given.close()
  }
}

const opened = async (dialect: Dialect) => {
  const reference = await createReference({ seed: 7, ...startedInProcess, dialect: dialect.id })
  const inProcess = await openInProcess({ seed: 7, dialect: dialect.id }, [], reference)
  const { url, now } = inProcess
  const consent: Consent = {
    address: url,
    contexts: [`Nip ${consented}`],
    operations: ['*'],
    until: '2999-12-31',
  }
  const clientOf = (more: Partial<Guard> = {}, send: Send = inProcess.send) =>
    clientInProcess(inProcess, {
      send: guarded(send, {
        baseUrl: url,
        dialect,
        consent,
        callers: createCallerContexts(nodeCodec),
        refuse: (reason) => new RangeError(reason),
        ...more,
      }),
      dialect,
    })
  const sign = (nip: string) => ({
    sign: (challenge: string) => selfSigned(nip, now).document(challenge),
  })
  return {
    clientOf,
    sign,
    send: inProcess.send,
    close: () => inProcess.close(),
    createContext: () => reference.control.createContext({}),
    /** Contexts that a writing call reached the service for, as the service sees them. */
    written: () =>
      reference.journal
        .after(0)
        .filter(({ operation, kind }) => kind === 'exchange' && operation === 'sessions.openOnline')
        .map((entry) => (entry['context'] as { value?: string } | undefined)?.value),
  }
}

const opening = { formCode: formCodes.fa3 }

for (const dialect of Object.values(dialects)) {
  test(`${dialect.id}: tokens of a login by document write for the context of the document`, async () => {
    await atReference(dialect, async ({ clientOf, sign, written }) => {
      const client = clientOf()
      const mine = await loginWithDocument(client, sign(consented))
      const theirs = await loginWithDocument(client, sign(other))
      const renewed = await refreshAccess(client, theirs.refreshToken)
      await openOnline(client.with({ bearer: mine.accessToken }), opening)
      const again = await refreshAccess(client, mine.refreshToken)
      await openOnline(client.with({ bearer: again.accessToken }), opening)
      for (const bearer of [theirs.accessToken, theirs.refreshToken, renewed.accessToken])
        await expect(openOnline(client.with({ bearer }), opening)).rejects.toThrow(
          `covers Nip ${consented}, and sessions.openOnline was to be sent for Nip ${other}`,
        )
      expect(written()).toEqual([consented, consented])
    })
  })

  test(`${dialect.id}: a login by service token is of the context that it names`, async () => {
    await atReference(dialect, async ({ clientOf, createContext, written }) => {
      const { value, token } = await createContext()
      const login = { context: { type: 'Nip', value }, token } as const
      const client = clientOf()
      const { accessToken } = await loginWithToken(client, login)
      await expect(openOnline(client.with({ bearer: accessToken }), opening)).rejects.toThrow(
        `was to be sent for Nip ${value}`,
      )
      expect(written()).toEqual([])
    })
  })

  test(`${dialect.id}: parts of a package are uploaded where its session was opened by consent`, async () => {
    await atReference(dialect, async ({ clientOf, sign }) => {
      const client = clientOf()
      const { accessToken } = await loginWithDocument(client, sign(consented))
      const batch = await packed([{ bytes: new Uint8Array(10) }])
      const session = await openBatch(client.with({ bearer: accessToken }), batch, opening)
      const [part] = batch.parts
      expect((await uploadPart(client, session, part!)).status).toBeLessThan(300)
      // Another client did not see the opening.
      await expect(uploadPart(clientOf(), session, part!)).rejects.toThrow(
        'for a caller whose login was not seen',
      )
    })
  })
}

test('a writing call for a caller whose login was not seen is withheld', async () => {
  await atReference(dialects.svc, async ({ clientOf, sign, written }) => {
    const { accessToken } = await loginWithDocument(clientOf(), sign(consented))
    const client = clientOf()
    for (const identity of [{ bearer: accessToken }, {}, { bearer: 'eyJ.forged' }])
      await expect(openOnline(client.with(identity), opening)).rejects.toThrow(
        'was to be sent for a caller whose login was not seen',
      )
    expect(written()).toEqual([])
    const callers = createCallerContexts(nodeCodec)
    callers.know(accessToken, `Nip ${consented}`)
    await openOnline(clientOf({ callers }).with({ bearer: accessToken }), opening)
    expect(written()).toEqual([consented])
  })
})

test('a login that can be read in two ways is of no context', async () => {
  await atReference(dialects.svc, async ({ clientOf, sign, send, written }) => {
    // The service takes each login for one of the other context.
    const takes: Send = async (request, options) => {
      const isLogin = request.url.endsWith('/auth/xades-signature')
      return send(isLogin ? { ...request, body: await documentOf(request.body) } : request, options)
    }
    const own = await sign(consented).sign('unused')
    const documentOf = (body: unknown) =>
      sign(other).sign(/<Challenge>([^<]*)/.exec(String(body))?.[1] ?? '')
    const stranger = `<ContextIdentifier><Nip>${other}</Nip></ContextIdentifier>`
    for (const write of [
      (document: string) =>
        document.replace('<ContextIdentifier>', `<!-- x --><ContextIdentifier>`),
      (document: string) =>
        document.replace('<ContextIdentifier>', `${stranger}<ContextIdentifier>`),
      (document: string) => document.replace(/<Nip>\d{10}/, (start) => `${start}&#49;`),
      (document: string) => document.replaceAll('ContextIdentifier', 'Context'),
    ]) {
      const client = clientOf({}, takes)
      const { accessToken } = await loginWithDocument(client, {
        sign: (challenge) =>
          Promise.resolve(write(own.replace(/<Challenge>[^<]*/, () => `<Challenge>${challenge}`))),
      })
      await expect(openOnline(client.with({ bearer: accessToken }), opening)).rejects.toThrow(
        'for a caller whose login was not seen',
      )
    }
    expect(written()).toEqual([])
  })
})

test('a body that names its context twice is of no context', () => {
  const callers = createCallerContexts(nodeCodec)
  const contextOf = (body: string) =>
    callers.of({ method: 'POST', url: '', headers: {}, body }, 'auth.token', dialects.svc)
  const identifier = (value: string) => `{"type": "Nip", "value": "${value}"}`
  const mine = `"contextIdentifier": ${identifier(consented)}`
  const theirs = `"contextIdentifier": ${identifier(other)}`
  expect(contextOf(`{"challenge": "c",\n ${mine}}`)).toBe(`Nip ${consented}`)
  for (const body of [
    `{${theirs}, ${mine}}`,
    `{${theirs.replace('c', String.raw`\u0063`)}, ${mine}}`,
    `{"contextIdentifier": {"type": "Nip", "value": "${other}", "value": "${consented}"}}`,
    '{"contextIdentifier": null}',
    '{"challenge": "c"',
    '[]',
  ])
    expect(contextOf(body), body).toBeUndefined()
})

test('work that spends by logging in needs consent for its logins too', async () => {
  await atReference(dialects.svc, async ({ clientOf, sign }) => {
    const client = clientOf({ work: 'load' })
    const { refreshToken } = await loginWithDocument(client, sign(consented))
    await refreshAccess(client, refreshToken)
    await expect(loginWithDocument(client, sign(other))).rejects.toThrow(
      `auth.xades was to be sent for Nip ${other}`,
    )
    const stranger = await loginWithDocument(clientOf(), sign(other))
    await expect(refreshAccess(client, stranger.refreshToken)).rejects.toThrow(
      'auth.refresh was to be sent for a caller whose login was not seen',
    )
  })
})
