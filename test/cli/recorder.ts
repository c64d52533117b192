import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { svc } from '../../contract/dialects/svc.ts'
import { createClassifier } from '../../lib/consent.ts'

interface Seen {
  readonly method: string
  readonly url: string
  readonly authorization: string | undefined
}

/** A recorder in front of a service: it notes every request and hands it on. */
export interface Recorder {
  readonly url: string
  readonly seen: Seen[]
  /** Requests that create, change or spend. */
  readonly writes: () => readonly Seen[]
  /** Tokens that answers held. */
  readonly issued: ReadonlySet<string>
  /** What it answers, as a gateway does, to paths that the service does not have; its own answer when absent. */
  unknownPaths: { readonly status: number; readonly body: string } | undefined
  readonly close: () => void
}

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** @param service address of the service */
export const startRecorder = async (service: string): Promise<Recorder> => {
  const issued = new Set<string>()
  const server = createServer((request, answer) => {
    void (async () => {
      const { method = '', url: target = '' } = request
      const { authorization } = request.headers
      recorder.seen.push({ method, url: new URL(target, recorder.url).href, authorization })
      const body = await bodyOf(request)
      const headers = Object.entries(request.headers).filter(
        ([name]) => !['host', 'connection', 'content-length'].includes(name),
      )
      const reply = await fetch(new URL(target, service), {
        method,
        headers: Object.fromEntries(headers) as Record<string, string>,
        ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
      })
      const { unknownPaths } = recorder
      if (reply.status === 404 && unknownPaths !== undefined) {
        answer.writeHead(unknownPaths.status, { 'content-type': 'application/json' })
        answer.end(unknownPaths.body)
        return
      }
      const kept = [...reply.headers].filter(([name]) => name !== 'transfer-encoding')
      answer.writeHead(reply.status, Object.fromEntries(kept))
      const answered = Buffer.from(await reply.arrayBuffer())
      for (const [, token = ''] of answered.toString().matchAll(/"token":"([^"]+)/g))
        issued.add(token)
      answer.end(answered)
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`
  const recorder: Recorder = {
    url,
    seen: [],
    issued,
    writes: () => {
      const classify = createClassifier(url, svc)
      return recorder.seen.filter((one) => classify(one).effect === 'writes')
    },
    unknownPaths: undefined,
    close: () => void server.close(),
  }
  return recorder
}
