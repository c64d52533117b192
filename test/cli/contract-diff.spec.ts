import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@playwright/test'
import { dialects } from '../../contract/dialects.ts'
import { openapi } from '../../contract/openapi.ts'
import { run } from './in-process.ts'

/** `assay contract diff URL`: whatever answers at the URL, the command ends. */

let server: Server
const served = async (answer: RequestListener): Promise<string> => {
  server = createServer(answer)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
test.afterEach(() => {
  server.closeAllConnections()
  server.close()
})

test('reads a description, behind a redirect too', async () => {
  const url = await served((request, response) => {
    if (request.url === '/current') response.writeHead(302, { location: '/v2.json' }).end()
    else response.end(JSON.stringify(openapi(dialects.svc)))
  })
  const { exit, out } = await run(`contract diff ${url}/current`)
  expect(out).toContain('0 breaking')
  expect(exit).toBe(0)
})

test('gives up redirects that do not end', async () => {
  const url = await served((_, response) => void response.writeHead(302, { location: '/' }).end())
  const { exit, err } = await run(`contract diff ${url}/`)
  expect(err).toContain('more than 5 redirects')
  expect(exit).toBe(3)
})

test('names the status that keeps a description from being read', async () => {
  const url = await served((_, response) => void response.writeHead(404).end())
  const { exit, err } = await run(`contract diff ${url}/v2.json`)
  expect(err).toContain('expected status 200, received 404')
  expect(exit).toBe(3)
})

test('calls another document wrong usage, and no fault of assay', async () => {
  const url = await served((_, response) => void response.end('{"swagger":"2.0"}'))
  const { exit, err } = await run(`contract diff ${url}/v2.json`)
  expect(err).toBe(
    'assay: expected an OpenAPI 3 description, received a document without `openapi`\n',
  )
  expect(exit).toBe(2)
})

test('stops reading a response that does not end', async () => {
  const chunk = Buffer.alloc(2 ** 20, ' ')
  let sent = 0
  const url = await served((_, response) => {
    const fill = () => {
      // Bounded here too, so that this test ends whatever the command does.
      while (sent < 2 ** 28 && !response.destroyed) {
        sent += chunk.length
        if (!response.write(chunk)) return
      }
      response.end()
    }
    response.on('drain', fill)
    fill()
  })
  const { exit, err } = await run(`contract diff ${url}/v2.json`)
  expect(err).toContain('the answer is longer than 16 MiB')
  expect(exit).toBe(3)
})

test('stops reading when it is interrupted', async () => {
  const stop = new AbortController()
  const url = await served((_, response) => {
    response.write('{')
    setTimeout(() => stop.abort('SIGTERM'), 100)
    // Ends after all, so that this test ends whatever the command does.
    setTimeout(() => response.end('}'), 10_000).unref()
  })
  const begun = Date.now()
  const { exit, err } = await run(`contract diff ${url}/v2.json`, { signal: stop.signal })
  expect(err).toContain('interrupted while')
  expect(exit).toBe(130)
  expect(Date.now() - begun).toBeLessThan(5_000)
})
