import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const here = path.dirname(fileURLToPath(import.meta.url))

/** Folder of the built files: `dist` in the repository and in the published package. */
export const built = path.dirname(here)

/** Folder of package.json. */
export const root = existsSync(path.join(built, 'package.json')) ? built : path.dirname(built)
