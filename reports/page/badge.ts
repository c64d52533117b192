import { escapeHtml } from '../html.ts'
import type { Words } from './words.ts'

/** What a badge shows: a verdict, or that a rule was not run. */
export type Shown = keyof Words['verdicts']

export const badge = (words: Words, verdict: Shown): string =>
  `<span class="badge ${verdict.replace(' ', '-')}">${escapeHtml(words.verdicts[verdict])}</span>`
