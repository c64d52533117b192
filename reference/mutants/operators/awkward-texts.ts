import type { AnyCall } from '../../call/call.ts'
import type { Generated } from './operator.ts'
import { generated } from './operator.ts'

/** Descriptions that cannot be stored, or searched for, with some characters in them. */

const characters: Readonly<Record<string, RegExp>> = {
  'null-character': /\0/,
  'half-a-pair': /[\ud800-\udfff]/,
  noncharacter: /\uffff/,
  'open-bracket': /[([]/,
}

// No address contains half a pair.
const isPossible = (place: string, what: string): boolean =>
  place === 'stored' || what !== 'half-a-pair'

const places: Readonly<Record<string, (call: AnyCall) => unknown>> = {
  stored: ({ body }) => ((body ?? {}) as { readonly description?: unknown }).description,
  'searched-for': ({ query }) => query['description'],
}

export const failingTexts = (): Generated[] =>
  Object.entries(places).flatMap(([place, textIn]) =>
    Object.entries(characters)
      .filter(([what]) => isPossible(place, what))
      .map(([what, pattern]) =>
        generated('awkward-text', `${place}.${what}`, ['transport.answers.no-server-error'], {
          call(call, next) {
            const text = textIn(call)
            if (typeof text === 'string' && pattern.test(text))
              throw new Error('the text cannot be read')
            return next(call)
          },
        }),
      ),
  )
