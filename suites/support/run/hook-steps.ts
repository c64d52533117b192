/**
 * Two thirds of the messages of a worker say that the hooks before and after a check begin and end. No report of ours
 * shows them, and each costs more than a short call. What fails within them is reported with the check itself.
 */

type Send = (message: unknown, ...more: never[]) => boolean

interface StepMessage {
  readonly method?: unknown
  readonly params?: {
    readonly method?: unknown
    readonly params?: { readonly category?: unknown; readonly stepId?: unknown }
  }
}

/** Sends all but those messages. */
export const withoutHookSteps = (send: Send): Send => {
  const hidden = new Set<unknown>()
  const isHookStep = (message: unknown): boolean => {
    const { method, params } = (message as StepMessage | undefined)?.params ?? {}
    if (method === 'stepBegin' && params?.category === 'hook') hidden.add(params.stepId)
    else if (method !== 'stepEnd') return false
    const isHidden = hidden.has(params?.stepId)
    if (method === 'stepEnd') hidden.delete(params?.stepId)
    return isHidden
  }
  return (message, ...more) => isHookStep(message) || send(message, ...more)
}
