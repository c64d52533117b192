import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))

/**
 * Where the tool keeps what outlives a run: `ASSAY_CACHE`; else `.cache` of the checkout that this file belongs to;
 * else, for an installed package, the user's cache folder.
 */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.ASSAY_CACHE) return env.ASSAY_CACHE
  const parent = dirname(dirname(here))
  const root = basename(parent) === 'dist' ? dirname(parent) : parent
  if (!root.split(/[\\/]/).includes('node_modules')) return join(root, '.cache')
  return join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'assay')
}
