import type { Send } from '../../lib/exchange.ts'

/** A sender to a function of this process. */
export const sendTo =
  (answerTo: (request: Request) => Response | Promise<Response>): Send =>
  async ({ method, url, headers, body }) => {
    const answer = await answerTo(
      new Request(url, { method, headers, body: (body ?? null) as BodyInit | null }),
    )
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: new Uint8Array(await answer.arrayBuffer()),
    }
  }
