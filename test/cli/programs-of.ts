import { readFileSync, readdirSync } from 'node:fs'
import process from 'node:process'

/** Command lines of the programs that still work in this directory, found by their arguments. Empty except on Linux. */
export const programsOf = (directory: string): string[] =>
  process.platform !== 'linux'
    ? []
    : readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .flatMap((pid) => {
          try {
            return [readFileSync(`/proc/${pid}/cmdline`, 'utf8')]
          } catch {
            return []
          }
        })
        .filter((line) => line.includes(directory))
