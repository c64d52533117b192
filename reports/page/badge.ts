import { escapeHtml } from '../html.ts'
import type { Words } from './words.ts'

/** A verdict as it is shown, or that there is none. */
export type Shown = keyof Words['verdicts']

export const badge = (words: Words, verdict: Shown): string =>
  `<span class="badge ${verdict.replace(' ', '-')}">${escapeHtml(words.verdicts[verdict])}</span>`
