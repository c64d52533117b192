import { en } from './words-en.ts'
import { pl } from './words-pl.ts'

/** Languages of the report page, each with its words. */
export const languages = { en, pl } as const
export type Language = keyof typeof languages
