import { polishSentences } from '../../contract/rules-pl.ts'
import type { Rule } from '../../contract/types.ts'
import type { Language } from './languages.ts'

/** The sentence of a rule in the language of the reader; in English for further rules of a target. */
export const sentenceIn = (id: string, { sentence }: Rule, language: Language): string =>
  language === 'pl'
    ? ((polishSentences as Readonly<Record<string, string>>)[id] ?? sentence)
    : sentence
