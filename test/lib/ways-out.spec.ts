import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@playwright/test'
import { svc } from '../../contract/dialects/svc.ts'
import { endpoint, operationIds } from '../../contract/endpoints.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import { createClient } from '../../lib/client.ts'
import type { Client } from '../../lib/client.ts'
import type { Consent } from '../../lib/consent.ts'
import { nodeCodec } from '../../lib/node/codec.ts'
import { sendToTarget } from '../../lib/node/target-send.ts'
import type { TargetProfile } from '../../lib/node/target.ts'
import { absence, wireOperation } from '../../lib/wire.ts'
import { projectRoot, readSources } from '../sources.ts'

/**
 * No writing call leaves without consent, whatever a check or a command does: there is one way out, and its guard holds
 * for every operation however it is called. Runs of the commands are only a sample of that (test/cli/consent.spec.ts).
 */

const root = projectRoot()
const tool = /^(?:api|cli|contract|generators|lib|lint|load|reports|suites)\//
const sources = root === undefined ? [] : readSources(root).filter(({ path }) => tool.test(path))

/** What opens no connection to a service. */
const harmless = new Set(['createServer', 'rootCertificates'])

const connects =
  /^import (?!type)([^'"]*?) from '(?:node:)?(?:http|https|http2|net|tls|dgram|undici|ws|k6\/(?:http|ws|net\/grpc))'/gm

const opensConnections = (text: string): boolean =>
  /(?<![.\w])(?:fetch\(|new WebSocket)/.test(text) ||
  [...text.matchAll(connects)].some(([, names = '']) =>
    names.split(/[{},\s]+/).some((name) => name !== '' && !harmless.has(name)),
  )

const filesWith = (found: (text: string) => boolean): readonly string[] =>
  sources.filter(({ text }) => found(text)).map(({ path }) => path)

test('one file of the tool sends to services, and one for k6', () => {
  test.skip(root === undefined, 'the published package carries no sources')
  expect(filesWith(opensConnections), 'send through lib/node/target-send.ts').toEqual([
    'lib/node/fetch.ts',
    // Downloads k6 itself.
    'load/engine.ts',
    'load/transport.ts',
    // Asks the pacer of its own run.
    'suites/support/run/shared-pacer.ts',
  ])
})

test('only the guarded sender, a management port and programs of the user send unguarded', () => {
  test.skip(root === undefined, 'the published package carries no sources')
  expect(filesWith((text) => /\bcreateSend\(/.test(text))).toEqual([
    'api/client.ts',
    'cli/management-port.ts',
    'lib/node/fetch.ts',
    'lib/node/target-send.ts',
  ])
})

const parameters = new Proxy({}, { get: () => '20260101-AB', has: () => true })

/** Every way in which a client can call an operation. */
const ways: Readonly<Record<string, (client: Client, operation: OperationId) => Promise<unknown>>> =
  {
    call: (client, operation) => client.call(operation, { path: parameters, body: {} }),
    'call without pace': (client, operation) =>
      client.call(operation, { path: parameters, pace: false, bearer: null }),
    'call of its aliases': (client, operation) =>
      Promise.all(
        wireOperation(operation, svc).aliases.map((_, alias) =>
          client.call(operation, { path: parameters, alias }),
        ),
      ),
    'call of a path': (client, operation) =>
      client.call(operation, { rawPath: `${pathOf(operation)}/`, query: { page: 1 } }),
    'request of a path': (client, operation) =>
      client.request(wireOperation(operation, svc).method, pathOf(operation)),
    'request of an address': (client, operation) =>
      client.request(wireOperation(operation, svc).method, client.baseUrl + pathOf(operation), {
        bearer: 'eyJ.forged',
        headers: { authorization: 'Bearer other' },
      }),
  }

const pathOf = (operation: OperationId): string =>
  wireOperation(operation, svc).path.replaceAll(/\{[^}]*\}/g, '20260101-AB')

const isWrite = (operation: OperationId): boolean => {
  const { effect, method } = endpoint(operation)
  return (effect ?? (method === 'GET' ? 'reads' : 'writes')) === 'writes'
}

const present = operationIds.filter((id) => absence(id, svc) === undefined)

const profiles: Readonly<Record<string, (url: string) => TargetProfile>> = {
  production: (url) => ({ url, environment: 'production' }),
  'a sibling': (url) => ({ url, environment: 'test', sibling: true }),
  'consent of another address': (url) => guardedBy(url, { address: `${url}/other` }),
  'consent that is over': (url) => guardedBy(url, { until: '2020-01-01' }),
  'consent to nothing that exists': (url) => guardedBy(url, { operations: ['nothing'] }),
  'consent for a context that nobody logged in': (url) =>
    guardedBy(url, { contexts: ['Nip 5265877635'] }),
}

const guardedBy = (address: string, changed: Partial<Consent>): TargetProfile => ({
  url: address,
  environment: 'production',
  consent: { address, contexts: ['*'], operations: ['*'], until: '2999-12-31', ...changed },
})

test('whatever is called, in whichever way, only reading calls and logins arrive', async () => {
  const arrived: string[] = []
  const server = createServer((request, response) => {
    arrived.push(String(request.headers['x-sent-as']))
    request.resume()
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`
  try {
    for (const [name, profileOf] of Object.entries(profiles))
      for (const [way, send] of Object.entries(ways)) {
        const sender = sendToTarget(profileOf(url), { dialect: svc })
        const calls = present.map((operation) => {
          const client = createClient({
            send: sender.send,
            baseUrl: url,
            dialect: svc,
            codec: nodeCodec,
            headers: { 'x-sent-as': operation },
          })
          return send(client.with({ bearer: 'eyJ.unknown' }), operation).catch(() => undefined)
        })
        await Promise.all(calls)
        sender.close()
        const written = arrived.filter((operation) => isWrite(operation as OperationId))
        expect(written, `${name}, ${way}`).toEqual([])
        if (way === 'call') expect(arrived.length, name).toBeGreaterThan(30)
        arrived.length = 0
      }
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
