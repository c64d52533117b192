import { printLine } from 'k6/x/assay'
import { reportBy } from './report.ts'
import { createScript } from './script.ts'
import { openStreamed } from './streamed-file.ts'

/** The entry of a k6 with the module of `engine/`: reads prepared files where they lie, and prints without its log. */
reportBy(printLine)
export const { options, setup, iteration, teardown } = createScript(openStreamed)
