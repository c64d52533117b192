import type { ServerResponse } from 'node:http'
import { toPem } from '../../lib/node/certificate.ts'
import { makeCertificate } from '../../lib/node/pki.ts'
import { withJson } from './proxy.ts'
import type { Answer, Behaviour, Call, TlsPair } from './proxy.ts'

/** Ways in which a target misbehaves. */

export const html = '<!doctype html><html><body><h1>Gateway</h1></body></html>'

export const always =
  (status: number, headers: Record<string, string>, body = ''): (() => Behaviour) =>
  () => ({
    before: (_call, outgoing) => {
      outgoing.writeHead(status, headers)
      outgoing.end(body)
      return true
    },
  })

export const raw =
  (say: (outgoing: ServerResponse) => void): (() => Behaviour) =>
  () => ({
    before: (_call, outgoing) => {
      say(outgoing)
      return true
    },
  })

export const fromCall =
  (first: number, say: (outgoing: ServerResponse) => void): (() => Behaviour) =>
  () => {
    let calls = 0
    return {
      before: (_call, outgoing) => {
        calls += 1
        if (calls >= first) say(outgoing)
        return calls >= first
      },
    }
  }

export const every =
  (nth: number, say: (outgoing: ServerResponse) => void): (() => Behaviour) =>
  () => {
    let calls = 0
    return {
      before: (_call, outgoing) => {
        calls += 1
        const now = calls > 8 && calls % nth === 0
        if (now) say(outgoing)
        return now
      },
    }
  }

export const isChallenge = ({ url }: Call): boolean => url.endsWith('/auth/challenge')

export const challenges =
  (change: (answer: Answer) => Answer): (() => Behaviour) =>
  () => ({
    after: (answer, call) => (isChallenge(call) && answer.status === 200 ? change(answer) : answer),
  })

export const all =
  (change: (answer: Answer) => Answer): (() => Behaviour) =>
  () => ({ after: change })

export const header = (answer: Answer, name: string, value: string | undefined): Answer => ({
  ...answer,
  headers: { ...answer.headers, [name]: value },
})

export const bodied = (answer: Answer, body: Buffer | string): Answer => ({
  ...answer,
  body: Buffer.from(body),
})

export const status =
  (code: number, headers: Record<string, string>) => (outgoing: ServerResponse) => {
    outgoing.writeHead(code, headers)
    outgoing.end()
  }

export const destroyed = (outgoing: ServerResponse): void => void outgoing.destroy()
export const silent = (): void => {}

export const endless = (outgoing: ServerResponse): void => {
  outgoing.writeHead(200, { 'content-type': 'application/json' })
  const chunk = Buffer.alloc(2 ** 20, 0x20)
  const more = () => {
    while (!outgoing.destroyed && outgoing.write(chunk));
    if (!outgoing.destroyed) outgoing.once('drain', more)
  }
  more()
}

export function cachedChallenge(): Behaviour {
  let first: Answer | undefined
  return {
    after: (answer, call) => {
      if (!isChallenge(call) || answer.status !== 200) return answer
      first ??= answer
      return first
    },
  }
}

/** Sends an answer a byte a second. */
export const drip = (outgoing: ServerResponse): void => {
  outgoing.writeHead(200, { 'content-type': 'application/json' })
  const more = () => {
    if (outgoing.destroyed) return
    outgoing.write(' ')
    setTimeout(more, 1_000)
  }
  more()
}

const isLogins = ({ method, url }: Call): boolean =>
  method === 'GET' && /\/auth\/sessions(?:\?|$)/.test(url)

/** Every page of the list of logins says that another one follows. */
export const endlessList = (): Behaviour => ({
  after: (answer, call) =>
    isLogins(call) && answer.status === 200
      ? withJson(answer, (body) => ({ ...body, continuationToken: 'more' }))
      : answer,
})

/** Challenges with trailing spaces, from the given call on. */
export const padded =
  (first: number, bytes: number): (() => Behaviour) =>
  () => {
    let challengesSeen = 0
    return {
      after: (answer, call) => {
        if (!isChallenge(call)) return answer
        challengesSeen += 1
        return challengesSeen < first
          ? answer
          : bodied(answer, Buffer.concat([answer.body, Buffer.alloc(bytes, 0x20)]))
      },
    }
  }

/** A certificate for this machine's address or another host, valid or expired. */
export const certificateFor = (host: string, notAfter = 3_600_000): TlsPair => {
  const { certificate, privateKey } = makeCertificate({
    subject: { commonName: host, countryName: 'PL' },
    now: Date.now(),
    notAfter,
  })
  return {
    cert: toPem(certificate),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
