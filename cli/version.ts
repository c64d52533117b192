import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './root.ts'

/** Version of the tool, as package.json states it. */
export const toolVersion = (): string =>
  (JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }).version
