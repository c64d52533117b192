import { createScript } from './script.ts'
import { openLoaded } from './loaded-file.ts'

/** What any k6 starts with. */
export const { options, setup, iteration, teardown } = createScript(openLoaded)
