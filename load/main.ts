import { createScript } from './script.ts'
import { openLoaded } from './loaded-file.ts'

/** The entry of any k6. */
export const { options, setup, iteration, teardown } = createScript(openLoaded)
